import { type Duration, Effect, Layer, Schedule } from "effect"
import { NoticeSweep } from "../services/mail/NoticeSweep.ts"
import { Forgetting } from "../services/operation/Forgetting.ts"
import { logTrouble } from "../services/platform/Outage.ts"
import { Sweeper } from "../services/platform/Sweeper.ts"
import { ReleaseRetention } from "../services/release/ReleaseRetention.ts"

/** A sweep that fails is retried at the next interval. */
const every = (what: string, time: Duration.Input, first: Duration.Input, sweep: Effect.Effect<unknown>) =>
  sweep.pipe(
    Effect.catchCause(logTrouble(what)),
    Effect.repeat(Schedule.spaced(time)),
    Effect.delay(first),
    Effect.forkScoped
  )

/** Deletes expired rows and, only from an hour after the start, rows past their retention period. */
export const Sweeps = Layer.effectDiscard(Effect.gen(function*() {
  const { sweep } = yield* Sweeper
  const releases = yield* ReleaseRetention
  const forgetting = yield* Forgetting
  const notices = yield* NoticeSweep
  const expired = sweep(
    "grants",
    "links",
    "codes",
    "view sessions",
    "google sign-ins",
    "app requests",
    "app codes",
    "app tokens",
    "assertions",
    "minutes",
    "provider sessions",
    "password links",
    "rate limits",
    "veterans' networks",
    "spent tokens",
    "pairings",
    "veteran sessions",
    "e-mail changes"
  )
  yield* every("sweep of what has expired", "10 minutes", "1 minute", expired)
  const forget = Effect.gen(function*() {
    const swept = yield* sweep("inactive items", "waitlist", "disclosures")
    const events = swept.get("disclosures") ?? 0
    if (events > 0) yield* Effect.logInfo(`forgot ${events} events of the account of disclosures`)
    const forgotten = yield* releases.sweep
    if (forgotten > 0) yield* Effect.logInfo(`forgot ${forgotten} kept releases`)
  })
  yield* every("sweep of what was kept for its time", "1 hour", "1 hour", forget)
  const forgetVeterans = Effect.flatMap(
    forgetting.run,
    (veterans) => veterans > 0 ? Effect.logInfo(`forgot ${veterans} veterans`) : Effect.void
  )
  yield* every("notices", "1 hour", "2 minutes", notices.tell)
  yield* every("deletion of veterans", "15 seconds", "15 seconds", forgetVeterans)
})).pipe(Layer.provide([Forgetting.layer, NoticeSweep.layer, ReleaseRetention.layer, Sweeper.layer]))
