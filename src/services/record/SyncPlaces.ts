import { Clock, Deferred, Effect, Schedule } from "effect"
import { ServiceUnavailable } from "../../domain/Errors.ts"
import type { VeteranId } from "../../domain/Id.ts"

/** The half-life, in milliseconds, of the time that a veteran's syncs have used. */
const halfLife = 60_000

/** Milliseconds after which used time is forgotten: only a thousandth of it would still count. */
const remembered = 10 * halfLife

/** A body with fewer bytes is read in the service itself (SyncReader.ts). */
export const smallBody = 256 * 1024

/** Limit for all large bodies of running syncs, in bytes. Reading a body takes six times its size in memory at most. */
const maxBytes = 80 * 1024 * 1024

/** After this time, a sync leaves its place to another one that waits. It is shorter than a wait (SyncQueue.ts). */
const maxHold = 20_000

const betweenLooks = 1000

interface Sync {
  readonly veteranId: VeteranId
  readonly bytes: number
  /** When the sync began to wait or, once it is admitted, when it was admitted. */
  since: number
  readonly admitted: Deferred.Deferred<void>
  /** Whether it may hold its place for as long as it takes. */
  isSpared: boolean
  isRefused: boolean
}

interface Used {
  readonly millis: number
  readonly at: number
  /** Whether the veteran's last sync had to leave its place. */
  readonly isRefused: boolean
}

const sizeOf = (syncs: ReadonlyArray<Sync>) => syncs.reduce((sum, { bytes }) => sum + bytes, 0)

const largeOf = (syncs: Iterable<Sync>) => [...syncs].filter(({ bytes }) => bytes >= smallBody)

/**
 * The places in which syncs run: `size` places for bodies of at most 80 MiB together, and one more for a small body. So
 * small syncs do not wait for large ones. The next sync is that of the veteran who used places for the shortest time
 * lately. The time that a sync has waited is subtracted from this time, so that every sync gets a place in the end.
 * Times are in milliseconds.
 *
 * While others wait, a sync that has held its place for 20 seconds is refused. Two honest syncs that take longer would
 * refuse each other for ever. So a sync that was refused and comes again within ten minutes is spared. Only one sync is
 * spared at a time, so all other places stay free for others. It ends with its work, or with its transaction's limit.
 */
export const makePlaces = (size: number) => {
  const waiting = new Set<Sync>()
  const running = new Set<Sync>()
  const used = new Map<VeteranId, Used>()

  const usedLately = (veteranId: VeteranId, now: number) => {
    const { at, millis } = used.get(veteranId) ?? { at: now, millis: 0 }
    return millis * 2 ** ((at - now) / halfLife)
  }

  const use = ({ isRefused, since, veteranId }: Sync, now: number) => {
    const millis = usedLately(veteranId, now) + now - since
    used.delete(veteranId)
    used.set(veteranId, { millis, at: now, isRefused })
    // The map is in the order of the last use, so the oldest entries come first.
    for (const [other, { at }] of used) {
      if (now - at < remembered) break
      used.delete(other)
    }
  }

  const wasRefused = (veteranId: VeteranId, now: number) => {
    const last = used.get(veteranId)
    return last !== undefined && last.isRefused && now - last.at < remembered
  }

  const hasRoom = (sync: Sync) => {
    if (running.size > size) return false
    if (sync.bytes < smallBody) return true
    const large = largeOf(running)
    return large.length < size && sizeOf([...large, sync]) <= maxBytes
  }

  /**
   * Large bodies pass the first one that waits only if they leave room for it. Otherwise smaller ones could take turns,
   * and always leave too little room.
   */
  const leavesRoom = (sync: Sync, first: Sync | undefined) =>
    first === undefined || sync === first || sync.bytes < smallBody ||
    sizeOf([...largeOf(running).filter(({ since }) => since > first.since), sync, first]) <= maxBytes

  const admit = (now: number) => {
    for (;;) {
      const rank = ({ since, veteranId }: Sync) => usedLately(veteranId, now) - (now - since)
      const inOrder = [...waiting].sort((one, other) => rank(one) - rank(other))
      const [first] = largeOf(inOrder)
      const next = inOrder.find((sync) => hasRoom(sync) && leavesRoom(sync, first))
      if (next === undefined) return
      waiting.delete(next)
      next.since = now
      next.isSpared = wasRefused(next.veteranId, now) && ![...running].some(({ isSpared }) => isSpared)
      running.add(next)
      Deferred.doneUnsafe(next.admitted, Effect.void)
    }
  }

  /** Whether the sync must leave its place now. The set is in the order of admission, and one leaves at a time. */
  const isOver = (sync: Sync, now: number) => {
    const longest = running.values().find(({ isSpared }) => !isSpared)
    sync.isRefused ||= waiting.size > 0 && longest === sync && now - sync.since >= maxHold
    return sync.isRefused
  }

  /** Fails once the sync must leave its place. */
  const refusal = (sync: Sync) =>
    Effect.map(Clock.currentTimeMillis, (now) => isOver(sync, now)).pipe(
      Effect.repeat({ until: (over) => over, schedule: Schedule.spaced(betweenLooks) }),
      Effect.delay(maxHold),
      Effect.andThen(Effect.fail(new ServiceUnavailable(ServiceUnavailable.crowded)))
    )

  /** From here on the sync is not refused any more. One that is being refused gets no further. */
  const finish = (sync: Sync) =>
    Effect.suspend(() => {
      if (sync.isRefused) return Effect.never
      sync.isSpared = true
      return Effect.void
    })

  const leave = (sync: Sync) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      waiting.delete(sync)
      if (running.delete(sync)) use(sync, now)
      admit(now)
    })

  return {
    running: () => running.size,
    /** The work runs `finish` when it is about to keep its result, after which it is not refused. */
    inPlace:
      (veteranId: VeteranId, bytes: number) =>
      <A, E, R>(work: (finish: Effect.Effect<void>) => Effect.Effect<A, E, R>) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => {
            const admitted = Deferred.makeUnsafe<void>()
            const sync: Sync = { veteranId, bytes, since: now, admitted, isSpared: false, isRefused: false }
            waiting.add(sync)
            admit(now)
            const begun = Effect.andThen(
              Deferred.await(admitted),
              Effect.raceFirst(Effect.suspend(() => work(finish(sync))), refusal(sync))
            )
            return Effect.ensuring(restore(begun), leave(sync))
          })
        )
  }
}
