import { execFile } from "node:child_process"
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { gunzipSync } from "node:zlib"
import { afterAll, assert, describe, expect, test } from "vitest"
import { migrationFolder } from "../src/sql/MigrationFiles.ts"
import { drain, textOf } from "./http/ledger/Drained.ts"
import { openFolder, openService } from "./support/App.ts"
import { createDatabase } from "./support/Database.ts"
import { inherited, programFile } from "./support/Environment.ts"
import { countsOf } from "./upgrade/Counts.ts"
import { type Keys, settings } from "./upgrade/Life.ts"
import { readEverything } from "./upgrade/Reading.ts"

interface Kept {
  readonly keys: Keys
  readonly counts: Readonly<Record<string, number>>
  readonly answers: Awaited<ReturnType<typeof readEverything>>
}

const fixtures = join(import.meta.dirname, "fixtures/upgrade")

const commits = readdirSync(fixtures, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) =>
  name
)

const folder = await openFolder()

const program = (name: string, environment: Record<string, string>, ...args: ReadonlyArray<string>) =>
  promisify(execFile)(process.execPath, [programFile(name), ...args], {
    cwd: folder,
    env: { ...inherited, ...environment }
  })

/** Restores the database of a commit into an empty database, and migrates it. */
const upgrade = async (commit: string) => {
  const stored = (name: string) => gunzipSync(readFileSync(join(fixtures, commit, name))).toString()
  const kept: Kept = JSON.parse(stored("kept.json.gz"))
  const database = await createDatabase("template0")
  afterAll(database.close)
  await (await database.connect("superuser")).query(stored("dump.sql.gz"))

  const uploads = join(folder, commit)
  mkdirSync(uploads)
  cpSync(join(fixtures, commit, "files"), join(uploads, "files"), { recursive: true })
  const certificate = join(folder, `${commit}.pem`)
  writeFileSync(certificate, database.caCertificate)
  await program("migrate", { MIGRATION_DATABASE_URL: database.url("owner"), DATABASE_CA_CERT: certificate })

  const superuser = await database.connect("superuser")
  const counts = await countsOf(superuser)
  const applied = (await superuser.query("select name from schema_migrations order by name")).rows
  const service = await openService(database, { ...settings, UPLOAD_DIR: uploads })
  return { kept, counts, applied: applied.map(({ name }) => name), service }
}

describe.each(commits)("A database made by commit %s", async (commit) => {
  const { applied, counts, kept, service } = await upgrade(commit)
  const answers = await readEverything(service, kept.keys)

  test("has every migration", () => {
    assert.deepStrictEqual(applied, readdirSync(migrationFolder).toSorted())
  })

  test.each(Object.entries(kept.counts))("keeps the rows of the table %s, at least %i", (table, count) => {
    assert.isAtLeast(counts[table] ?? 0, count)
  })

  const parts = Object.entries(kept.answers).flatMap(([who, read]) =>
    Object.entries(read).map(([what, answer]) => [what, who, answer] as const)
  )

  // Answers may have more members than before.
  test.each(parts)("gives the earlier answer again: %s, %s", (what, who, answer) => {
    const read = answers[who as keyof typeof answers] as Record<string, unknown>
    expect({ [what]: read[what] }).toMatchObject({ [what]: answer })
  })

  test("keeps its proofs valid, and its proof tree still begins with the events from before the upgrade", async () => {
    const { checkpoint, key, proofs } = kept.answers.account
    const [, before] = checkpoint.split("\n").map(Number)
    const { treeSize } = await drain(service)
    assert.isAbove(treeSize, before!)
    const save = (text: string, n: number) => {
      const file = join(folder, `${commit}-${n}`)
      writeFileSync(file, text)
      return file
    }
    const [newer, consistency, older, ...exported] = [
      await textOf(service, "/api/proofs/checkpoint"),
      await textOf(service, `/api/proofs/consistency?from=${before}&to=${treeSize}`),
      checkpoint,
      ...proofs
    ].map(save)
    const { stdout } = await program(
      "verify-proof",
      {},
      ...["--key", key.trim(), "--older", older!, "--newer", newer!, "--consistency", consistency!],
      ...exported
    )
    assert.strictEqual(stdout.match(/^VALID /gm)?.length, proofs.length + 1)
  })
})
