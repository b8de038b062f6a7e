import { type Effect, Semaphore } from "effect"

interface KeyedTurn {
  /** Runs the work once all earlier work of the same key has ended. */
  readonly inTurn: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  readonly leave: () => void
}

/** Runs tasks of the same key one after another. A key is forgotten when its last task leaves. */
export const makeKeyedTurns = <Key>() => {
  const keys = new Map<Key, { readonly turn: Semaphore.Semaphore; works: number }>()
  return {
    /** The number of a key's tasks that run or wait. */
    worksOf: (key: Key): number => keys.get(key)?.works ?? 0,
    enter: (key: Key): KeyedTurn => {
      const own = keys.get(key) ?? { turn: Semaphore.makeUnsafe(1), works: 0 }
      own.works++
      keys.set(key, own)
      return {
        inTurn: own.turn.withPermit,
        leave: () => {
          if (--own.works === 0) keys.delete(key)
        }
      }
    }
  }
}
