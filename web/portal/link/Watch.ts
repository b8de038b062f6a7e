import { Effect } from "effect"
import { useEffect } from "react"
import { askAgain } from "../../shared/AskAgain.ts"
import { run } from "../../shared/Call.ts"
import { type End, endWhileOpen } from "./End.ts"
import { connectRecipient } from "./Recipient.ts"

/**
 * Milliseconds between requests. Because an answer may take 10 seconds, the document of a link that was turned off
 * leaves the screen within 30 seconds.
 */
const every = 20_000

/** Asks whether the document may still be shown. Without an answer it asks again. */
export const useWatch = (viewSession: string, onEnd: (end: End) => void) =>
  useEffect(() => {
    const status = Effect.flatMap(connectRecipient, (recipient) => recipient.status({ payload: { viewSession } }))
    let stop = () => {}
    const ask = () => {
      stop()
      stop = run(status, (outcome) => {
        const end = outcome.is === "failed" ? endWhileOpen(outcome.problem.error) : undefined
        if (end !== undefined) onEnd(end)
      })
    }
    const stopAsking = askAgain(ask, every)
    return () => {
      stopAsking()
      stop()
    }
  }, [viewSession, onEnd])
