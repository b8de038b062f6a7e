import { Cause, Context, Effect, Layer } from "effect"
import * as Fs from "node:fs/promises"
import { DatabaseTime, DatabaseUnavailable, longestAnswer, SharedConnections } from "../../sql/Connections.ts"
import { Settings } from "./Settings.ts"

/** Says whether everything that answering takes is in reach now. */
export class Dependencies extends Context.Service<Dependencies, {
  readonly check: Effect.Effect<{
    readonly status: "ok" | "unavailable"
    readonly dependencies: Record<string, "ok" | "unavailable">
  }>
}>()("vrss/Dependencies") {
  static readonly layer = Layer.effect(
    Dependencies,
    Effect.gen(function*() {
      const sql = yield* SharedConnections
      const { uploadDirectory } = yield* Settings
      const probes = {
        database: sql`select 1`,
        uploads: Effect.tryPromise(() => Fs.access(uploadDirectory, Fs.constants.W_OK))
      }
      return Dependencies.of({
        check: Effect.gen(function*() {
          const dependencies = yield* Effect.all(
            Object.fromEntries(Object.entries(probes).map(([name, probe]) => [name, stateOf(probe)])),
            { concurrency: "unbounded" }
          )
          const status = Object.values(dependencies).every((state) => state === "ok") ? "ok" : "unavailable"
          return { status, dependencies }
        })
      })
    })
  )
}

/** True when something that answering takes is out of reach, which may be back in a moment. */
export const isOutage = (cause: Cause.Cause<unknown>) => Cause.squash(cause) instanceof DatabaseUnavailable

/**
 * Gives the request that begins its time for the database, which all its statements share. It is set in the request's own
 * context: an effect around the routes would hide from whoever answers which route was matched.
 */
export const beginDatabaseTime = Effect.withFiber((fiber) => {
  fiber.setContext(Context.add(fiber.context, DatabaseTime, { left: longestAnswer }))
  return Effect.void
})

const stateOf = (probe: Effect.Effect<unknown, unknown>) =>
  probe.pipe(
    Effect.timeout("2 seconds"),
    Effect.match({ onFailure: () => "unavailable" as const, onSuccess: () => "ok" as const })
  )
