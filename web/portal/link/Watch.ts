import { Effect } from "effect"
import { useEffect } from "react"
import { askAgain } from "../../shared/AskAgain.ts"
import { run } from "../../shared/Call.ts"
import { type End, endWhileOpen } from "./End.ts"
import { connectRecipient } from "./Recipient.ts"

/**
 * Milliseconds between requests. An answer may take another 10 seconds, so the document leaves the screen within 30
 * seconds after its link was turned off.
 */
const every = 20_000

/** Asks repeatedly whether the document may still be shown. If no answer comes, the document stays. */
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
