import { Data } from "effect"
import pg from "pg"
import { appliedTable, errorCode, type MigrationFile, type MigrationFilesInvalid } from "./MigrationFiles.ts"
import { offersNoTls } from "./OffersNoTls.ts"
import { poolerRefused } from "./Sessions.ts"

export class MigrationsLocked extends Data.TaggedError("MigrationsLocked") {
  override readonly message = "Another run holds the migration lock of this database; nothing was applied."
}

export class MigrationsDiffer extends Data.TaggedError("MigrationsDiffer")<{
  /** Expected but not pending; `extra` is pending but not expected. */
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

/** `message` holds PostgreSQL's own sentence, but never its detail or context, because those quote rows. */
export class MigrationFailed extends Data.TaggedError("MigrationFailed")<{
  readonly message: string
  readonly file: string
  readonly sqlState: string
}> {}

export class MigrationDatabaseUnreachable extends Data.TaggedError("MigrationDatabaseUnreachable")<{
  readonly message: string
}> {}

export class MigrationsPooled extends Data.TaggedError("MigrationsPooled") {
  override readonly message = poolerRefused("MIGRATION_DATABASE_URL (or DATABASE_URL)")
}

export type MigrationError =
  | MigrationsLocked
  | MigrationsDiffer
  | MigrationChanged
  | MigrationFilesInvalid
  | MigrationFailed
  | MigrationDatabaseUnreachable
  | MigrationsPooled

/** Total number of attempts to apply a file while another session holds a conflicting lock. */
export const maxTries = 5

const lockConflicts = ["55P03", "40P01"]

export const isLockConflict = (error: MigrationError) => "sqlState" in error && lockConflicts.includes(error.sqlState)

/** Describes in one sentence what the database refused, and where. */
export const explain = (error: pg.DatabaseError, file: MigrationFile | undefined) => {
  const sqlState = error.code ?? "XX000"
  const line = file === undefined ? undefined : lineOf(error, file)
  const place = file === undefined ? appliedTable : line === undefined ? file.name : `${file.name}:${line}`
  // Messages of class 22 quote a value. If the line is unknown, the value is from a row and must not be shown.
  const sentence = sqlState.startsWith("22") && line === undefined
    ? "a value in the database does not fit, and the server's log has it"
    : error.message
  const endsItself = sqlState === "2D000" || error.message.startsWith("EXECUTE of transaction commands")
  const rule = endsItself ? "; a file is one transaction and may not begin or end one itself" : ""
  const waited = lockConflicts.includes(sqlState) ? ` after ${maxTries} tries, with another session in the way` : ""
  const outcome = file === undefined ? "" : "; the file was rolled back whole"
  const message = `${place}: ${sentence} (SQLSTATE ${sqlState})${waited}${rule}${outcome}.`
  return new MigrationFailed({ message, file: file?.name ?? appliedTable, sqlState })
}

/** PostgreSQL counts characters from 1. A position inside a function's query is not a position in the file. */
const lineOf = ({ internalPosition, internalQuery }: pg.DatabaseError, { text }: MigrationFile) =>
  internalPosition === undefined || internalQuery !== `${text}\n`
    ? undefined
    : Array.from(text).slice(0, Number(internalPosition) - 1).join("").split("\n").length

/** Shows only the code of Node's errors. Their text quotes the URL's host, which may contain part of the password. */
export const reason = (cause: unknown) =>
  cause instanceof pg.DatabaseError
    ? `${cause.message} (SQLSTATE ${cause.code})`
    : (cause as Error).message === "The server does not support SSL connections"
    ? offersNoTls
    : errorCode(cause)
