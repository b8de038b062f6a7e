import { Effect } from "effect"

/** Returns how many turns of the event loop other work had while `effect` ran. */
export const turnsDuring = <A, R>(effect: Effect.Effect<A, never, R>) =>
  Effect.gen(function*() {
    let [turns, hasEnded] = [0, false]
    const count = () => {
      if (hasEnded) return
      turns++
      setImmediate(count)
    }
    setImmediate(count)
    const result = yield* effect
    hasEnded = true
    return { result, turns }
  })
