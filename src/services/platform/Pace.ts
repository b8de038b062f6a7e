import { Effect } from "effect"

/** Opening and copying this many bytes takes about two milliseconds. */
const bytesPerTurn = 512 * 1024

/** A step counts as at least this many bytes, so a turn has at most 128 steps. */
const leastBytes = 4 * 1024

/** After this many milliseconds, a task gives up the event loop as soon as its current step ends. */
const maxTurnMs = 2

/**
 * Returns a function that a long task calls after each step with the step's bytes. When a turn's bytes or time are used
 * up, the task resumes in a later turn of the event loop. So it delays no other request.
 */
export const makePace = () => {
  let remaining = bytesPerTurn
  let began = performance.now()
  return (bytes: number): Effect.Effect<void> => {
    remaining -= Math.max(bytes, leastBytes)
    if (remaining > 0 && performance.now() - began < maxTurnMs) return Effect.void
    return Effect.andThen(
      laterTurn,
      Effect.sync(() => {
        remaining = bytesPerTurn
        began = performance.now()
      })
    )
  }
}

/** Runs short steps until a turn's time is used up, then resumes in a later turn of the event loop. */
export const inTurns = <A>(steps: Generator<void, A>): Effect.Effect<A> =>
  Effect.suspend(() => {
    const began = performance.now()
    do {
      const step = steps.next()
      if (step.done) return Effect.succeed(step.value)
    } while (performance.now() - began < maxTurnMs)
    return Effect.andThen(laterTurn, inTurns(steps))
  })

/** Runs all steps without a pause. Only for worker processes: it would block the service's event loop. */
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

/** Waits for a later turn of the event loop. A turn resumes only one waiting task: all at once would block it. */
export const laterTurn = Effect.callback<void>((resume) => {
  const goOn = () => resume(Effect.void)
  waiting.push(goOn)
  schedule()
  return Effect.sync(() => {
    const at = waiting.indexOf(goOn)
    if (at >= 0) waiting.splice(at, 1)
  })
})
