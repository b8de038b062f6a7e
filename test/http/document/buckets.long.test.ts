import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, test } from "vitest"
import { atEnd, openDatabase, openFolder } from "../../support/App.ts"
import { call, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { inherited, programFile } from "../../support/Environment.ts"
import type { Service } from "../../support/Service.ts"
import { startService } from "../../support/Service.ts"
import { logged, until } from "../../support/Until.ts"
import { openVersionedBucket, type VersionedBucket } from "../../support/VersionedBucket.ts"
import { download, signed, upload } from "../release/Releases.ts"

/** Opens a bucket and a database for processes that may start beside each other. */
const open = async () => {
  const bucket = await openVersionedBucket()
  atEnd(bucket.close)
  const database = await openDatabase()
  /** UPLOAD_DIR of the processes with a bucket. */
  const scratch = join(await openFolder(), "uploads")
  const inBucket = { ...bucket.environment, UPLOAD_DIR: scratch }
  const running: Array<Service> = []
  /** Starts a process that `endAll` ends. */
  const start = async (environment: Record<string, string>) => {
    const service = await startService(database, environment)
    running.push(service)
    return service
  }
  const endAll = () => Promise.all(running.splice(0).map(({ stop }) => stop("SIGKILL")))
  atEnd(endAll)
  /** Returns what a start says that is refused. */
  const refusal = (environment: Record<string, string>) =>
    start(environment).then(
      () => assert.fail("the start was not refused"),
      (error: unknown) => (error as Error).message
    )
  return { bucket, scratch, inBucket, start, endAll, refusal }
}

const { bucket, endAll, inBucket, refusal, scratch, start } = await open()

const [one, other] = [await start(inBucket), await start({ ...inBucket, UPLOAD_DIR: `${scratch}-other` })]

const documents = "/api/veteran/me/documents"

const contentOf = (service: Service, veteran: SignedIn, id: string) =>
  download(service, veteran, `${documents}/${id}/content`)

const canary = "Diagnosis: a canary. "

const differ =
  "another process of this database keeps its files in another place: end all processes, then start them " +
  "with the same UPLOAD_URL, or all without it on one folder (docs/operator.md, \"Files\")"

describe("Processes with UPLOAD_URL", () => {
  test("share files, also those of releases, which the bucket's owner cannot read", async () => {
    const veteran = await signInVeteran(one)
    const letter = canary.repeat(50_000)
    const { json } = await upload(one, veteran, letter)
    assert.strictEqual((await contentOf(other, veteran, json.id)).bytes.toString(), letter)
    const release = await signed(other, veteran, {
      information: { resourceTypes: ["Condition"], documentIds: [json.id] },
      incompleteRecordConfirmed: true
    })
    const pdf = await contentOf(one, veteran, release.document.id)
    assert.deepStrictEqual([pdf.status, pdf.bytes.subarray(0, 5).toString()], [200, "%PDF-"])
    const ccda = await download(other, veteran, `${documents}/${release.document.id}/ccda`)
    assert.strictEqual(ccda.status, 200)
    const stored = bucket.keys("files/")
    assert.strictEqual(stored.length, 4)
    for (const key of stored) {
      assert.include(bucket.bytes(key)!.toString("latin1"), "vrss-file/1")
      assert.notInclude(bucket.bytes(key)!.toString("latin1"), "canary")
    }
    for (const folder of [scratch, `${scratch}-other`]) {
      assert.deepStrictEqual(await readdir(join(folder, "tmp")), [])
      assert.notInclude(await readdir(folder), "files")
    }
    const { id } = (await upload(other, veteran, "another letter")).json
    assert.strictEqual(bucket.keys("files/").length, 5)
    assert.strictEqual((await call(one, "DELETE", `${documents}/${id}`, veteran)).status, 204)
    assert.deepStrictEqual(bucket.keys("files/"), stored)
    assert.strictEqual((await contentOf(other, veteran, id)).status, 404)
    for (const service of [one, other]) {
      const metrics = await (await fetch(`${service.url}/api/metrics`)).text()
      for (const text of [service.output(), metrics]) assert.notMatch(text, /canary/)
    }
  })

  test("refuse a process beside them that has none, in an environment of another name too", async () => {
    const folder = join(await openFolder(), "uploads")
    assert.include(await refusal({ UPLOAD_DIR: folder, APP_ENV: "staging", HOST: "127.0.0.1" }), differ)
  })

  test("are refused if the bucket is another database's, or away", async () => {
    const { bucket, inBucket, refusal } = await open()
    bucket.put("database-id", Buffer.from("0b9d1f6e-0000-4000-8000-000000000000 1\n"))
    assert.include(await refusal(inBucket), "UPLOAD_URL is of another database (its file database-id says 0b9d1f6e-")
    bucket.reset()
    bucket.fault = () => [403, "InvalidAccessKeyId"]
    const said = await refusal(inBucket)
    assert.include(said, "the bucket of UPLOAD_URL cannot be used (InvalidAccessKeyId)")
    assert.notMatch(said, /canary/)
  })
})

describe("While the bucket", () => {
  test.each(
    [
      ["hangs", "hangs", "TimeoutError"],
      ["fails", [503, "SlowDown"], "SlowDown"]
    ] as const
  )("%s, the routes of files answer 503, and all works again afterwards", async (_, fault, code) => {
    const service = one
    const veteran = await signInVeteran(service)
    const { json } = await upload(service, veteran, "a letter")
    bucket.fault = () => fault
    assert.strictEqual((await contentOf(service, veteran, json.id)).status, 503)
    assert.strictEqual((await upload(service, veteran, "another")).status, 503)
    assert.strictEqual((await call(service, "GET", documents, veteran)).status, 200)
    await until("it is not ready", async () => (await call(service, "GET", "/api/ready")).status === 503)
    const { json: ready } = await call(service, "GET", "/api/ready")
    assert.match(ready.reasons.uploads, /the bucket of UPLOAD_URL is out of reach|no answer within 2 seconds/)
    await logged(service, `upload bucket: ${code}`)
    bucket.fault = () => undefined
    await until("it is ready", async () => (await call(service, "GET", "/api/ready")).status === 200)
    assert.strictEqual((await contentOf(service, veteran, json.id)).bytes.toString(), "a letter")
    assert.strictEqual((await upload(service, veteran, "another")).status, 201)
    assert.strictEqual((await call(service, "GET", documents, veteran)).json.items.length, 2)
  })
})

describe("A process that is killed while it sends a file", () => {
  test("leaves nothing visible, and the next one works", async () => {
    const veteran = await signInVeteran(one)
    const stored = bucket.keys("files/")
    bucket.fault = (method, _key, query) => method === "PUT" && query.get("partNumber") === "2" ? "hangs" : undefined
    const sent = upload(one, veteran, canary.repeat(600_000)).catch(() => "cut off" as const)
    await until(
      "it sends the second part",
      async () => bucket.requests.some((request) => request.includes("partNumber=2"))
    )
    await endAll()
    assert.strictEqual(await sent, "cut off")
    assert.deepStrictEqual([bucket.keys("files/"), bucket.unfinished()], [stored, 1])
    bucket.fault = () => undefined
    const next = await start(inBucket)
    const list = await call(next, "GET", documents, veteran)
    assert.deepStrictEqual(list.json.items, [])
    const { json, status } = await upload(next, veteran, "a letter")
    assert.strictEqual(status, 201)
    assert.strictEqual((await contentOf(next, veteran, json.id)).bytes.toString(), "a letter")
  })
})

const program = programFile("move-files")

const move = (folder: string, bucket: VersionedBucket) => {
  let output = ""
  const child = spawn(process.execPath, [program, "--from", folder, "--to", "s3://files"], {
    env: { ...inherited, ...bucket.environment, UPLOAD_URL: "" } as NodeJS.ProcessEnv
  })
  child.stdout.on("data", (chunk) => output += chunk)
  child.stderr.on("data", (chunk) => output += chunk)
  return { child, ended: once(child, "close").then(([code]) => ({ code: code as number | null, output })) }
}

describe("move-files", () => {
  test("moves a folder while the service serves, and goes on after it was killed or given other bytes", async () => {
    const { bucket, endAll, inBucket, refusal, scratch, start } = await open()
    const folder = join(await openFolder(), "uploads")
    const before = await start({ UPLOAD_DIR: folder })
    const veteran = await signInVeteran(before)
    const letters = new Map<string, string>()
    for (let n = 0; n < 12; n++) {
      const letter = `${canary}${n} `.repeat(n === 0 ? 500_000 : 1000)
      letters.set((await upload(before, veteran, letter)).json.id, letter)
    }
    const unready = await move(folder, bucket).ended
    assert.strictEqual(unready.code, 1)
    assert.match(
      unready.output,
      /do not belong together: end all processes of the service, start them with UPLOAD_URL=/
    )
    await endAll()

    const service = await start({ ...inBucket, UPLOAD_DIR: folder })
    assert.match(await readFile(join(folder, "database-id"), "utf8"), /^[0-9a-f-]{36} s3:\/\/files\n$/)
    const assertAll = async (service: Service) => {
      for (const [id, letter] of letters) {
        assert.strictEqual((await contentOf(service, veteran, id)).bytes.toString(), letter)
      }
    }
    await assertAll(service)
    letters.set((await upload(service, veteran, "written meanwhile")).json.id, "written meanwhile")

    // The largest file's second part hangs, and others are moved before the program is killed.
    bucket.fault = (method, _key, query) => method === "PUT" && query.get("partNumber") === "2" ? "hangs" : undefined
    const killed = move(folder, bucket)
    await until("the others are moved", async () => (await readdir(join(folder, "files"))).length === 1)
    await assertAll(service)
    killed.child.kill("SIGKILL")
    await killed.ended
    const [removed] = letters.keys()
    await assertAll(service)
    bucket.fault = () => undefined

    // What the bucket gives back differs, so the file stays in the folder.
    bucket.lie = (key, bytes) => key.startsWith("files/") ? Buffer.alloc(bytes.length) : bytes
    const misled = await move(folder, bucket).ended
    assert.strictEqual(misled.code, 1)
    assert.include(misled.output, "the bucket gives back other bytes than it was given: start again, it goes on here")
    assert.lengthOf(await readdir(join(folder, "files")), 1)
    bucket.lie = (_, bytes) => bytes

    const { code, output } = await move(folder, bucket).ended
    assert.deepStrictEqual([code, output.split("\n").at(-2)], [
      0,
      "1 files, 11.0 MiB, are in s3://files, read back and equal. The folder has none."
    ])
    assert.notMatch(output, /canary/)
    assert.deepStrictEqual(await readdir(join(folder, "files")), [])
    await assertAll(service)
    assert.strictEqual((await call(service, "DELETE", `${documents}/${removed}`, veteran)).status, 204)
    letters.delete(removed!)
    assert.strictEqual(bucket.keys("files/").length, letters.size)
    assert.match((await move(folder, bucket).ended).output, /^0 files to move .*\n0 files, 0\.0 MiB, are in s3:/)

    // A process on another machine has another folder.
    await mkdir(scratch)
    await assertAll(await start(inBucket))
    await endAll()
    assert.include(
      await refusal({ UPLOAD_DIR: folder }),
      "the files of UPLOAD_DIR are in a bucket now: set UPLOAD_URL=s3://files, or configure the folder and the database"
    )
  })
})
