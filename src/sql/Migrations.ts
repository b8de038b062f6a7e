import { Context, Duration, Effect, Layer, Schedule } from "effect"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"
import {
  explain,
  isLockConflict,
  maxTries,
  MigrationChanged,
  MigrationDatabaseUnreachable,
  type MigrationError,
  MigrationsDiffer,
  MigrationsLocked,
  MigrationsPooled,
  reason
} from "./MigrationErrors.ts"
import { appliedTable, type MigrationFile, readMigrations } from "./MigrationFiles.ts"
import { isShared } from "./Sessions.ts"

/**
 * Compares the numbered .sql files of a folder with `public.schema_migrations`. A file without a row there is pending,
 * even if a file with a higher number was applied. `apply` holds a session's lock. So it refuses a pooler in
 * transaction mode, which shares sessions.
 */
export class Migrations extends Context.Service<Migrations, {
  /** Writes nothing. */
  readonly pending: Effect.Effect<ReadonlyArray<string>, MigrationError>
  /** Returns the names applied, in order. Fails and applies nothing if `expect` differs from the pending names. */
  readonly apply: (options?: {
    readonly expect?: ReadonlyArray<string> | undefined
    readonly onApplied?: ((name: string, milliseconds: number) => Effect.Effect<void>) | undefined
  }) => Effect.Effect<ReadonlyArray<string>, MigrationError>
}>()("vrss/sql/Migrations") {
  static readonly layer = (options: { readonly connection: pg.ClientConfig; readonly directory: string }) =>
    Layer.succeed(Migrations, make(options.connection, options.directory))
}

/** Compares the two lists as sets and ignores blank entries, such as an empty `--expect`. */
export const requireExpected = (expect: ReadonlyArray<string>, pending: ReadonlyArray<string>) => {
  const expected = new Set(expect.map((name) => name.trim()).filter((name) => name !== ""))
  const missing = [...expected.difference(new Set(pending))].sort()
  const extra = pending.filter((name) => !expected.has(name))
  return missing.length > 0 || extra.length > 0 ? Effect.fail(new MigrationsDiffer({ missing, extra })) : Effect.void
}

/** Key of the advisory lock that `apply` holds: "vrss" in ASCII. */
export const lockKey = 0x76727373

const make = (connection: pg.ClientConfig, directory: string) => {
  const pending = Effect.gen(function*() {
    const files = yield* readMigrations(directory)
    const client = yield* connect(connection)
    yield* query(client, "begin transaction read only")
    const applied = yield* readApplied(client)
    return files.map((file) => file.name).filter((name) => !applied.has(name))
  }).pipe(Effect.scoped, Effect.withSpan("Migrations.pending"))

  const apply: Migrations["Service"]["apply"] = Effect.fn("Migrations.apply")(
    function*({ expect, onApplied } = {}) {
      const files = yield* readMigrations(directory)
      const client = yield* connect(connection)
      yield* requireSession(client, connection)
      const { rows: [lock] } = yield* query(client, "select pg_try_advisory_lock($1) as held", [lockKey])
      if (lock?.["held"] !== true) return yield* new MigrationsLocked()

      const applied = yield* readApplied(client)
      const changed = files.filter(({ name, sha256 }) => applied.has(name) && applied.get(name) !== sha256)
      if (changed.length > 0) return yield* new MigrationChanged({ files: changed.map((file) => file.name) })
      const todo = files.filter((file) => !applied.has(file.name))
      const names = todo.map((file) => file.name)
      if (expect !== undefined) yield* requireExpected(expect, names)

      if (todo.length > 0) yield* query(client, createTable)
      for (const file of todo) {
        const [duration] = yield* applyFile(client, file).pipe(
          Effect.timed,
          Effect.retry({ while: isLockConflict, times: maxTries - 1, schedule: Schedule.spaced("1 second") })
        )
        if (onApplied !== undefined) yield* onApplied(file.name, Duration.toMillis(duration))
      }
      return names
    },
    Effect.scoped
  )

  return Migrations.of({ pending, apply })
}

/** Refuses a pooler in transaction mode. It would give the session, and so the lock, to another client. */
const requireSession = (client: pg.Client, connection: pg.ClientConfig) =>
  Effect.scoped(Effect.flatMap(connect(connection), (other) => isShared(processOf(client), processOf(other)))).pipe(
    Effect.flatMap((shared) => shared ? new MigrationsPooled() : Effect.void)
  )

const processOf = (client: pg.Client) =>
  Effect.map(query(client, "select pg_backend_pid() as pid"), ({ rows: [row] }) => row!["pid"])

const connect = (connection: pg.ClientConfig) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        const client = new pg.Client({ connectionTimeoutMillis: 10_000, ...connection })
        // A lost connection fails the running query. Without a listener the event would also end the process.
        client.on("error", () => {})
        await client.connect().catch((error) => close(client).then(() => Promise.reject(error)))
        return client
      },
      catch: (cause) => new MigrationDatabaseUnreachable({ message: `No database connection: ${reason(cause)}.` })
    }),
    (client) => Effect.promise(() => close(client))
  )

/** If a statement is still running (after an interrupt), this cuts the connection and the server rolls back. */
const close = (client: pg.Client) => Promise.race([client.end(), sleep(2000, undefined, { ref: false })])

const query = (client: pg.Client, text: string, values?: ReadonlyArray<unknown>, file?: MigrationFile) =>
  Effect.tryPromise({
    try: () => client.query<Record<string, unknown>>(text, values as Array<unknown>),
    catch: (cause) =>
      cause instanceof pg.DatabaseError ? explain(cause, file) : new MigrationDatabaseUnreachable({
        message: `The connection was lost at ${file?.name ?? appliedTable} (${
          reason(cause)
        }); list what is pending now.`
      })
  })

const createTable = `
  create table if not exists ${appliedTable} (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`

const readApplied = Effect.fnUntraced(function*(client: pg.Client) {
  const { rows: [found] } = yield* query(client, "select to_regclass($1) is not null as table", [appliedTable])
  const { rows } = found?.["table"] === true
    ? yield* query(client, `select name, sha256 from ${appliedTable}`)
    : { rows: [] }
  return new Map(rows.map(({ name, sha256 }) => [String(name), String(sha256)]))
})

/** Applies the settings to the transaction, except those that an older server does not know. */
const setSettings = "select set_config(name, $1::jsonb ->> name, true) from pg_settings where $1::jsonb ? name"

const settings = JSON.stringify({
  lock_timeout: "1s",
  // With `off` a statement fails if a FORCEd policy would filter its rows. It would otherwise silently touch no rows.
  row_security: "off",
  statement_timeout: "0",
  transaction_timeout: "0",
  idle_in_transaction_session_timeout: "60s",
  // A killed run then frees its locks within a second, not only when its statement ends.
  client_connection_check_interval: "1s"
})

const applyFile = Effect.fnUntraced(
  function*(client: pg.Client, file: MigrationFile) {
    // Removes what the previous file may have SET.
    yield* query(client, "reset session authorization; reset role; reset all")
    yield* query(client, "begin isolation level read committed")
    yield* query(client, setSettings, [settings])
    yield* query(client, inOneTransaction(file), undefined, file)
    yield* query(client, "reset session authorization; reset role", undefined, file)
    yield* query(client, `insert into ${appliedTable} (name, sha256) values ($1, $2)`, [file.name, file.sha256], file)
    // Deferred constraints are checked here.
    yield* query(client, "commit", undefined, file)
  },
  (effect, client) => Effect.tapError(effect, () => Effect.ignore(query(client, "rollback")))
)

/** Runs the file by EXECUTE, which refuses COMMIT. A COMMIT would apply part of the file without recording it. */
const inOneTransaction = ({ sha256, text }: MigrationFile) => {
  const [block, body] = [`$block_${sha256}$`, `$body_${sha256}$`]
  return `do ${block} begin execute ${body}${text}\n${body}; end ${block}`
}
