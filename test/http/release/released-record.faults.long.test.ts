import { execFileSync } from "node:child_process"
import { constants } from "node:fs"
import { open, rename, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeEach, describe, test } from "vitest"
import { call, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { isAwaited } from "../../support/Locks.ts"
import { workerOf } from "../../support/Processes.ts"
import type { Service } from "../../support/Service.ts"
import { resource, sync } from "../../support/Sync.ts"
import { logged, until } from "../../support/Until.ts"
import { releasedRecord } from "../document/Copies.ts"
import { openUploadFolder } from "../document/UploadFolder.ts"
import { releasedEntries } from "./ReleasedRecords.ts"
import { release, sign, upload } from "./Releases.ts"

const { age, database, fileOf, files, folder, root, start, superuser, sweptAnHourLater } = await openUploadFolder()

let service: Service = await start()

afterAll(() => service.stop("SIGKILL"))

let veteran: SignedIn

const count = 40

/** An upload that the releases name. */
let named: string

beforeEach(async () => {
  veteran = await signInVeteran(service)
  await sync(service, veteran, { Condition: "complete" }, {
    Condition: Array.from({ length: count }, (_, n) => resource("Condition", `${n}`))
  })
  named = (await upload(service, veteran, "a letter\n".repeat(100_000))).json.id
})

const path = "/api/veteran/me/documents"

const changes = () => ({ information: { resourceTypes: ["Condition"], documentIds: [named] } })

/** Signs a smaller release, which shows that the veteran's turn to sign is free. */
const signAgain = () =>
  sign(service, veteran, {
    information: { resourceTypes: ["Patient"], documentIds: [named] },
    incompleteRecordConfirmed: true
  })

const kinds = async () =>
  (await call(service, "GET", path, { headers: veteran.headers })).json.items.map(({ kind }: { kind: string }) => kind)

/** The files that the rows need. */
const needed = async () => {
  const { rows } = await superuser.query(
    `select unnest(array_remove(array[storage_key, recipient_storage_key, record_storage_key], null)) as key
     from documents order by 1`
  )
  return rows.map(({ key }) => key)
}

const transactions = async () =>
  (await superuser.query(
    "select from pg_stat_activity where datname = current_database() and usename = 'vrss_app' and xact_start is not null"
  )).rows.length

/**
 * Each function makes the next release stop at its step. `isHeld` tells whether the release has stopped there, and
 * `letGo` lets it continue.
 */
const steps = {
  "while the record is read": async () => {
    const holder = await database.connect("superuser")
    await holder.query("begin; lock table health_record_items in access exclusive mode")
    return {
      isHeld: () => isAwaited(superuser, "health_record_items"),
      letGo: () => holder.query("rollback")
    }
  },
  "while its files are written": async () => {
    // A pipe replaces the upload's file. The reader of a pipe waits for a writer.
    const [file, away] = [join(folder, "files", await fileOf({ id: named })), join(folder, "away")]
    await rename(file, away)
    execFileSync("mkfifo", [file])
    return {
      // The record's file has its bytes, and all three files are still in `tmp`.
      isHeld: async () => {
        const drafts = await files("tmp")
        // The scratch file may be listed, and lose its name before its size is read.
        const sizes = drafts.map((name) => stat(join(folder, "tmp", name)).then(({ size }) => size, () => 0))
        return drafts.length === 3 && (await Promise.all(sizes)).some((size) => size > 0)
      },
      letGo: async () => {
        // Once the pipe has a writer, its reader continues. `O_RDWR` opens a pipe without waiting.
        const end = await open(file, constants.O_RDWR | constants.O_NONBLOCK)
        await end.close()
        await rm(file)
        await rename(away, file)
      }
    }
  }
}

const cases = Object.entries(steps)

describe("A release whose service is killed", () => {
  test.each(cases)("%s is not stored, and its leftover files are swept", async (_, hold) => {
    const before = await files("files")
    const { isHeld, letGo } = await hold()
    const answer = sign(service, veteran, changes()).catch(() => "no answer")
    await until("it is held", isHeld)
    await service.stop("SIGKILL")
    assert.strictEqual(await answer, "no answer")
    await letGo()
    service = await start()
    assert.deepStrictEqual(await kinds(), ["upload"])
    await age("files")
    await age("tmp")
    await sweptAnHourLater(async () =>
      (await files("tmp")).length === 0 && (await files("files")).length === before.length
    )
    assert.deepStrictEqual([await files("files"), await needed()], [before, before])
    assert.strictEqual((await signAgain()).status, 201)
  })

  test("is complete if its row was already stored", async () => {
    const answer = sign(service, veteran, changes()).catch(() => "no answer")
    await until(
      "its row is there",
      async () =>
        (await superuser.query("select from documents where veteran_id = $1 and kind = 'roi'", [veteran.id])).rows
          .length > 0
    )
    await service.stop("SIGKILL")
    await answer
    service = await start()
    assert.deepStrictEqual(await kinds(), ["roi", "upload"])
    const { rows: [{ id }] } = await superuser.query(
      "select id from documents where veteran_id = $1 and kind = 'roi'",
      [
        veteran.id
      ]
    )
    const bundle = await releasedRecord({ directory: root }, superuser, id)
    assert.strictEqual(releasedEntries(bundle.toString()).length, count)
    assert.deepStrictEqual(await needed(), await files("files"))
  })
})

describe("A client that hangs up", () => {
  test.each(cases)("%s stops the release, and nothing is left of it", async (_, hold) => {
    const before = await files("files")
    const { isHeld, letGo } = await hold()
    const gone = new AbortController()
    const answer = fetch(`${service.url}/api/veteran/me/roi`, {
      method: "POST",
      headers: { ...veteran.headers, "content-type": "application/json" },
      body: JSON.stringify(release(changes())),
      signal: gone.signal
    }).catch(() => "gone")
    await until("it is held", isHeld)
    gone.abort()
    assert.strictEqual(await answer, "gone")
    await letGo()
    await until(
      "nothing is left of it",
      async () => (await files("tmp")).length === 0 && (await files("files")).length === before.length
    )
    await until("no transaction is open", async () => await transactions() === 0)
    assert.deepStrictEqual([await files("files"), await kinds()], [before, ["upload"]])
    assert.strictEqual((await signAgain()).status, 201)
  })
})

test("A worker process that dies while it writes a release fails only that release and leaves nothing", async () => {
  const before = await files("files")
  const { isHeld, letGo } = await steps["while its files are written"]()
  const answer = sign(service, veteran, changes())
  await until("it is held", isHeld)
  process.kill(workerOf(service, "releases"), "SIGKILL")
  const lost = await answer
  assert.deepStrictEqual([lost.status, lost.json.error], [503, "service_unavailable"])
  await letGo()
  assert.deepStrictEqual([await files("tmp"), await files("files"), await kinds()], [[], before, ["upload"]])
  assert.strictEqual(await transactions(), 0)
  assert.strictEqual((await signAgain()).status, 201)
})

describe("A document that a release names", () => {
  test("prevents the release if it differs from the upload, and nothing of the release is left", async () => {
    const before = await files("files")
    const file = join(folder, "files", await fileOf({ id: named }))
    await rm(file)
    await writeFile(file, "something else")
    const answer = await sign(service, veteran, changes())
    assert.deepStrictEqual([answer.status, answer.json.error, answer.json.message], [
      500,
      "internal_error",
      "Stored data could not be read back intact."
    ])
    await logged(service, "upload directory: a stored file is not intact")
    assert.deepStrictEqual([await files("tmp"), await files("files"), await kinds()], [[], before, ["upload"]])
  })

  test("causes a 409 if it is deleted during the signing, and nothing of the release is left", async () => {
    const file = await fileOf({ id: named })
    const [before, output] = [await files("files"), service.output()]
    const holder = await database.connect("superuser")
    await holder.query("begin; lock table health_record_items in access exclusive mode")
    const answer = sign(service, veteran, changes())
    await until("the record is read", () => isAwaited(superuser, "health_record_items"))
    assert.strictEqual((await call(service, "DELETE", `${path}/${named}`, { headers: veteran.headers })).status, 204)
    await holder.query("rollback")
    const { json, status } = await answer
    assert.deepStrictEqual([status, json.error, json.message], [
      409,
      "conflict",
      "A document that the release names, or the release that it replaces, is gone. Sign again."
    ])
    const [left, kept] = [await files("files"), before.filter((name) => name !== file)]
    assert.deepStrictEqual([await files("tmp"), left, await kinds()], [[], kept, []])
    assert.notInclude(service.output().slice(output.length), "not intact")
  })
})
