import * as PgClient from "@effect/sql-pg/PgClient"
import { Context, Data, Duration, Effect, Layer, Redacted, Schedule, String } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, type SqlError } from "effect/sql"
import pg from "pg"
import { EmbeddedPostgres } from "../postgres/EmbeddedPostgres.ts"
import { Settings } from "../services/platform/Settings.ts"
import { Actors, SyncActors } from "../sql/Actor.ts"
import { OwnConnections, SessionConnections, SharedConnections, SyncConnections } from "../sql/Connections.ts"
import * as DatabaseGuard from "../sql/DatabaseGuard.ts"
import { migrationFolder } from "../sql/MigrationFiles.ts"
import { Migrations } from "../sql/Migrations.ts"
import { offersNoTls, withoutTls } from "../sql/OffersNoTls.ts"
import { SessionLocks } from "../sql/platform/SessionLocks.ts"
import { countedSocket, type PoolName } from "../sql/PoolGauges.ts"
import {
  connectionProblems,
  runtimeVariable,
  sessionLimits,
  sessionVariable,
  settingsRefused,
  standbyProblems
} from "../sql/Sessions.ts"
import { type Connection, connection, forPg, ignoredMode, readCertificate } from "./Connection.ts"
import { DatabaseSockets } from "./DatabaseSockets.ts"

export class DatabaseNotReady extends Data.TaggedError("DatabaseNotReady")<{
  readonly message: string
  /** The error code of the driver or the server. Set only if no connection could be made. */
  readonly code?: string
}> {}

/** The runtime role's connections. Outside production, the database's schema is created first. */
class RuntimeConnection extends Context.Service<RuntimeConnection, {
  readonly runtime: Connection
  /** Leads to PostgreSQL itself, if `runtime` leads to a pooler in transaction mode. */
  readonly session: Connection | undefined
}>()("vrss/layers/Database/RuntimeConnection") {
  static readonly layer = Layer.effect(
    RuntimeConnection,
    Effect.gen(function*() {
      const { database, production } = yield* Settings
      if (database.runtimeUrl === undefined) {
        const context = yield* Layer.build(EmbeddedPostgres.layer(".data/postgres"))
        const { caCertificate, ownerUrl, runtimeUrl } = Context.get(context, EmbeddedPostgres)
        const to = (url: string) => connection(Redacted.make(url), { production: false, caCertificate })
        yield* createSchema(to(ownerUrl), to(runtimeUrl).user).pipe(
          Effect.mapError(({ message }) =>
            new DatabaseNotReady({
              message: `${message}\nTo begin with an empty database, remove .data/postgres and .data/uploads.`
            })
          )
        )
        return { runtime: to(runtimeUrl), session: undefined }
      }
      const file = database.caCertificateFile
      const caCertificate = file === undefined ? undefined : yield* readCertificate(file)
      const runtime = connection(database.runtimeUrl, { production, caCertificate })
      const ignored = ignoredMode(database.runtimeUrl)
      if (production && ignored !== undefined) yield* Effect.logWarning(ignored)
      // In production nothing migrates at boot, and the owner's connection is never opened (specification, 8).
      if (!production) yield* createSchema(connection(database.ownerUrl!, { production, caCertificate }), runtime.user)
      const session = database.sessionUrl && connection(database.sessionUrl, { production, caCertificate })
      return { runtime, session }
    })
  )
}

/** Applies the migrations, which grant rights to the role `vrss_runtime`. Then gives this role to the runtime login. */
const createSchema = Effect.fnUntraced(function*(owner: Connection, runtimeUser: string) {
  const applied = yield* Migrations.use((migrations) => migrations.apply()).pipe(
    // Retries while another process of the service creates the schema and holds the migration lock.
    Effect.retry({
      while: (error) => error._tag === "MigrationsLocked",
      times: 60,
      schedule: Schedule.spaced("500 millis")
    }),
    Effect.provide(Migrations.layer({ connection: forPg(owner), directory: migrationFolder })),
    Effect.mapError(({ message }) => new DatabaseNotReady({ message }))
  )
  if (applied.length > 0) yield* Effect.logInfo(`database schema: applied ${applied.join(", ")}`)
  yield* Effect.tryPromise({
    try: () => grantRuntime(forPg(owner), runtimeUser),
    catch: (cause) =>
      new DatabaseNotReady({ message: `granting vrss_runtime to ${runtimeUser} failed: ${(cause as Error).message}` })
  })
})

const grantRuntime = async (owner: pg.ClientConfig, runtimeUser: string) => {
  const client = new pg.Client(owner)
  await client.connect()
  try {
    const { rows } = await client.query("select pg_has_role($1, 'vrss_runtime', 'usage') as member", [runtimeUser])
    if (!rows[0].member) await client.query(`grant vrss_runtime to ${pg.escapeIdentifier(runtimeUser)}`)
  } finally {
    await client.end()
  }
}

const startupParameters = Object.fromEntries(
  Object.entries(sessionLimits).map(([name, milliseconds]) => [name, `${milliseconds}ms`])
)

interface PoolOptions {
  readonly maxConnections: number
  readonly multiplex: boolean
  /** False behind a pooler in transaction mode: PgBouncer before 1.21 loses prepared statements. */
  readonly prepare?: boolean
  readonly stream?: ReturnType<typeof countedSocket>
}

/** A row may hold one incompressible resource as large as a sync's body, 64 MiB. The driver's default is 16 MiB. */
const maxRowBytes = 80 * 1024 * 1024

/** Makes a pool of sessions with the service's settings. */
export const runtimePool = ({ user, ...at }: Connection, options: PoolOptions) =>
  PgClient.make({
    ...at,
    ...options,
    username: user,
    applicationName: "vrss",
    connectTimeout: Duration.seconds(4),
    startupParameters,
    maxMessageSize: maxRowBytes,
    transformResultNames: String.snakeToCamel,
    transformQueryNames: String.camelToSnake,
    transformJson: false
  })

const pool = Effect.fnUntraced(function*(name: PoolName, options: PoolOptions) {
  const { runtime, session } = yield* RuntimeConnection
  const { open } = yield* DatabaseSockets
  const at = name === "session" ? session ?? runtime : runtime
  return yield* runtimePool(at, {
    ...options,
    prepare: at === session || session === undefined,
    stream: countedSocket(name, () => open(at), options.maxConnections)
  })
})

/** Each transaction gets its own connection; syncs have a separate pool. Single statements share connections. */
const Pools = Layer.mergeAll(
  Layer.effect(OwnConnections, SqlClient.SqlClient).pipe(
    Layer.provideMerge(PgClient.layerFrom(pool("own", { maxConnections: 9, multiplex: false })))
  ),
  Layer.mergeAll(
    Layer.effect(
      SyncConnections,
      // One more connection, for the small sync that may run beside the others (SyncPlaces.ts).
      Effect.flatMap(Settings, ({ syncsAtOnce }) => pool("sync", { maxConnections: syncsAtOnce + 1, multiplex: false }))
    ),
    Layer.effect(SharedConnections, pool("shared", { maxConnections: 4, multiplex: true })),
    // One listens, and one holds the locks. A lost one keeps its place until its last lock is given up.
    Layer.effect(SessionConnections, pool("session", { maxConnections: 3, multiplex: false }))
  ).pipe(Layer.provide(Reactivity.layer))
)

/** Shows only the driver's error code, because the driver's message may quote the connection string. */
export const notConnected = (name: string) => ({ reason }: SqlError.SqlError) => {
  const { code = reason._tag, message } = reason.cause as { readonly code?: string; readonly message?: string }
  if (message?.startsWith("unsupported startup parameter")) {
    return new DatabaseNotReady({ code, message: settingsRefused(name) })
  }
  if (message === "The server does not support TLS") {
    return new DatabaseNotReady({
      code: withoutTls,
      message: `the database of ${name} cannot be used: ${offersNoTls}`
    })
  }
  const why = code.includes("CERT") ? `its certificate is not verified by DATABASE_CA_CERT (${code})` : code
  return new DatabaseNotReady({ code, message: `the database of ${name} cannot be used: ${why}` })
}

const noAnswer = (name: string) =>
  new DatabaseNotReady({
    code: "ETIMEDOUT",
    message: `the database of ${name} takes connections but does not answer: is a pooler's pool_size too small?`
  })

/** Fails if no statement is answered there. `name` is the variable of the connection's URL. */
export const checkReachable = (sql: SqlClient.SqlClient, name: string) =>
  sql`select 1`.pipe(
    Effect.timeout("10 seconds"),
    Effect.catchTags({
      TimeoutError: () => Effect.fail(noAnswer(name)),
      SqlError: (error) => Effect.fail(notConnected(name)(error))
    })
  )

/** Fails the start if an attacker with the runtime role could bypass the database's protection of records. */
const Guard = Layer.effectDiscard(Effect.gen(function*() {
  const { production } = yield* Settings
  const sql = yield* SqlClient.SqlClient
  const sessions = yield* SessionConnections
  const { session } = yield* RuntimeConnection
  if (session !== undefined) yield* checkReachable(sessions, sessionVariable)
  const problems = yield* standbyProblems(sql).pipe(
    Effect.filterOrElse((problems) => problems.length > 0, () => connectionProblems(sql, session && sessions)),
    // If the session's settings are wrong, the other checks are skipped: they need sessions that work.
    Effect.filterOrElse((problems) => problems.length > 0, () => DatabaseGuard.problems(sql, production)),
    Effect.catchTag("SqlError", (error) => Effect.fail(notConnected(runtimeVariable)(error))),
    Effect.timeoutOrElse({ duration: "10 seconds", orElse: () => Effect.fail(noAnswer(runtimeVariable)) })
  )
  if (problems.length > 0) return yield* new DatabaseNotReady({ message: problems.join("\n") })
  for (const trace of yield* Effect.orDie(DatabaseGuard.traces(sql))) yield* Effect.logWarning(`database: ${trace}`)
}))

export const DatabaseLayer = Layer.mergeAll(Actors.layer, SyncActors.layer, SessionLocks.layer, Guard).pipe(
  Layer.provideMerge(Pools),
  // The sockets outlive the pools, so that a silent socket is still destroyed while its pool closes.
  Layer.provide(Layer.mergeAll(RuntimeConnection.layer, DatabaseSockets.layer))
)
