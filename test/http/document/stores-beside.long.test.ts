import { mkdir, readFile, symlink } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, test } from "vitest"
import { openDatabase, openFolder, used } from "../../support/App.ts"
import { production } from "../../support/Production.ts"
import { type Service, startService } from "../../support/Service.ts"
import { openVersionedBucket } from "../../support/VersionedBucket.ts"

const differ =
  "another process of this database keeps its files in another place: end all processes, then start them " +
  "with the same UPLOAD_URL, or all without it on one folder (docs/operator.md, \"Files\")"

type Variables = Record<string, string | undefined>

describe("Two processes of one database with different stores", () => {
  test.each<[string, Variables]>([
    ["development", { APP_ENV: "development", HOST: "127.0.0.1" }],
    ["test", {}],
    ["production", production]
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
    const running: Array<Service> = []
    const start = async (environment: Variables) => running.push(await startService(database, environment))
    const endAll = () => Promise.all(running.splice(0).map(({ stop }) => stop("SIGKILL")))
    const assertRefused = async (environment: Variables) => {
      const said = await start(environment).then(() => "it started", (error: unknown) => (error as Error).message)
      assert.include(said, differ)
    }
    try {
      await start(inFolder(one))
      await assertRefused(inFolder(other))
      await assertRefused(inBucket("a"))
      await start(inFolder(mounted))
      assert.deepStrictEqual(
        await readFile(join(mounted, "store-id"), "utf8"),
        await readFile(join(one, "store-id"), "utf8")
      )
      await endAll()
      // What has just been killed keeps nobody away.
      await start(inBucket("a"))
      await assertRefused(inBucket("b"))
      await assertRefused(inFolder(one))
      await start(inBucket("a"))
      await endAll()
      await start(inFolder(other))
    } finally {
      await endAll()
    }
  })

  test("that start together never both go on", async () => {
    const database = await openDatabase()
    const root = await openFolder()
    for (let round = 0; round < 3; round++) {
      const starts = await Promise.allSettled(
        ["one", "other"].map((name) => startService(database, { UPLOAD_DIR: join(root, name) }))
      )
      const started = starts.flatMap((start) => start.status === "fulfilled" ? [start.value] : [])
      await Promise.all(started.map(({ stop }) => stop("SIGKILL")))
      assert.isAtMost(started.length, 1)
      for (const start of starts) if (start.status === "rejected") assert.include(`${start.reason}`, differ)
    }
  })
})
