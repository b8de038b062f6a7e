import { Effect, Layer } from "effect"
import { describeDefect } from "../services/platform/Defects.ts"
import { Log } from "../services/platform/Log.ts"
import { Telemetry } from "./Telemetry.ts"

/** Logs Node's warnings and uncaught errors. Node would print them without a date, and with any data they quote. */
const OfNode = Layer.effectDiscard(Effect.gen(function*() {
  const log = yield* Log
  const warned = (warning: Error & { readonly code?: string }) =>
    log.write("warn", { message: "Node warns", ...describeDefect(warning) })
  const uncaught = (error: unknown) => {
    log.write("fatal", { message: "an error that nobody caught ends the process", ...describeDefect(error) })
    log.flush()
    process.exit(1)
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const own = process.rawListeners("warning") as Array<() => void>
      process.removeAllListeners("warning").on("warning", warned).on("uncaughtException", uncaught)
      return own
    }),
    (own) =>
      Effect.sync(() => {
        process.off("warning", warned).off("uncaughtException", uncaught)
        for (const listener of own) process.on("warning", listener)
      })
  )
}))

/** Provides the log, which receives every line once the settings have been read. */
export const Logging = Telemetry.pipe(
  Layer.provideMerge(Layer.mergeAll(Log.logger, OfNode)),
  Layer.provideMerge(Log.layer)
)
