import { Effect } from "effect"

/** About two milliseconds of opening and copying. */
const bytesPerTurn = 512 * 1024

/** Each thing that is worked on counts as so many bytes at least. */
const leastBytes = 4 * 1024

/**
 * Answers what a long work runs after each of its steps, with the bytes that the step went through: now and then it goes on
 * in a later turn of the event loop, so that the work holds no other request.
 */
export const makePace = () => {
  let left = bytesPerTurn
  return (bytes: number): Effect.Effect<void> => {
    left -= Math.max(bytes, leastBytes)
    if (left > 0) return Effect.void
    left = bytesPerTurn
    return laterTurn
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
