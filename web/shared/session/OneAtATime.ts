import { Effect, Fiber } from "effect"

/** Runs an effect at most once at a time. All callers share one run, which continues even if they stop waiting. */
export const oneAtATime = <A, E>(effect: Effect.Effect<A, E>) => {
  let running: Fiber.Fiber<A, E> | undefined
  const shared = Effect.suspend(() => {
    running ??= Effect.runFork(Effect.ensuring(
      effect,
      Effect.sync(() => {
        running = undefined
      })
    ))
    return Fiber.join(running)
  })
  return { shared, isRunning: () => running !== undefined }
}
