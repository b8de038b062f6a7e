import { Clock, Deferred, Effect } from "effect"
import type { VeteranId } from "../../domain/Id.ts"

/** The half-life, in milliseconds, of the time that a veteran's syncs have used. */
const halfLife = 60_000

/** Milliseconds after which used time is forgotten: only a thousandth of it would still count. */
const remembered = 10 * halfLife

/** A body with fewer bytes is read in the service itself (SyncReader.ts). */
export const smallBody = 256 * 1024

/** Limit for all large bodies of running syncs, in bytes. Reading a body takes six times its size in memory at most. */
const maxBytes = 80 * 1024 * 1024

interface Sync {
  readonly veteranId: VeteranId
  readonly bytes: number
  /** When the sync began to wait or, once it is admitted, when it was admitted. */
  since: number
  readonly admitted: Deferred.Deferred<void>
}

/**
 * The places in which syncs run: `size` places for bodies of at most 80 MiB together, and one more for a small body. So
 * small syncs do not wait for large ones. The next sync is that of the veteran who used places for the shortest time
 * lately. The time that a sync has waited is subtracted from this time, so that every sync gets a place in the end.
 * Times are in milliseconds.
 */
export const makePlaces = (size: number) => {
  const waiting = new Set<Sync>()
  const running = new Set<Sync>()
  const used = new Map<VeteranId, { readonly millis: number; readonly at: number }>()

  const usedLately = (veteranId: VeteranId, now: number) => {
    const { at, millis } = used.get(veteranId) ?? { at: now, millis: 0 }
    return millis * 2 ** ((at - now) / halfLife)
  }

  const use = (veteranId: VeteranId, millis: number, now: number) => {
    const sum = usedLately(veteranId, now) + millis
    used.delete(veteranId)
    used.set(veteranId, { millis: sum, at: now })
    // The map is in the order of the last use, so the oldest entries come first.
    for (const [other, { at }] of used) {
      if (now - at < remembered) break
      used.delete(other)
    }
  }

  const hasRoom = ({ bytes }: Sync) => {
    if (running.size > size) return false
    if (bytes < smallBody) return true
    const large = [...running].filter((other) => other.bytes >= smallBody)
    return large.length < size && large.reduce((sum, { bytes }) => sum + bytes, bytes) <= maxBytes
  }

  const admit = (now: number) => {
    for (;;) {
      const rank = ({ since, veteranId }: Sync) => usedLately(veteranId, now) - (now - since)
      const [next] = [...waiting].filter(hasRoom).sort((one, other) => rank(one) - rank(other))
      if (next === undefined) return
      waiting.delete(next)
      next.since = now
      running.add(next)
      Deferred.doneUnsafe(next.admitted, Effect.void)
    }
  }

  const leave = (sync: Sync) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      waiting.delete(sync)
      if (running.delete(sync)) use(sync.veteranId, now - sync.since, now)
      admit(now)
    })

  return {
    running: () => running.size,
    inPlace: (veteranId: VeteranId, bytes: number) => <A, E, R>(work: Effect.Effect<A, E, R>) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const sync: Sync = { veteranId, bytes, since: now, admitted: Deferred.makeUnsafe() }
          waiting.add(sync)
          admit(now)
          return Effect.ensuring(restore(Effect.andThen(Deferred.await(sync.admitted), work)), leave(sync))
        })
      )
  }
}
