import { Effect } from "effect"
import { useEffect, useRef, useState } from "react"
import { isBlank } from "../../../src/domain/Blank.ts"
import { runAgain } from "../../shared/AskAgain.ts"
import { useAction } from "../../shared/Call.ts"
import { useDraft } from "../../shared/Drafts.ts"
import { Problem } from "../../shared/Problem.ts"
import { safeFileName } from "../../shared/SaveFile.ts"
import { wasRefused } from "../Refusals.ts"
import { useSession } from "../session/Session.ts"
import { type Chosen, type Doubt, readChosen, type Refusal } from "./ChosenFile.ts"
import { type Progress, sendFile, storedAlready, unreachable, wasStored } from "./Sending.ts"

/** What became of a file. */
export type AddingNews =
  | { readonly is: "saved" | "savedMeanwhile"; readonly name: string }
  | { readonly is: "cancelled" | "lost" }
  | { readonly is: "failed"; readonly problem: Problem }

/** How often the service is asked again while it cannot be reached, in milliseconds. */
const pause = 10_000

const cancelled = Problem.make({ error: "cancelled" })

/** An upload that was too slow is not stored either. */
const isNotStored = (problem: Problem) => wasRefused(problem) || problem.error === "request_timeout"

/** Sends a file, and asks the list of documents what became of one that got no answer. */
const useSending = (
  chosen: Chosen | undefined,
  setChosen: (chosen: Chosen | undefined) => void,
  onEnd: (news: AddingNews) => void
) => {
  const session = useSession()
  const { busy, start } = useAction()
  const [progress, setProgress] = useState<Progress>()
  const [isUnreached, setUnreached] = useState(false)
  const cancelling = useRef<() => void>(undefined)

  const end = (news: AddingNews) => {
    setProgress(undefined)
    setUnreached(false)
    onEnd(news)
  }

  const send = (file: Chosen) => {
    let doubt: Doubt | undefined
    const asked = Effect.callback<never, Problem>((resume) => {
      cancelling.current = () => resume(Effect.fail(cancelled))
    })
    const onProgress = (progress: Progress) => {
      setProgress(progress)
      if (progress.sent < progress.total || doubt === undefined) return
      doubt = { ...doubt, isWhole: true }
      setChosen({ ...file, doubt })
    }
    const sending = Effect.gen(function*() {
      const before = yield* storedAlready(session.call, file)
      // From here on it may be stored, even if this screen is left.
      doubt = { before, isWhole: false, why: unreachable }
      setChosen({ ...file, doubt })
      yield* sendFile(session, file, onProgress)
    })
    start(Effect.raceFirst(sending, asked), (outcome) => {
      if (outcome.is === "done") return end({ is: "saved", name: file.name })
      const { problem } = outcome
      setProgress(undefined)
      if (doubt !== undefined && !isNotStored(problem)) {
        return setChosen({ ...file, doubt: { ...doubt, why: problem } })
      }
      setChosen(file)
      end(failedBy(problem))
    })
  }

  const doubted = busy ? undefined : chosen

  // Until the service says whether it has the file, it is not offered to be sent again.
  useEffect(() => {
    if (doubted?.doubt === undefined) return
    const { doubt, ...file } = doubted
    return runAgain(() => wasStored(session.call, file, doubt), (outcome) => {
      if (outcome.is === "failed") return setUnreached(true)
      if (!outcome.value) setChosen(file)
      end(
        !outcome.value
          ? failedBy(doubt.why)
          : { is: doubt.why.error === "cancelled" ? "savedMeanwhile" : "saved", name: file.name }
      )
    }, pause)
    // oxlint-disable-next-line react/exhaustive-deps -- a new render does not change the question
  }, [doubted, session.call])

  const isLooking = doubted?.doubt !== undefined
  return {
    send,
    isSending: busy,
    cancel: () => cancelling.current?.(),
    progress,
    isLooking,
    isUnreached: isLooking && isUnreached
  }
}

const failedBy = (problem: Problem): AddingNews =>
  problem.error === "cancelled"
    ? { is: "cancelled" }
    : problem.error === "unreachable"
    ? { is: "lost" }
    : { is: "failed", problem }

/** Chooses one file, makes it ready, and sends it. */
export const useAdding = (onSaved: () => void) => {
  // A lock lets the file go. Leaving the screen does not.
  const [chosen, setChosen] = useDraft<Chosen | undefined>("document", undefined, true)
  const [isReading, setReading] = useState(false)
  const [refusal, setRefusal] = useState<Refusal | "many">()
  const [news, setNews] = useState<AddingNews>()
  const reading = useRef(0)
  const sending = useSending(chosen, setChosen, (news) => {
    setNews(news)
    if (news.is !== "saved" && news.is !== "savedMeanwhile") return
    setChosen(undefined)
    onSaved()
  })

  useEffect(() => () => void reading.current++, [])

  const choose = (files: ReadonlyArray<File>) => {
    const [file] = files
    if (file === undefined || sending.isSending || sending.isLooking) return
    setNews(undefined)
    setRefusal(files.length > 1 ? "many" : undefined)
    if (files.length > 1) return
    setReading(true)
    const mine = ++reading.current
    void readChosen(file).then((read) => {
      if (mine !== reading.current) return
      setReading(false)
      if (typeof read === "string") setRefusal(read)
      else setChosen(read)
    })
  }

  return {
    ...sending,
    chosen,
    rename: (name: string) => chosen === undefined ? undefined : setChosen({ ...chosen, name }),
    isReading,
    refusal,
    choose,
    leave: () => {
      setNews(undefined)
      setChosen(undefined)
    },
    send: () => {
      if (chosen === undefined || isBlank(chosen.name)) return
      setNews(undefined)
      sending.send({ ...chosen, name: safeFileName(chosen.name) })
    },
    news,
    /** Takes the news away, because something else has happened since. */
    quiet: () => setNews(undefined)
  }
}

export type Adding = ReturnType<typeof useAdding>
