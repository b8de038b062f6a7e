import { randomBytes, randomUUID } from "node:crypto"
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, beforeEach, describe, test } from "vitest"
import { openDatabase, openFolder } from "./support/App.ts"
import { production } from "./support/Production.ts"
import { startOn, sweepAfter } from "./support/Sweep.ts"

const [ours, theirs] = [await openDatabase(), await openDatabase()]

const [owner, superuser] = [await theirs.connect("owner"), await ours.connect("superuser")]

// The tests' databases are copies of one database and share its id. So `theirs` gets a new id.
await owner.query("update file_store set id = gen_random_uuid()")

const idOf = async (client: typeof owner): Promise<string> =>
  (await client.query("select id from file_store")).rows[0].id

const [ourId, theirId] = [await idOf(superuser), await idOf(owner)]

const root = await openFolder()

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(root, "uploads-"))
  await superuser.query("delete from stored_files")
})

const environment = () => ({ UPLOAD_DIR: folder })

const inProduction = () => ({ ...production, DATABASE_URL: "postgres://unused@localhost/unused", ...environment() })

const mark = () => readFile(join(folder, "database-id"), "utf8")

/** Makes files that were stored two hours ago. */
const store = async (count: number) => {
  const names = Array.from({ length: count }, () => randomBytes(16).toString("hex"))
  await mkdir(join(folder, "files"), { recursive: true })
  for (const name of names) {
    await writeFile(join(folder, "files", name), "")
    await utimes(join(folder, "files", name), Date.now() / 1000 - 7200, Date.now() / 1000 - 7200)
  }
  return names
}

const claim = (names: ReadonlyArray<string>) =>
  superuser.query("insert into stored_files (storage_key) select unnest($1::text[])", [names])

const together = `configure the folder and the database that belong together (docs/operator.md, "Files")`

describe("The folder UPLOAD_DIR", () => {
  test("carries its database's id from the first start, and a start with another database is refused", async () => {
    assert.strictEqual(await startOn(ours, environment()), undefined)
    assert.strictEqual(await mark(), `${ourId}\n`)
    assert.strictEqual((await stat(join(folder, "database-id"))).mode & 0o777, 0o600)
    assert.deepStrictEqual((await readdir(folder)).sort(), ["database-id", "store-id"])
    assert.match(await readFile(join(folder, "store-id"), "utf8"), /^[0-9a-f-]{36}\n$/)
    assert.strictEqual(
      await startOn(theirs, environment()),
      `UPLOAD_DIR is of another database (its file database-id says ${ourId}, this one's id is ${theirId}): ${together}`
    )
    assert.strictEqual(await startOn(ours, environment()), undefined)
  })

  test("gets the id of one database if two start at once, and the other database is refused", async () => {
    for (let round = 0; round < 5; round++) {
      await rm(join(folder, "database-id"), { force: true })
      const said = await Promise.all([ours, theirs, ours, theirs].map((database) => startOn(database, environment())))
      const isOurs = (await mark()).trim() === ourId
      assert.deepStrictEqual(said.map((line) => line === undefined), [isOurs, !isOurs, isOurs, !isOurs])
      assert.deepStrictEqual((await readdir(folder)).sort(), ["database-id", "store-id"])
    }
  })

  test("gets whole ids although a process was killed while it wrote them", async () => {
    for (const name of ["database-id", "store-id"]) await writeFile(join(folder, `${name}-${randomUUID()}`), "0b9d")
    assert.strictEqual(await startOn(ours, environment()), undefined)
    assert.strictEqual(await mark(), `${ourId}\n`)
    assert.match(await readFile(join(folder, "store-id"), "utf8"), /^[0-9a-f-]{36}\n$/)
  })

  test("with files but no id, gets the database's id only if the database knows one of the files", async () => {
    const names = await store(1203)
    assert.strictEqual(
      await startOn(ours, environment()),
      `UPLOAD_DIR holds files, of which this database knows none: ${together}`
    )
    assert.deepStrictEqual(await readdir(folder), ["files"])
    await claim([(await readdir(join(folder, "files"))).at(-1)!])
    assert.strictEqual(await startOn(ours, environment()), undefined)
    assert.strictEqual(await mark(), `${ourId}\n`)
    assert.lengthOf(await readdir(join(folder, "files")), names.length)
  })

  test("is refused in production if it is empty although the database has files", async () => {
    await claim([randomUUID()])
    assert.strictEqual(
      await startOn(ours, inProduction()),
      `UPLOAD_DIR is empty, but this database has files: mount its disk, or ${together}`
    )
    assert.deepStrictEqual(await readdir(folder), [])
    // With this file, the operator confirms that the stored files are lost.
    await writeFile(join(folder, "database-id"), ourId)
    assert.strictEqual(await startOn(ours, inProduction()), undefined)
  })

  test("is refused in production if it is missing, and is not made", async () => {
    const away = join(folder, "away", "uploads")
    assert.strictEqual(
      await startOn(ours, { ...inProduction(), UPLOAD_DIR: away }),
      "UPLOAD_DIR is missing: its disk may not be mounted. Production never makes it; for a first start, make an empty folder"
    )
    await writeFile(join(folder, "file"), "")
    assert.strictEqual(
      await startOn(ours, { ...inProduction(), UPLOAD_DIR: join(folder, "file") }),
      "UPLOAD_DIR names a folder that cannot be made or written to (ENOTDIR)"
    )
    assert.deepStrictEqual(await readdir(folder), ["file"])
  })

  test("is refused if its file database-id holds no id", async () => {
    await writeFile(join(folder, "database-id"), "")
    assert.include((await startOn(ours, environment()))!, "(its file database-id says no id,")
  })
})

describe("The sweep", () => {
  const files = () => readdir(join(folder, "files"))

  test("moves no file in the first hour of a process, and then trashes the files that no row claims", async () => {
    await startOn(ours, environment())
    await store(3)
    const moment = Date.now() + 300
    assert.deepStrictEqual(await sweepAfter(59, ours, environment(), "a moment", async () => Date.now() > moment), [])
    assert.lengthOf(await files(), 3)
    const lines = await sweepAfter(60, ours, environment(), "they are gone", async () => (await files()).length === 0)
    assert.lengthOf(await readdir(join(folder, "trash")), 3)
    assert.deepStrictEqual(lines.filter((line) => !line.startsWith("swept 3 files")), [])
  })

  test("moves no file of a folder that now belongs to another database", async () => {
    await startOn(theirs, environment())
    await store(3)
    const moment = Date.now() + 1000
    const lines = await sweepAfter(60, ours, environment(), "a moment", async () => Date.now() > moment)
    assert.deepStrictEqual(lines, ["upload directory: database-id is not this database's, nothing is swept"])
    assert.lengthOf(await files(), 3)
  })
})
