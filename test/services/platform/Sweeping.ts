import { Clock, Duration, Effect, Layer, ManagedRuntime } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import type pg from "pg"
import type { SweptRows } from "../../../src/domain/Retention.ts"
import { Sweeps } from "../../../src/layers/Sweeps.ts"
import { FileStore } from "../../../src/services/document/FileStore.ts"
import { makeSweep } from "../../../src/services/platform/Sweeper.ts"
import { Actors } from "../../../src/sql/Actor.ts"
import { OwnConnections, SessionConnections, SharedConnections } from "../../../src/sql/Connections.ts"
import { SessionLocks } from "../../../src/sql/platform/SessionLocks.ts"
import { atEnd, openOwnApp } from "../../support/App.ts"
import { poolOf } from "../../support/Pool.ts"
import { settingsOf } from "../../support/SettingsOf.ts"
import { until } from "../../support/Until.ts"

/** Opens a service with its database, its sweeps, and helpers that make rows old enough for them. */
export const openSweeping = async () => {
  const app = await openOwnApp()
  const superuser = await app.database.connect("superuser")
  const runtime = await app.database.connect("runtime")
  const { processOf, sweeper } = openSweeps(app)
  return { ...app, superuser, runtime, processOf, sweeper, sweep: sweeper(), ...openAges(superuser) }
}

/**
 * On this clock, a wait of a minute or an hour takes a tenth of a second. Shorter waits are real, such as the time that
 * a connection may take to open.
 */
const hasty: Clock.Clock = Object.create(Clock.Clock.defaultValue(), {
  sleep: {
    value: (duration: Duration.Duration) =>
      Clock.Clock.defaultValue().sleep(
        Duration.isGreaterThanOrEqualTo(duration, Duration.minutes(1)) ? Duration.millis(100) : duration
      )
  }
})

/** Sweeps run here in the test's process, on the database of a service. */
const openSweeps = ({ database, service }: Awaited<ReturnType<typeof openOwnApp>>) => {
  /** Returns the settings and the database connections of a process with this environment. */
  const connections = (environment: Record<string, string>) => {
    const pool = poolOf(database, { maxConnections: 2 })
    return Layer.mergeAll(
      Layer.effect(SqlClient.SqlClient, pool),
      Layer.effect(OwnConnections, pool),
      Layer.effect(SharedConnections, pool),
      SessionLocks.layer.pipe(Layer.provide(Layer.effect(SessionConnections, pool)))
    ).pipe(Layer.provide(Reactivity.layer), Layer.merge(settingsOf(environment)))
  }

  /** Returns the sweeps of a process with these settings. */
  const sweeper = (environment: Record<string, string> = {}) => {
    const runtime = ManagedRuntime.make(Layer.fresh(connections(environment)))
    atEnd(runtime.dispose)
    const sweep = runtime.runPromise(makeSweep)
    return async (...names: ReadonlyArray<SweptRows>) =>
      Object.fromEntries(await runtime.runPromise((await sweep)(names)))
  }

  /** Starts the sweeps of a process on a hasty clock, and waits until `done` returns true. */
  const processOf = async (done: () => Promise<boolean>) => {
    const process = Layer.fresh(Sweeps).pipe(
      Layer.provide([FileStore.layer, Actors.layer]),
      Layer.provide(connections({ UPLOAD_DIR: service.directory }))
    )
    const run = Effect.andThen(Layer.build(process), Effect.promise(() => until("the sweep is done", done)))
    await Effect.runPromise(Effect.scoped(Effect.provideService(run, Clock.Clock, hasty)))
  }

  return { sweeper, processOf }
}

/** Counts rows of tables, and makes them older. */
const openAges = (superuser: pg.Client) => ({
  count: async (table: string, where = "true") =>
    (await superuser.query(`select count(*)::int as n from ${table} where ${where}`)).rows[0].n as number,
  age: (table: string, column: string, interval: string, where = "true") =>
    superuser.query(`update ${table} set ${column} = clock_timestamp() - $1::interval where ${where}`, [interval])
})
