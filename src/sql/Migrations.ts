import { Context, Data, Duration, Effect, Layer, Schedule } from "effect"
import { isUtf8 } from "node:buffer"
import { hash } from "node:crypto"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import pg from "pg"

export class MigrationsLocked extends Data.TaggedError("MigrationsLocked") {
  override readonly message = "Another run holds the migration lock of this database; nothing was applied."
}

export class MigrationsDiffer extends Data.TaggedError("MigrationsDiffer")<{
  /** Expected but not pending, and the reverse. */
  readonly missing: ReadonlyArray<string>
  readonly extra: ReadonlyArray<string>
}> {
  override get message() {
    const missing = this.missing.length > 0 ? ` Expected but not pending: ${this.missing.join(", ")}.` : ""
    const extra = this.extra.length > 0 ? ` Pending but not expected: ${this.extra.join(", ")}.` : ""
    return `The pending set differs from the expected one; nothing was applied.${missing}${extra}`
  }
}

export class MigrationChanged extends Data.TaggedError("MigrationChanged")<{ readonly files: ReadonlyArray<string> }> {
  override get message() {
    return `Changed since applied (the recorded sha256 differs): ${this.files.join(", ")}; nothing was applied.`
  }
}

export class MigrationFilesInvalid extends Data.TaggedError("MigrationFilesInvalid")<{ readonly message: string }> {}

/** `message` holds PostgreSQL's own sentence, never its detail or context: those quote rows. */
export class MigrationFailed extends Data.TaggedError("MigrationFailed")<{
  readonly message: string
  readonly file: string
  readonly sqlState: string
}> {}

export class MigrationDatabaseUnreachable extends Data.TaggedError("MigrationDatabaseUnreachable")<{
  readonly message: string
}> {}

export type MigrationError =
  | MigrationsLocked
  | MigrationsDiffer
  | MigrationChanged
  | MigrationFilesInvalid
  | MigrationFailed
  | MigrationDatabaseUnreachable

/**
 * The numbered .sql files of a folder against `public.schema_migrations`. Pending is a difference by name, not "above
 * the highest applied": 051 may be applied before 049 is written. The connection must be a session, not a
 * transaction pool's.
 */
export class Migrations extends Context.Service<Migrations, {
  /** Writes nothing at all. */
  readonly pending: Effect.Effect<ReadonlyArray<string>, MigrationError>
  /** The names applied, in order. With `expect`, nothing is applied unless that is exactly the pending set. */
  readonly apply: (options?: {
    readonly expect?: ReadonlyArray<string> | undefined
    readonly onApplied?: ((name: string, milliseconds: number) => Effect.Effect<void>) | undefined
  }) => Effect.Effect<ReadonlyArray<string>, MigrationError>
}>()("vrss/Migrations") {
  static readonly layer = (options: { readonly connection: pg.ClientConfig; readonly directory: string }) =>
    Layer.succeed(Migrations, make(options.connection, options.directory))
}

/** Compared as sets; blank entries (an empty `--expect`) count for nothing. */
export const requireExpected = (expect: ReadonlyArray<string>, pending: ReadonlyArray<string>) => {
  const expected = new Set(expect.map((name) => name.trim()).filter((name) => name !== ""))
  const missing = [...expected.difference(new Set(pending))].sort()
  const extra = pending.filter((name) => !expected.has(name))
  return missing.length > 0 || extra.length > 0 ? Effect.fail(new MigrationsDiffer({ missing, extra })) : Effect.void
}

/** "vrss" in ASCII. */
export const lockKey = 0x76727373

const tries = 5

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
          Effect.retry({ while: isLockConflict, times: tries - 1, schedule: Schedule.spaced("1 second") })
        )
        if (onApplied !== undefined) yield* onApplied(file.name, Duration.toMillis(duration))
      }
      return names
    },
    Effect.scoped
  )

  return Migrations.of({ pending, apply })
}

type MigrationFile = { readonly name: string; readonly sha256: string; readonly text: string }

/** The sha256 is over the raw bytes: a file's line ends are part of it (.gitattributes pins LF). */
const readMigrations = Effect.fnUntraced(function*(directory: string) {
  const invalid = (what: string) => new MigrationFilesInvalid({ message: `The migration folder ${directory} ${what}.` })
  const reading = <A>(what: string, run: () => Promise<A>) =>
    Effect.tryPromise({ try: run, catch: (cause) => invalid(`has no readable ${what} (${errorCode(cause)})`) })

  const entries = yield* reading("list of files", () => Fs.readdir(directory))
  const names = entries.filter((name) => !name.startsWith("."))
  const odd = names.filter((name) => !/^\d{3,}_[a-z0-9_]+\.sql$/.test(name))
  if (odd.length > 0) return yield* invalid(`holds what is not named NNN_name.sql: ${odd.sort().join(", ")}`)
  // An image built without its migrations must not answer "none pending".
  if (names.length === 0) return yield* invalid("holds no migration")

  const files: Array<MigrationFile> = []
  for (const name of names.sort((a, b) => Number.parseInt(a) - Number.parseInt(b) || (a < b ? -1 : 1))) {
    const bytes = yield* reading(name, () => Fs.readFile(join(directory, name)))
    // On the wire a query ends at its first NUL.
    if (!isUtf8(bytes) || bytes.includes(0)) return yield* invalid(`holds ${name}, which is not UTF-8 text`)
    files.push({ name, sha256: hash("sha256", bytes), text: new TextDecoder().decode(bytes) })
  }
  return files
})

const connect = (connection: pg.ClientConfig) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: async () => {
        const client = new pg.Client({ connectionTimeoutMillis: 10_000, ...connection })
        // A lost connection fails the query under way; unheard, the event would end the process as well.
        client.on("error", () => {})
        await client.connect().catch((error) => close(client).then(() => Promise.reject(error)))
        return client
      },
      catch: (cause) => new MigrationDatabaseUnreachable({ message: `No database connection: ${reason(cause)}.` })
    }),
    (client) => Effect.promise(() => close(client))
  )

/** With a statement still running (an interrupt) this cuts the connection, and the server rolls back. */
const close = (client: pg.Client) => Promise.race([client.end(), sleep(2000, undefined, { ref: false })])

const query = (client: pg.Client, text: string, values?: ReadonlyArray<unknown>, file?: MigrationFile) =>
  Effect.tryPromise({
    try: () => client.query<Record<string, unknown>>(text, values as Array<unknown>),
    catch: (cause) =>
      cause instanceof pg.DatabaseError ? explain(cause, file) : new MigrationDatabaseUnreachable({
        message: `The connection was lost at ${file?.name ?? table} (${reason(cause)}); list what is pending now.`
      })
  })

const table = "public.schema_migrations"

const createTable = `
  create table if not exists ${table} (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now())`

const readApplied = Effect.fnUntraced(function*(client: pg.Client) {
  const { rows: [found] } = yield* query(client, "select to_regclass($1) is not null as table", [table])
  const { rows } = found?.["table"] === true ? yield* query(client, `select name, sha256 from ${table}`) : { rows: [] }
  return new Map(rows.map(({ name, sha256 }) => [String(name), String(sha256)]))
})

/** For the transaction; an older server may not know all of them. */
const setSettings = "select set_config(name, $1::jsonb ->> name, true) from pg_settings where $1::jsonb ? name"

const settings = JSON.stringify({
  lock_timeout: "1s",
  // An owner's statement that a FORCEd policy would filter fails, where it otherwise would touch 0 rows in silence.
  row_security: "off",
  statement_timeout: "0",
  transaction_timeout: "0",
  idle_in_transaction_session_timeout: "60s",
  // A killed run frees its locks within the second, not when its statement ends.
  client_connection_check_interval: "1s"
})

const applyFile = Effect.fnUntraced(
  function*(client: pg.Client, file: MigrationFile) {
    // What the file before may have SET does not reach this one.
    yield* query(client, "reset session authorization; reset role; reset all")
    yield* query(client, "begin isolation level read committed")
    yield* query(client, setSettings, [settings])
    yield* query(client, inOneTransaction(file), undefined, file)
    yield* query(client, "reset session authorization; reset role", undefined, file)
    yield* query(client, `insert into ${table} (name, sha256) values ($1, $2)`, [file.name, file.sha256], file)
    // Deferred constraints speak here.
    yield* query(client, "commit", undefined, file)
  },
  (effect, client) => Effect.tapError(effect, () => Effect.ignore(query(client, "rollback")))
)

/**
 * EXECUTE runs a whole file and refuses COMMIT, ROLLBACK, SAVEPOINT and BEGIN anywhere in it. Sent bare, the part of a
 * file before its COMMIT would stay for ever, recorded nowhere.
 */
const inOneTransaction = ({ sha256, text }: MigrationFile) => {
  const [block, body] = [`$block_${sha256}$`, `$body_${sha256}$`]
  return `do ${block} begin execute ${body}${text}\n${body}; end ${block}`
}

const lockConflicts = ["55P03", "40P01"]

const isLockConflict = (error: MigrationError) => "sqlState" in error && lockConflicts.includes(error.sqlState)

const explain = (error: pg.DatabaseError, file: MigrationFile | undefined) => {
  const sqlState = error.code ?? "XX000"
  const line = file === undefined ? undefined : lineOf(error, file)
  const place = file === undefined ? table : line === undefined ? file.name : `${file.name}:${line}`
  // Of class 22 the sentence itself quotes a value: one of the file where there is a line, otherwise one of a row.
  const sentence = sqlState.startsWith("22") && line === undefined
    ? "a value in the database does not fit, and the server's log has it"
    : error.message
  const endsItself = sqlState === "2D000" || error.message.startsWith("EXECUTE of transaction commands")
  const rule = endsItself ? "; a file is one transaction and may not begin or end one itself" : ""
  const waited = lockConflicts.includes(sqlState) ? ` after ${tries} tries, with another session in the way` : ""
  const outcome = file === undefined ? "" : "; the file was rolled back whole"
  const message = `${place}: ${sentence} (SQLSTATE ${sqlState})${waited}${rule}${outcome}.`
  return new MigrationFailed({ message, file: file?.name ?? table, sqlState })
}

/** PostgreSQL counts characters from 1; a position inside a function's own query is none of the file. */
const lineOf = ({ internalPosition, internalQuery }: pg.DatabaseError, { text }: MigrationFile) =>
  internalPosition === undefined || internalQuery !== `${text}\n`
    ? undefined
    : Array.from(text).slice(0, Number(internalPosition) - 1).join("").split("\n").length

const errorCode = (cause: unknown) => (cause as NodeJS.ErrnoException).code ?? (cause as Error).message

/** Of Node's errors only the code: they name the host, which in a URL that was not encoded is a piece of password. */
const reason = (cause: unknown) =>
  cause instanceof pg.DatabaseError ? `${cause.message} (SQLSTATE ${cause.code})` : errorCode(cause)
