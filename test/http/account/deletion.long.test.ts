import { randomUUID } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, test } from "vitest"
import { call, giveGrant, signInProvider } from "../../support/Client.ts"
import { signInDevice } from "../../support/Device.ts"
import { sync } from "../../support/Sync.ts"
import { until } from "../../support/Until.ts"
import { openVaIssuer } from "../../support/VaIssuer.ts"
import { giveSessions } from "../document/Copies.ts"
import { createLink, view } from "../link/Links.ts"
import { openTwoProcesses } from "../link/TwoProcesses.ts"
import { giveCode, redeem, registerClient } from "../oauth/Grants.ts"
import { signed, upload } from "../release/Releases.ts"
import { readPatientRecord, writeNote } from "../Sharing.ts"
import { askAsOperator, forget, forgetNow, letTimePass, rowsOf, tablesWith } from "./Deleting.ts"

const va = await openVaIssuer()

const { database, home, one, other, start, superuser } = await openTwoProcesses(va.environment)

const runtime = await database.connect("runtime")

/** A veteran with something in every table, and the words that must not stay. `shown` is a release that was viewed. */
const liveALife = async () => {
  const canary = `canary${randomUUID().replaceAll("-", "")}`
  const session = await signInDevice(one, va, `${canary} phone`, `${canary}@example.org`)
  const { id, vaPatientId } = session.person
  const veteran = { ...session, id, token: session.access.accessToken as string }
  await superuser.query("update veterans set call_sign = $2 where id = $1", [id, `${canary} call sign`])
  const resource = (n: number, more = {}) =>
    JSON.stringify({ resourceType: "Condition", id: `c${n}`, code: { text: canary }, ...more })
  const hiv = { coding: [{ system: "http://hl7.org/fhir/sid/icd-10-cm", code: "B20" }] }
  const all = Array.from({ length: 3 }, (_, n) => resource(n))
  await sync(one, veteran, { Condition: "complete" }, { Condition: [...all, resource(3, { code: hiv })] })
  await sync(one, veteran, { Condition: "complete" }, { Condition: all })
  const provider = await signInProvider(one)
  await giveGrant(one, veteran, provider, { includeSelfReported: true, includeDocuments: true })
  await readPatientRecord(one, provider, veteran)
  const noted = await writeNote(one, provider, veteran, { text: canary })
  assert.strictEqual(noted.status, 201, noted.text)
  const entry = await call(one, "POST", "/api/veteran/me/self-reported-entries", {
    headers: veteran.headers,
    body: { category: "note", text: canary }
  })
  assert.strictEqual(entry.status, 201)
  assert.strictEqual((await upload(one, veteran, canary, `${canary}.txt`)).status, 201)
  const client = await registerClient(one)
  await redeem(one, client, await giveCode(runtime, client, veteran))
  const shown = await createLink(one, veteran)
  const [viewSession] = await giveSessions(home, superuser, [shown])
  assert.strictEqual((await view(one, viewSession!)).status, 200)
  await createLink(one, veteran, { documentId: shown.documentId })
  const unseen = await signed(one, veteran)
  await createLink(one, veteran, { documentId: unseen.document.id })
  const changing = await call(one, "POST", "/api/veteran/me/email", {
    headers: veteran.headers,
    body: { email: `new.${canary}@example.org` }
  })
  assert.strictEqual(changing.status, 202, changing.text)
  await call(one, "POST", "/api/waitlist", { body: { email: `${canary}@example.org` } })
  return { veteran, id, shown, words: [canary, vaPatientId] }
}

/** What stays: the release that was shown, to whom, and the account of disclosures. */
const kept = { documents: 1, kept_releases: 1, roi_revocations: 1, secure_links: 1, storage_used: 1, stored_files: 3 }

const lastMailSent = (id: string) =>
  until(
    "the last mail is sent",
    async () => (await superuser.query("select from outbox where veteran_id = $1", [id])).rowCount === 0
  )

const stays = async (id: string) => {
  await lastMailSent(id)
  const { proofs, ...rows } = await rowsOf(superuser, id)
  assert.isAbove(proofs!, 10)
  return rows
}

const uploads = join(home.directory, ".data/uploads")

const filesIn = (folder: string): Promise<ReadonlyArray<string>> => readdir(join(uploads, folder)).catch(() => [])

/** The files that this veteran's rows need. */
const neededBy = async (id: string) =>
  (await superuser.query(
    `select unnest(array_remove(array[storage_key, recipient_storage_key, record_storage_key], null)) as key
     from documents where veteran_id = $1`,
    [id]
  )).rows.map(({ key }) => key as string)

describe("After the end of the 72 hours", () => {
  test(
    "no row, file, mail or log has anything of the veteran, but the release that was shown, which verifies",
    async () => {
      const { id, shown, words } = await liveALife()
      const before = await rowsOf(superuser, id)
      assert.isAtLeast(Object.keys(before).length, 19, JSON.stringify(before))
      const files = await neededBy(id)
      assert.lengthOf(files, 7)
      assert.isAbove((await tablesWith(superuser, words)).filter((found) => found.startsWith("veterans: ")).length, 0)
      await askAsOperator(one, id)
      await forget(superuser, database, home, id)
      assert.deepStrictEqual(await stays(id), kept)
      assert.deepStrictEqual(await tablesWith(superuser, words), [])
      const { rows: [veteran] } = await superuser.query("select * from veterans where id = $1", [id])
      assert.deepStrictEqual(
        [veteran.call_sign, veteran.email, veteran.fhir_sync_manifest, veteran.fhir_list_hashes],
        ["", "", {}, {}]
      )
      const needed = await neededBy(id)
      assert.lengthOf(needed, 3)
      const gone = files.filter((key) => !needed.includes(key))
      await until("the other files lie in trash", async () => {
        const trash = await filesIn("trash")
        return gone.every((key) => trash.includes(key))
      })
      for (const folder of ["files", "trash", "tmp"]) {
        for (const name of await filesIn(folder)) {
          const bytes = await readFile(join(uploads, folder, name))
          for (const word of words) assert.isFalse(bytes.includes(word))
        }
      }
      for (const { output } of [one, other]) for (const word of words) assert.notInclude(output(), word)
      const { rows: [link] } = await superuser.query("select id from secure_links where veteran_id = $1", [id])
      assert.strictEqual(link.id, shown.id)
      const { rows: [{ sha256 }] } = await superuser.query(
        "select encode(recipient_sha256, 'hex') as sha256 from documents where id = $1",
        [shown.documentId]
      )
      const verified = await call(one, "POST", "/api/releases/verify", {
        body: { documentId: shown.documentId, sha256 }
      })
      assert.deepInclude(verified.json, { genuine: true, status: "revoked" })
    },
    180_000
  )
})

describe("A process that is killed", () => {
  test("between any two steps leaves a deletion that the next one finishes", async () => {
    const { id, words } = await liveALife()
    await askAsOperator(one, id)
    await lastMailSent(id)
    const step = async (client: typeof runtime, rows: number) =>
      (await client.query("select step from app.forget_veteran($1, 1800, $2)", [id, rows])).rows[0]?.step
    // Takes steps of one row. After each of them, takes all that are left, and undoes these.
    await superuser.query("begin")
    await letTimePass(superuser, id)
    let steps = 0
    for (let taken: string | undefined; taken !== "end"; steps++) {
      taken = await step(superuser, 1)
      assert.isDefined(taken)
      await superuser.query("savepoint taken")
      while (await step(superuser, 500) !== undefined);
      const { proofs, ...rows } = await rowsOf(superuser, id)
      assert.isAbove(proofs!, 10)
      assert.deepStrictEqual(rows, { ...kept, outbox: 1 }, `after ${steps + 1} steps`)
      await superuser.query("rollback to taken")
    }
    await superuser.query("rollback")
    assert.isAbove(steps, 5)
    assert.isBelow(steps, 200)
    await letTimePass(superuser, id)
    // The services take steps too, so that the end may be theirs.
    for (let taken = 1; taken <= steps / 2; taken++) {
      await step(runtime, 1)
      const answer = await call(one, "POST", "/api/auth/veteran/session", {
        headers: { "x-veteran-session-exchange": "test exchange secret" },
        body: { vaPatientId: words[1] }
      })
      assert.strictEqual(answer.status, 404, `after ${taken} steps`)
    }
    await forget(superuser, database, home, id)
    assert.deepStrictEqual(await stays(id), kept)
  }, 600_000)

  test("keeps no other veteran waiting who can be forgotten", async () => {
    const [stuck, due] = [await signInDevice(one, va), await signInDevice(one, va)]
    const holder = await database.connect("superuser")
    await holder.query("begin")
    await holder.query("select from veterans where id = $1 for no key update", [stuck.person.id])
    for (const { person } of [stuck, due]) {
      await askAsOperator(one, person.id)
      await letTimePass(superuser, person.id)
    }
    await forgetNow(database, home)
    await until("the other one is forgotten", async () => {
      const { rows } = await superuser.query("select veteran_id as id from veteran_deletions")
      return rows.length === 1 && rows[0].id === stuck.person.id
    })
    await holder.query("rollback")
    await forget(superuser, database, home, stuck.person.id)
  }, 180_000)

  test("by SIGKILL in the middle of a large record leaves one that another process finishes", async () => {
    const { id, words } = await liveALife()
    const size = 6_000
    await superuser.query(
      `insert into health_record_items
         (veteran_id, id, resource_type, fhir_id, raw_ciphertext, content_mac, sensitive_categories)
       select veteran_id, gen_random_uuid(), resource_type, 'more' || n, raw_ciphertext, content_mac, '{}'
       from generate_series(1, $2) n, lateral (select * from health_record_items where veteran_id = $1 limit 1) i`,
      [id, size]
    )
    await askAsOperator(one, id)
    await other.stop("SIGKILL")
    await letTimePass(superuser, id)
    const count = async () =>
      (await superuser.query("select count(*)::int from health_record_items where veteran_id = $1", [id])).rows[0].count
    const left = await until("some items are gone", async () => {
      const items = await count()
      return items < size ? items : undefined
    })
    await one.stop("SIGKILL")
    assert.isAbove(left, 0)
    await start()
    await until("the veteran is forgotten", async () => Object.keys(await rowsOf(superuser, id)).length === 7)
    assert.deepStrictEqual(await stays(id), kept)
    assert.deepStrictEqual(await tablesWith(superuser, words), [])
  }, 300_000)
})
