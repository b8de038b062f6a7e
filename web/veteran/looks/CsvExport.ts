import { Effect, Option, Schema } from "effect"
import { pageLimit } from "../../../src/domain/Page.ts"
import { Problem } from "../../shared/Problem.ts"
import type { Session } from "../session/Session.ts"

const unreachable = Problem.make({ error: "unreachable" })

const decodeProblem = Schema.decodeUnknownOption(Problem)

const ask = (address: string, authorization: string) =>
  Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(address, { signal, headers: { authorization, accept: "text/csv" } })
      return { status: response.status, next: response.headers.get("link"), text: await response.text() }
    },
    catch: () => unreachable
  })

/** The typed client asks for JSON, so this asks by itself. A 401 is answered by one renewal. */
const answer = Effect.fnUntraced(function*(session: Session, path: string) {
  const { api, authorization } = session.authorization()
  const first = yield* ask(api + path, authorization)
  if (first.status !== 401) return first
  const second = yield* ask(api + path, (yield* session.renewed).authorization)
  if (second.status === 401) session.lock()
  return second
})

const problemIn = (text: string) => {
  try {
    return Option.getOrElse(decodeProblem(JSON.parse(text)), () => unreachable)
  } catch {
    return unreachable
  }
}

/** Reads every page of the list as one CSV file (RFC 4180). */
export const csvOf = Effect.fnUntraced(function*(session: Session, filter: Readonly<Record<string, string>>) {
  const query = new URLSearchParams({ ...filter, limit: `${pageLimit.maximum}` })
  const parts: Array<string> = []
  let path: string | undefined = `/api/veteran/me/disclosures?${query}`
  while (path !== undefined) {
    const page: Effect.Success<ReturnType<typeof answer>> = yield* answer(session, path)
    if (page.status !== 200) return yield* Effect.fail(problemIn(page.text))
    // Every page begins with the names of the columns.
    parts.push(parts.length === 0 ? page.text : page.text.slice(page.text.indexOf("\r\n") + 2))
    path = /^<(\/[^>]*)>; rel="next"$/.exec(page.next ?? "")?.[1]
  }
  return parts
})
