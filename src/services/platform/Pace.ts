import { Effect } from "effect"

/** About two milliseconds of opening and copying. */
const bytesPerTurn = 512 * 1024

/** Each thing that is worked on counts as so many bytes at least. */
const leastBytes = 4 * 1024

/** A work has the event loop for so many milliseconds at a time, and for the one step with which they end. */
const maxTurnMs = 2

/**
 * Answers what a long work runs after each of its steps, with the bytes that the step went through: after so many bytes, or so
 * much time, it goes on in a later turn of the event loop, so that the work holds no other request.
 */
export const makePace = () => {
  let left = bytesPerTurn
  let began = performance.now()
  return (bytes: number): Effect.Effect<void> => {
    left -= Math.max(bytes, leastBytes)
    if (left > 0 && performance.now() - began < maxTurnMs) return Effect.void
    return Effect.andThen(
      laterTurn,
      Effect.sync(() => {
        left = bytesPerTurn
        began = performance.now()
      })
    )
  }
}

/** Goes through short steps, and on in a later turn whenever they have had the time of one: whatever the bytes, nobody waits. */
export const inTurns = <A>(steps: Generator<void, A>): Effect.Effect<A> =>
  Effect.suspend(() => {
    const began = performance.now()
    do {
      const step = steps.next()
      if (step.done) return Effect.succeed(step.value)
    } while (performance.now() - began < maxTurnMs)
    return Effect.andThen(laterTurn, inTurns(steps))
  })

/** Goes through all steps at once, where a process of its own has the time. */
export const atOnce = <A>(steps: Generator<void, A>): A => {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

const waiting: Array<() => void> = []

let isScheduled = false

const schedule = () => {
  if (isScheduled || waiting.length === 0) return
  isScheduled = true
  setImmediate(() => {
    isScheduled = false
    const goOn = waiting.shift()
    schedule()
    goOn?.()
  })
}

/** Of all works that wait one goes on in a turn: many at once hold the loop no longer than one. */
export const laterTurn = Effect.callback<void>((resume) => {
  const goOn = () => resume(Effect.void)
  waiting.push(goOn)
  schedule()
  return Effect.sync(() => {
    const at = waiting.indexOf(goOn)
    if (at >= 0) waiting.splice(at, 1)
  })
})
