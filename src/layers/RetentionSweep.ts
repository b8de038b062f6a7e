import { Effect, Layer, Schedule } from "effect"
import { ReleaseRetention } from "../services/release/ReleaseRetention.ts"

/** Forgets every hour the kept releases whose time has passed; like the sweep of files not in the first hour of a process. */
export const RetentionSweep = Layer.effectDiscard(Effect.gen(function*() {
  const { sweep } = yield* ReleaseRetention
  yield* sweep.pipe(
    Effect.tap((forgotten) => forgotten > 0 ? Effect.logInfo(`forgot ${forgotten} kept releases`) : Effect.void),
    Effect.catchCause((cause) => Effect.logWarning("kept releases could not be forgotten", cause)),
    Effect.repeat(Schedule.spaced("1 hour")),
    Effect.delay("1 hour"),
    Effect.forkScoped
  )
})).pipe(Layer.provide(ReleaseRetention.layer))
