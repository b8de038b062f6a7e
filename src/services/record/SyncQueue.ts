import { Context, Effect, Layer } from "effect"
import { ServiceUnavailable } from "../../domain/Errors.ts"
import type { VeteranId } from "../../domain/Id.ts"
import { RateLimited } from "../../domain/RateLimit.ts"
import { sampleGauge } from "../platform/Gauges.ts"
import { makeKeyedTurns } from "../platform/KeyedTurns.ts"
import { countLimited } from "../platform/RateLimits.ts"
import { Settings } from "../platform/Settings.ts"
import { makePlaces } from "./SyncPlaces.ts"

/** One sync that runs and one that waits. */
const maxPerVeteran = 2

/** The running sync has probably ended after this many seconds. */
const retryAfterSeconds = 5

const maxWait = "30 seconds"

/**
 * Queues syncs within this process. A sync waits first for its veteran's turn, before its body is read. Then it waits
 * for one of the few places, before it takes a connection. Between processes, a row lock in PostgreSQL keeps the syncs
 * of one veteran in turn.
 */
export class SyncQueue extends Context.Service<SyncQueue, {
  /** Runs one sync of a veteran at a time. A second one waits, a third is refused immediately (contract, part 2). */
  readonly inTurn: (
    veteranId: VeteranId
  ) => <A, E, R>(sync: Effect.Effect<A, E, R>) => Effect.Effect<A, E | RateLimited | ServiceUnavailable, R>
  /**
   * Runs at most SYNCS_AT_ONCE syncs at a time, and one small sync beside them. `bytes` is the size of the body. While
   * others wait, a sync is ended after 20 seconds, unless it has run `finish`, the last step before it commits.
   */
  readonly inPlace: (
    veteranId: VeteranId,
    bytes: number
  ) => <A, E, R>(
    sync: (finish: Effect.Effect<void>) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | ServiceUnavailable, R>
}>()("vrss/services/record/SyncQueue") {
  static readonly layer = Layer.effect(
    SyncQueue,
    Effect.gen(function*() {
      const { syncsAtOnce } = yield* Settings
      const places = makePlaces(syncsAtOnce)
      const turns = makeKeyedTurns<VeteranId>()
      let syncs = 0
      yield* sampleGauge(
        "sync_places",
        "Syncs that may run at once (SYNCS_AT_ONCE, and a small one beside them)",
        () => syncsAtOnce + 1
      )
      yield* sampleGauge("syncs_running", "Syncs that have a place", places.running)
      yield* sampleGauge(
        "syncs_waiting",
        "Syncs that wait for their veteran's turn, their body or a place",
        () => syncs - places.running()
      )
      return SyncQueue.of({
        inTurn: (veteranId) => <A, E, R>(sync: Effect.Effect<A, E, R>) =>
          Effect.suspend((): Effect.Effect<A, E | RateLimited | ServiceUnavailable, R> => {
            if (turns.worksOf(veteranId) === maxPerVeteran) {
              countLimited("two syncs of a veteran at once")
              return Effect.fail(new RateLimited({ retryAfterSeconds }))
            }
            const { inTurn, leave } = turns.enter(veteranId)
            syncs++
            const leaves = Effect.sync(() => {
              syncs--
              leave()
            })
            return Effect.ensuring(waitFor((begin) => inTurn(Effect.andThen(begin, sync))), leaves)
          }),
        inPlace: (veteranId, bytes) => (sync) =>
          waitFor((begin) => places.inPlace(veteranId, bytes)((finish) => Effect.andThen(begin, sync(finish))))
      })
    })
  )
}

/** The work runs `begin` when its turn comes. If it has not done so within the longest wait, it is refused. */
const waitFor = <A, E, R>(work: (begin: Effect.Effect<void>) => Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    let begun = false
    const begin = Effect.sync(() => {
      begun = true
    })
    const expire = Effect.flatMap(
      Effect.sleep(maxWait),
      () => begun ? Effect.never : Effect.fail(new ServiceUnavailable(ServiceUnavailable.crowded))
    )
    return Effect.raceFirst(work(begin), expire)
  })
