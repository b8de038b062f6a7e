import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, registerVeterans, type SignedIn, signIn } from "../../support/Client.ts"
import { uuid } from "../../support/Formats.ts"
import { readRecord, resource, sync } from "../../support/Sync.ts"

const { database, service } = await openApp()

const owner = await database.connect("owner")

const superuser = await database.connect("superuser")

const newVeteran = async () => signIn(service, (await registerVeterans(owner, 1))[0]!)

const get = (veteran: SignedIn, query: string) =>
  call(service, "GET", `/api/veteran/me/health-record${query}`, { headers: veteran.headers })

const ids = (count: number) => Array.from({ length: count }, (_, n) => `i-${1000 + n}`)

/** The record has 65 conditions, of which 5 are inactive, and 55 procedures. */
const withRecord = async () => {
  const veteran = await newVeteran()
  const resources = {
    Condition: ids(65).map((id) => resource("Condition", id)),
    Procedure: ids(55).map((id) => resource("Procedure", id))
  }
  await sync(service, veteran, { Condition: "complete", Procedure: "complete" }, resources)
  await sync(service, veteran, { Condition: "complete" }, { Condition: resources.Condition.slice(5) })
  return { veteran, resources }
}

describe("GET /health-record", () => {
  test("answers with each item and its documented members, and the manifest", async () => {
    const veteran = await newVeteran()
    const synced = await sync(service, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "a")] })
    const answer = await get(veteran, "")
    assert.strictEqual(answer.status, 200)
    assert.strictEqual(answer.headers.get("content-type"), "application/json")
    assert.strictEqual(answer.headers.get("cache-control"), "no-store")
    const [{ id, syncedAt }] = answer.json.items
    assert.match(id, uuid)
    assert.strictEqual(new Date(syncedAt).toISOString(), syncedAt)
    assert.deepStrictEqual(answer.json, {
      items: [{
        id,
        resourceType: "Condition",
        fhirId: "a",
        active: true,
        syncedAt,
        sensitiveCategories: [],
        resource: JSON.parse(resource("Condition", "a"))
      }],
      nextCursor: null,
      manifest: synced.json.manifest
    })
  })

  test("tells the veteran what a grant must include to show each item (contract, part 4)", async () => {
    const veteran = await newVeteran()
    const texts = [resource("Condition", "a", { categories: ["hiv", "alcohol_abuse"] }), resource("Condition", "b")]
    await sync(service, veteran, { Condition: "complete" }, { Condition: texts })
    const { items, text } = { ...(await get(veteran, "")).json, text: (await get(veteran, "")).text }
    assert.deepStrictEqual(
      items.map(({ sensitiveCategories }: any) => sensitiveCategories),
      [["alcohol_abuse", "hiv"], []]
    )
    assert.match(text, /"syncedAt":"[^"]+","sensitiveCategories":\["alcohol_abuse","hiv"\],"resource":\{/)
  })

  test("answers with an empty record before the first sync", async () => {
    const answer = await get(await newVeteran(), "")
    assert.deepStrictEqual(answer.json, { items: [], nextCursor: null, manifest: {} })
  })

  test("shows each active item once, in order, for any size of the page", async () => {
    const { resources, veteran } = await withRecord()
    const expected = [...resources.Condition.slice(5), ...resources.Procedure]
    for (const limit of ["9", "60", "115", "200"]) {
      const { items } = await readRecord(service, veteran, { limit })
      assert.deepStrictEqual(items.map(({ text }) => text), expected, `limit ${limit}`)
      assert.strictEqual(new Set(items.map(({ id }) => id)).size, expected.length)
    }
  })

  test("shows a single type, and inactive items, if requested", async () => {
    const { resources, veteran } = await withRecord()
    const procedures = await readRecord(service, veteran, { resourceType: "Procedure", limit: "20" })
    assert.deepStrictEqual(procedures.items.map(({ text }) => text), resources.Procedure)
    const all = await readRecord(service, veteran, { includeInactive: "true", limit: "30" })
    assert.deepStrictEqual(all.items.map(({ text }) => text), [...resources.Condition, ...resources.Procedure])
    assert.deepStrictEqual(all.items.flatMap(({ active, fhirId }) => active ? [] : [fhirId]), ids(5))
    const active = await readRecord(service, veteran, { includeInactive: "false", resourceType: "Condition" })
    assert.deepStrictEqual(active.items.map(({ text }) => text), resources.Condition.slice(5))
    assert.deepStrictEqual((await readRecord(service, veteran, { resourceType: "Goal" })).items, [])
  })

  test("shows up to 1,000 items on a page, and 50 by default", async () => {
    const veteran = await newVeteran()
    const texts = ids(1003).map((id) => resource("Condition", id))
    await sync(service, veteran, { Condition: "complete" }, { Condition: texts })
    const first = (await get(veteran, "?limit=1000")).json
    assert.lengthOf(first.items, 1000)
    const second = (await get(veteran, `?limit=1000&cursor=${first.nextCursor}`)).json
    assert.deepStrictEqual([second.items.length, second.nextCursor], [3, null])
    assert.lengthOf((await get(veteran, "")).json.items, 50)
  })

  test("neither repeats nor skips a remaining item when a sync comes between two pages", async () => {
    const veteran = await newVeteran()
    const texts = ids(40).map((id) => resource("Condition", id))
    await sync(service, veteran, { Condition: "complete" }, { Condition: texts })
    const first = await get(veteran, "?limit=20")
    await sync(service, veteran, { Condition: "complete" }, {
      Condition: [...texts.slice(10), resource("Condition", "h-new")]
    })
    const second = await get(veteran, `?limit=200&cursor=${first.json.nextCursor}`)
    assert.deepStrictEqual([...first.json.items, ...second.json.items].map(({ fhirId }: any) => fhirId), ids(40))
  })

  test("refuses a wrong parameter, and the cursor of a list of one type", async () => {
    const { veteran } = await withRecord()
    const cursorOf = async (query: string) => (await get(veteran, query)).json.nextCursor as string
    for (
      const query of ["resourceType=condition", "resourceType=../x", "includeInactive=yes",
        `cursor=${"A".repeat(2000)}`, `cursor=${await cursorOf("?limit=20&resourceType=Condition")}`,
        `cursor=${await cursorOf("?limit=20")}&resourceType=Condition`]
    ) {
      const answer = await get(veteran, `?${query}`)
      assert.deepStrictEqual([answer.status, answer.json.error], [400, "invalid_request"])
      assert.deepStrictEqual(answer.json.issues[0].path, [query.split("=")[0]])
    }
  })
})

describe("Ciphertext that was changed or moved in the database", () => {
  const secret = "Kryptonite allergy"

  const assertHidden = async (veteran: SignedIn) => {
    const answer = await get(veteran, "")
    assert.strictEqual(answer.status, 500)
    assert.deepStrictEqual(answer.json, {
      error: "internal_error",
      message: answer.json.message,
      requestId: answer.headers.get("x-request-id")
    })
    assert.notInclude(answer.text, "Kryptonite")
    assert.notInclude(service.output(), "Kryptonite")
  }

  const withTwo = async () => {
    const veteran = await newVeteran()
    const texts = ["a", "b"].map((id) => JSON.stringify({ resourceType: "Condition", id, note: [{ text: secret }] }))
    await sync(service, veteran, { Condition: "complete" }, { Condition: texts })
    return veteran
  }

  const ofOther = (other: SignedIn, condition: string) =>
    `raw_ciphertext = o.raw_ciphertext from health_record_items o where o.veteran_id = '${other.id}' and ${condition}`

  test.each<readonly [what: string, change: (veteran: SignedIn, other: SignedIn) => string]>([
    ["a bit of it is flipped", () =>
      "raw_ciphertext = set_byte(raw_ciphertext, 40, get_byte(raw_ciphertext, 40) # 1) where true"],
    ["the ciphertexts of two items are swapped", (veteran) => ofOther(veteran, "i.fhir_id <> o.fhir_id")],
    ["it was copied from another veteran's item", (_, other) => ofOther(other, "i.fhir_id = o.fhir_id")]
  ])("leads to 500 and shows nothing when %s", async (_, change) => {
    const [veteran, other] = [await withTwo(), await withTwo()]
    await superuser.query(
      `update health_record_items i set ${change(veteran, other)} and i.veteran_id = '${veteran.id}'`
    )
    await assertHidden(veteran)
    assert.include((await get(other, "")).text, secret)
  })
})
