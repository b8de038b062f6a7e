import { type Effect, Semaphore } from "effect"

interface KeyedTurn {
  /** Waits until all earlier work of the key has ended. */
  readonly inTurn: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  readonly leave: () => void
}

/** Runs the works of one key one after the other. A key is forgotten when its last work leaves. */
export const makeKeyedTurns = <Key>() => {
  const keys = new Map<Key, { readonly turn: Semaphore.Semaphore; works: number }>()
  return {
    /** How many works of a key run or wait. */
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
