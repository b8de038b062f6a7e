import { setTimeout } from "node:timers/promises"
import { assert, describe, test } from "vitest"
import { call, giveGrant, signInVeteran } from "../../support/Client.ts"
import { resource, sync } from "../../support/Sync.ts"
import { readAccount } from "../ledger/Account.ts"
import { upload } from "../release/Releases.ts"
import { listPatients, readPatientRecord, revoke } from "../Sharing.ts"
import { openPair, provider, readChanges, veteran } from "./Pair.ts"

const { database, service, superuser } = await openPair()

const look = () => readPatientRecord(service, provider, veteran)

const changes = async (query = "") => (await readChanges(query)).json

const isNew = async () => (await listPatients(service, provider)).json.items[0].changedSince as boolean

const store = (...ids: ReadonlyArray<string>) =>
  sync(service, veteran, { Condition: "complete" }, { Condition: ids.map((id) => resource("Condition", id)) })

/** Moves the looks back in time, as if these minutes had passed since. */
const pass = (minutes: number) =>
  superuser.query(
    `update record_looks set looked_at = looked_at - $2::interval, looked_before_at = looked_before_at - $2::interval
     where veteran_id = $1`,
    [veteran.id, `${minutes} minutes`]
  )

describe("A sitting", () => {
  test("keeps what is new however often the record is read again, and ends after 30 minutes without a look", async () => {
    await giveGrant(service, veteran, provider)
    await store("a")
    await look()
    await pass(31)
    const { items: [{ lastLookedAt: before }] } = (await listPatients(service, provider)).json
    await store("a", "b")
    for (const _ of [1, 2, 3]) {
      await look()
      const { items, since } = await changes()
      assert.deepStrictEqual([since, items.map(({ fhirId }: any) => fhirId)], [before, ["b"]])
    }
    await pass(29)
    await look()
    assert.lengthOf((await changes()).items, 1)
    await pass(31)
    await look()
    assert.lengthOf((await changes()).items, 0)
  })

  test("marks what came since the first look of all, also within 30 minutes", async () => {
    await giveGrant(service, veteran, provider)
    await look()
    assert.isNull((await changes()).since)
    await store("a")
    assert.isTrue(await isNew())
    await look()
    await look()
    assert.lengthOf((await changes()).items, 1)
  })
})

describe("A patient in the list is told as new", () => {
  const entry = (method: "POST" | "PATCH" | "DELETE", id = "", body?: object) =>
    call(service, method, `/api/veteran/me/self-reported-entries${id}`, { headers: veteran.headers, body })

  test("when the veteran wrote, changed or uploaded something that the grant shows", async () => {
    await giveGrant(service, veteran, provider, { includeSelfReported: true, includeDocuments: true })
    await look()
    const { json: { id } } = await entry("POST", "", { category: "symptom", text: "Dizzy" })
    assert.isTrue(await isNew(), "an entry was written")
    await look()
    assert.isFalse(await isNew())
    await entry("PATCH", `/${id}`, { text: "Very dizzy" })
    assert.isTrue(await isNew(), "an entry was changed")
    await look()
    await entry("DELETE", `/${id}`)
    assert.isFalse(await isNew(), "what went away is not told")
    await upload(service, veteran, "text", "letter.txt")
    assert.isTrue(await isNew(), "a document was uploaded")
    await look()
    assert.isFalse(await isNew())
  })

  test("not when the grant shows neither entries nor documents", async () => {
    await giveGrant(service, veteran, provider, { includeSelfReported: false, includeDocuments: false })
    await look()
    await entry("POST", "", { category: "symptom", text: "Dizzy" })
    await upload(service, veteran, "text", "letter.txt")
    assert.isFalse(await isNew())
  })

  test("when a grant was given since the look, because it may show more", async () => {
    await store("a")
    await giveGrant(service, veteran, provider, { resourceTypes: ["Goal"] })
    await look()
    assert.isFalse(await isNew())
    await setTimeout(2)
    await giveGrant(service, veteran, provider)
    assert.isTrue(await isNew())
    await look()
    assert.isFalse(await isNew())
  })
})

test("A request for changes that finds none is no look in the veteran's account", async () => {
  await giveGrant(service, veteran, provider)
  await store("a")
  for (const query of ["", "?since=9999-01-01T00:00:00Z", "?since=2020-01-01T00:00:00Z"]) await changes(query)
  const { items } = (await readAccount(service, veteran, "?kind=record_viewed")).json
  assert.deepStrictEqual(items.map(({ resourceTypes }: any) => resourceTypes), [{ Condition: 1 }])
})

test("A grant that ends while the list is read is left out, and the veteran's other grants stay", async () => {
  const other = await signInVeteran(service)
  await giveGrant(service, other, provider)
  const ended = await giveGrant(service, veteran, provider)
  const blocker = await database.connect("superuser")
  // Holds the list between its first read, of the grants, and its second one, of the looks.
  await blocker.query("begin; lock table record_looks in access exclusive mode")
  const listing = listPatients(service, provider)
  const waiting = "select from pg_locks where not granted and relation = 'record_looks'::regclass"
  while ((await superuser.query(waiting)).rowCount === 0) await setTimeout(5)
  await revoke(service, veteran, ended)
  await blocker.query("commit")
  assert.deepStrictEqual((await listing).json.items.map(({ veteranId }: any) => veteranId), [other.id])
})

test("A name in the list has at most 200 characters and ends with an ellipsis if it is longer", async () => {
  await giveGrant(service, veteran, provider)
  const patient = (text: string) => JSON.stringify({ ...JSON.parse(resource("Patient", "p")), name: [{ text }] })
  const nameOf = async (text: string) => {
    await sync(service, veteran, { Patient: "complete" }, { Patient: [patient(text)] })
    return (await listPatients(service, provider)).json.items[0].person.name as string
  }
  assert.strictEqual(await nameOf("x".repeat(200)), "x".repeat(200))
  assert.strictEqual(await nameOf("🦅".repeat(5000)), `${"🦅".repeat(199)}…`)
})
