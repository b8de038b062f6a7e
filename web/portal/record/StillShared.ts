import { Effect } from "effect"
import { useCallback, useEffect, useRef, useState } from "react"
import type { VeteranId } from "../../../src/domain/Id.ts"
import { run } from "../../shared/Call.ts"
import type { Problem } from "../../shared/Problem.ts"
import { useSession } from "../Session.ts"

/** What is known of whether the patient still shares. */
export type Sharing =
  | { readonly is: "asking" }
  | { readonly is: "unknown"; readonly problem: Problem }
  | {
    readonly is: "shared"
    /** Which grants, newest first: with others, the record is another one. */
    readonly grants: string
    /** By the clock of this machine, no grant is known to last longer. */
    readonly until: number
    /** When the service said so last. */
    readonly at: number
    /** The service could not be asked since. */
    readonly problem?: Problem
  }
  | { readonly is: "ended" }

/** How often the service is asked while the record is shown, and while its tab is hidden, in milliseconds. */
const [whileSeen, whileHidden] = [15_000, 60_000]

/** Longer ago, a record that comes back into sight is not shown before the service was asked. */
const stillFresh = 20_000

/** A call that hangs is as good as none. */
const patience = 8_000

/** The longest that a timer can wait (HTML, 8.7). */
const longestTimer = 2 ** 31 - 1

/**
 * Asks again and again whether the patient still shares, so that a record leaves the screen though nobody touches it: it costs the service one
 * statement, and writes nothing. `isStale`: what is known is so old that the record may not be seen before it is asked.
 */
export const useSharing = (veteranId: string) => {
  const { call } = useSession()
  const latestCall = useRef(call)
  latestCall.current = call
  const [sharing, setSharing] = useState<Sharing>({ is: "asking" })
  const [isStale, setStale] = useState(false)
  const known = useRef<Sharing>(sharing)
  const stop = useRef<() => void>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const set = useCallback((next: Sharing) => {
    known.current = next
    setSharing(next)
  }, [])

  const end = useCallback(() => set({ is: "ended" }), [set])

  const ask = useCallback(() => {
    clearTimeout(timer.current)
    stop.current?.()
    if (known.current.is === "ended") return
    const shares = latestCall.current(({ patients }) =>
      patients.list({ query: { veteranId: veteranId as VeteranId, limit: 5 } })
    )
    stop.current = run(Effect.timeout(shares, patience), (outcome) => {
      const before = known.current
      if (outcome.is === "done") {
        const grants = outcome.value.items.map(({ grant }) => grant)
        if (grants.length === 0) end()
        else {
          const next = grants.map(({ id }) => id).join(" ")
          const until = Math.max(...grants.map(({ expiresAt }) => new Date(expiresAt).getTime()))
          set({ is: "shared", grants: next, until, at: Date.now() })
        }
      } else if (outcome.problem.error === "consent_required") end()
      else if (before.is === "shared") {
        // Without an answer, what was known is believed until its end.
        if (before.until <= Date.now()) end()
        else set({ ...before, problem: outcome.problem })
      } else set({ is: "unknown", problem: outcome.problem })
      setStale(false)
      const left = known.current.is === "shared" ? Math.max(known.current.until - Date.now(), 1_000) : longestTimer
      timer.current = setTimeout(ask, Math.min(document.hidden ? whileHidden : whileSeen, left))
    })
  }, [end, set, veteranId])

  useEffect(() => {
    const seen = () => {
      if (document.hidden) return
      if (known.current.is === "shared" && Date.now() - known.current.at > stillFresh) setStale(true)
      ask()
    }
    ask()
    document.addEventListener("visibilitychange", seen)
    addEventListener("pageshow", seen)
    addEventListener("online", ask)
    addEventListener("focus", seen)
    return () => {
      document.removeEventListener("visibilitychange", seen)
      removeEventListener("pageshow", seen)
      removeEventListener("online", ask)
      removeEventListener("focus", seen)
      clearTimeout(timer.current)
      stop.current?.()
    }
  }, [ask])

  return { sharing, isStale, ask, end }
}
