import { type Effect, Semaphore } from "effect"

interface KeyedTurn {
  /** Runs the work once it is the key's turn. */
  readonly inTurn: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  readonly leave: () => void
}

/**
 * Runs the tasks of each key in the order of their arrival, at most `atOnce` of them at a time. A key is forgotten when
 * its last task leaves.
 */
export const makeKeyedTurns = <Key>(atOnce = 1) => {
  const keys = new Map<Key, { readonly turn: Semaphore.Semaphore; works: number }>()
  return {
    /** The number of a key's tasks that run or wait. */
    worksOf: (key: Key): number => keys.get(key)?.works ?? 0,
    enter: (key: Key): KeyedTurn => {
      const own = keys.get(key) ?? { turn: Semaphore.makeUnsafe(atOnce), works: 0 }
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
