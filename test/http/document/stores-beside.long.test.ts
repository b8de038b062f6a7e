import { mkdir, readFile, symlink } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, test } from "vitest"
import { openDatabase, openFolder, used } from "../../support/App.ts"
import { production } from "../../support/Production.ts"
import { holdFiles } from "../../support/Sweep.ts"
import { openVersionedBucket } from "../../support/VersionedBucket.ts"

// buckets.long.test.ts shows the same with whole processes, which are killed.

const differ =
  "another process of this database keeps its files in another place: end all processes, then start them " +
  "with the same UPLOAD_URL, or all without it on one folder (docs/operator.md, \"Files\")"

describe("Two processes of one database with different stores", () => {
  test.each<[string, Record<string, string>]>([
    ["test", {}],
    ["production", { ...production, DATABASE_URL: "postgres://unused@localhost/unused" }]
  ])("refuse to start beside each other in %s", async (_, variables) => {
    const database = await openDatabase()
    const bucket = await used(openVersionedBucket())
    const root = await openFolder()
    const [one, other, scratch, mounted] = ["one", "other", "scratch", "mounted"].map((name) => join(root, name)) as [
      string,
      string,
      string,
      string
    ]
    for (const folder of [one, other, scratch]) await mkdir(folder)
    // The same folder under another path, as a mount shows it.
    await symlink(one, mounted)
    const inFolder = (folder: string) => ({ ...variables, UPLOAD_DIR: folder })
    const inBucket = (prefix: string) => ({
      ...variables,
      ...bucket.environment,
      UPLOAD_DIR: scratch,
      UPLOAD_URL: `s3://files/${prefix}`
    })
    const running: Array<() => Promise<void>> = []
    const start = async (environment: Record<string, string>) => {
      const { end, refusal } = await holdFiles(database, environment)
      if (refusal === undefined) running.push(end)
      else await end()
      return refusal
    }
    const endAll = () => Promise.all(running.splice(0).map((end) => end()))
    try {
      assert.isUndefined(await start(inFolder(one)))
      assert.deepStrictEqual(await Promise.all([start(inFolder(other)), start(inBucket("a"))]), [differ, differ])
      assert.isUndefined(await start(inFolder(mounted)))
      assert.deepStrictEqual(
        await readFile(join(mounted, "store-id"), "utf8"),
        await readFile(join(one, "store-id"), "utf8")
      )
      await endAll()
      assert.isUndefined(await start(inBucket("a")))
      assert.deepStrictEqual(await Promise.all([start(inBucket("b")), start(inFolder(one))]), [differ, differ])
      assert.isUndefined(await start(inBucket("a")))
      await endAll()
      assert.isUndefined(await start(inFolder(other)))
    } finally {
      await endAll()
    }
  })

  test("that start together never both go on", async () => {
    const database = await openDatabase()
    const root = await openFolder()
    for (let round = 0; round < 3; round++) {
      const starts = await Promise.all(
        ["one", "other"].map((name) => holdFiles(database, { UPLOAD_DIR: join(root, name) }))
      )
      const refusals = starts.flatMap(({ refusal }) => refusal ?? [])
      await Promise.all(starts.map(({ end }) => end()))
      assert.isAtLeast(refusals.length, 1)
      for (const refusal of refusals) assert.strictEqual(refusal, differ)
    }
  })
})
