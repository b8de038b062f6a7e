import { Effect, Exit, Layer, Logger, Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { TestClock } from "effect/testing"
import { UploadDirectory } from "../../src/layers/UploadDirectory.ts"
import { FileStore } from "../../src/services/document/FileStore.ts"
import { fileSweep } from "../../src/services/document/FileSweep.ts"
import { UploadBucket } from "../../src/services/document/UploadBucket.ts"
import { startJob } from "../../src/services/platform/Jobs.ts"
import { SessionConnections, SharedConnections } from "../../src/sql/Connections.ts"
import { SessionLocks } from "../../src/sql/platform/SessionLocks.ts"
import type { TestDatabase } from "./Database.ts"
import { poolOf } from "./Pool.ts"
import { settingsOf } from "./SettingsOf.ts"
import { until } from "./Until.ts"

type Environment = Record<string, string>

/** Provides what the layers that maintain UPLOAD_DIR need in the test's process, where a test clock can skip hours. */
const within = (database: Pick<TestDatabase, "name">, environment: Environment) => {
  const pool = poolOf(database)
  const statements = Layer.effect(SharedConnections, pool).pipe(
    Layer.merge(SessionLocks.layer.pipe(Layer.provide(Layer.effect(SessionConnections, pool)))),
    Layer.provide(Reactivity.layer)
  )
  return Layer.mergeAll(statements, FileStore.layer, UploadBucket.layer).pipe(
    Layer.provideMerge(settingsOf(environment)),
    Layer.fresh
  )
}

/** Starts a process on its files, as far as it keeps them from others. Returns its refusal, and what ends it. */
export const holdFiles = async (database: Pick<TestDatabase, "name">, environment: Environment) => {
  const scope = Scope.makeUnsafe()
  const refusal = await Effect.runPromise(
    Layer.buildWithScope(Layer.fresh(UploadDirectory).pipe(Layer.provide(within(database, environment))), scope).pipe(
      Effect.match({ onFailure: ({ message }) => message, onSuccess: () => undefined })
    )
  )
  return { refusal, end: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

/** Returns the message of a start that refuses the folder, or undefined. */
export const startOn = async (...start: Parameters<typeof holdFiles>) => {
  const { end, refusal } = await holdFiles(...start)
  await end()
  return refusal
}

/** Runs a process for `minutes` of the test clock. Returns its log lines once `done` is true. */
export const sweepAfter = (
  minutes: number,
  database: Pick<TestDatabase, "name">,
  environment: Environment,
  what: string,
  done: () => Promise<boolean>
) => {
  const lines: Array<string> = []
  const run = Effect.gen(function*() {
    yield* TestClock.setTime(Date.now())
    yield* startJob(yield* fileSweep)
    yield* TestClock.adjust(`${minutes} minutes`)
    yield* Effect.promise(() => until(what, done))
    return lines
  })
  return Effect.runPromise(run.pipe(
    Effect.provide([
      within(database, environment),
      TestClock.layer(),
      Logger.layer([Logger.make(({ message }) => lines.push(`${message}`))])
    ]),
    Effect.scoped
  ))
}
