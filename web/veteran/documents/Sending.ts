import { Effect, Option, Schema } from "effect"
import { pageLimit } from "../../../src/domain/Page.ts"
import { Problem } from "../../shared/Problem.ts"
import type { Session } from "../session/Session.ts"
import type { Chosen, Doubt } from "./ChosenFile.ts"

/** How much of a file has left this device. */
export interface Progress {
  readonly sent: number
  readonly total: number
}

/** After this time without any progress a connection counts as lost, in milliseconds. */
const patience = 60_000

/** The numbers on the page change at most this often, in milliseconds. */
const pause = 250

/** For a file of more bytes than this, the access token is renewed first: a refusal at the end would cost minutes. */
const long = 1_000_000

export const unreachable = Problem.make({ error: "unreachable" })

interface Answer {
  readonly status: number
  readonly text: string
}

/** `onProgress` hears of the bytes that left, and that all of them did. */
type OnProgress = (progress: Progress) => void

/** Only XMLHttpRequest tells how much of a body the browser has sent. */
const post = (address: string, authorization: string, { bytes, name }: Chosen, onProgress: OnProgress) =>
  Effect.callback<Answer, Problem>((resume) => {
    const request = new XMLHttpRequest()
    const lost = () => resume(Effect.fail(unreachable))
    let timer: ReturnType<typeof setTimeout> | undefined
    let told = 0
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(lost, patience)
    }
    const tell = (progress: Progress) => {
      told = performance.now()
      onProgress(progress)
    }
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      wait()
      if (performance.now() - told >= pause) tell({ sent: Math.min(loaded, total - 1), total })
    })
    request.upload.addEventListener("load", ({ total }) => {
      wait()
      tell({ sent: total, total })
    })
    request.addEventListener(
      "load",
      () => resume(Effect.succeed({ status: request.status, text: request.responseText }))
    )
    request.addEventListener("error", lost)
    const form = new FormData()
    form.append("file", new Blob([bytes]), name)
    request.open("POST", address)
    request.setRequestHeader("authorization", authorization)
    wait()
    request.send(form)
    return Effect.sync(() => {
      clearTimeout(timer)
      request.abort()
    })
  })

const decodeProblem = Schema.decodeUnknownOption(Schema.fromJsonString(Problem))

/** Sends the file. A 401 is answered by one renewal. Without an answer, it fails with `unreachable`. */
export const sendFile = Effect.fnUntraced(function*(session: Session, chosen: Chosen, onProgress: OnProgress) {
  const { api, authorization } = session.authorization()
  const renewed = Effect.map(session.renewed, (renewal) => renewal.authorization)
  const send = (authorization: string) => post(`${api}/api/veteran/me/documents`, authorization, chosen, onProgress)
  let answer = yield* send(chosen.bytes.length > long ? yield* renewed : authorization)
  if (answer.status === 401) answer = yield* send(yield* renewed)
  if (answer.status === 201) return
  const problem = Option.getOrElse(decodeProblem(answer.text), () => unreachable)
  if (problem.error === "unauthenticated") session.lock()
  return yield* Effect.fail(problem)
})

/** The newest documents with the content of this file, as the service has them now. */
export const storedAlready = (call: Session["call"], { sha256 }: Chosen) =>
  Effect.map(
    call(({ documents }) => documents.list({ params: { veteranId: "me" }, query: { limit: pageLimit.maximum } })),
    ({ items }) => items.filter((item) => item.sha256 === sha256).map(({ id }) => id)
  )

/** A service that got all of a file may need this time to keep it, in milliseconds, and is asked this often. */
const [keeping, times] = [2_000, 3]

/** Whether a file that got no answer was stored. */
export const wasStored = (call: Session["call"], chosen: Chosen, { before, isWhole }: Doubt) =>
  Effect.gen(function*() {
    for (let time = 1;; time++) {
      const ids = yield* storedAlready(call, chosen)
      if (ids.some((id) => !before.includes(id))) return true
      if (!isWhole || time === times) return false
      yield* Effect.sleep(keeping)
    }
  })
