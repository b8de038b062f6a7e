import { Data, Effect } from "effect"
import { isUtf8 } from "node:buffer"
import { hash } from "node:crypto"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export class MigrationFilesInvalid extends Data.TaggedError("MigrationFilesInvalid")<{ readonly message: string }> {}

export const migrationFolder = fileURLToPath(new URL("../../migrations", import.meta.url))

export const appliedTable = "public.schema_migrations"

export type MigrationFile = { readonly name: string; readonly sha256: string; readonly text: string }

/** The SHA-256 covers the raw bytes, line ends included (.gitattributes pins LF). */
export const readMigrations = Effect.fnUntraced(function*(directory: string) {
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
    // In PostgreSQL's protocol a query ends at its first NUL, so the rest of the file would not run.
    if (!isUtf8(bytes) || bytes.includes(0)) return yield* invalid(`holds ${name}, which is not UTF-8 text`)
    files.push({ name, sha256: hash("sha256", bytes), text: new TextDecoder().decode(bytes) })
  }
  return files
})

export const errorCode = (cause: unknown) => (cause as NodeJS.ErrnoException).code ?? (cause as Error).message
