import { assert, describe, test } from "vitest"
import { call, giveGrant, signInVeteran } from "../../support/Client.ts"
import { resource, sync } from "../../support/Sync.ts"
import { listPatients, readPatientRecord } from "../Sharing.ts"
import { openPair, provider, readChanges as changes, veteran } from "./Pair.ts"

const { service, superuser } = await openPair()

const look = async (by = provider) => {
  await readPatientRecord(service, by, veteran)
  const { items } = (await listPatients(service, by)).json
  return items[0].lastLookedAt as string
}

type Versions = Readonly<Record<string, number>>

const store = (conditions: Versions, more: Readonly<Record<string, ReadonlyArray<string>>> = {}) => {
  const texts = {
    Condition: Object.entries(conditions).map(([id, version]) => resource("Condition", id, { version })),
    ...more
  }
  return sync(service, veteran, Object.fromEntries(Object.keys(texts).map((type) => [type, "complete"])), texts)
}

const told = ({ json }: Awaited<ReturnType<typeof changes>>) =>
  json.items.map(({ fhirId, how, resourceType }: any) => `${how} ${resourceType}/${fhirId}`)

describe("GET /api/provider/patients/{veteranId}/record/changes", () => {
  test("tells what is new or changed since the look before the present one, by type and id", async () => {
    await giveGrant(service, veteran, provider)
    await store({ a: 1, b: 1, c: 1 })
    const first = await look()
    await store({ a: 1, b: 2, d: 1 }, { AllergyIntolerance: [resource("AllergyIntolerance", "x")] })
    await look()
    const answer = await changes()
    assert.strictEqual(answer.status, 200, answer.text)
    assert.deepStrictEqual(answer.json, {
      since: first,
      items: [
        { resourceType: "AllergyIntolerance", fhirId: "x", how: "new" },
        { resourceType: "Condition", fhirId: "b", how: "changed" },
        { resourceType: "Condition", fhirId: "d", how: "new" }
      ],
      nextCursor: null
    })
    assert.strictEqual(answer.headers.get("cache-control"), "no-store")
  })

  test("tells nothing before the second look", async () => {
    await giveGrant(service, veteran, provider)
    await store({ a: 1 })
    assert.deepStrictEqual((await changes()).json, { since: null, items: [], nextCursor: null })
    const first = await look()
    await store({ a: 2 })
    assert.deepStrictEqual((await changes()).json, { since: null, items: [], nextCursor: null })
    await look()
    assert.deepStrictEqual([(await changes()).json.since, told(await changes())], [first, ["changed Condition/a"]])
  })

  test("takes any moment as since, also a look's and one far away", async () => {
    await giveGrant(service, veteran, provider)
    await store({ a: 1 })
    const first = await look()
    await store({ a: 1, b: 1 })
    const second = await look()
    await store({ a: 2, b: 1 })
    const at = async (since: string) => {
      const answer = await changes(`?since=${encodeURIComponent(since)}`)
      assert.strictEqual(answer.json.since, new Date(since).toISOString())
      return told(answer)
    }
    assert.deepStrictEqual(await at(second), ["changed Condition/a"])
    assert.deepStrictEqual(await at(first), ["changed Condition/a", "new Condition/b"])
    assert.deepStrictEqual(await at("0001-01-01T00:00:00Z"), ["new Condition/a", "new Condition/b"])
    assert.deepStrictEqual(await at("9999-12-31T23:59:59.999Z"), [])
    assert.deepStrictEqual(await at("2020-02-29T12:00:00.123456789+14:00"), ["new Condition/a", "new Condition/b"])
  })

  test.each(["", "yesterday", "2026-11-21", "2026-02-30T00:00:00Z", "2026-01-01T00:00:00", "1e400",
    "-271821-04-20T00:00:00Z", "+275760-09-13T00:00:00Z", "0000-01-01T00:00:00Z", "10000-01-01T00:00:00Z",
    "2026-01-01T00:00:00Z\0", "null"])(
      "refuses since=%j with 400",
      async (since) => {
        await giveGrant(service, veteran, provider)
        const answer = await changes(`?since=${encodeURIComponent(since)}`)
        assert.deepStrictEqual([answer.status, answer.json.error, answer.json.issues[0].path], [400, "invalid_request",
          [
            "since"
          ]])
      }
    )

  test("tells a change of a sync that was still running when the provider looked", async () => {
    await giveGrant(service, veteran, provider)
    await store({ a: 1 })
    await look()
    // The sync's transaction has begun, and waits for the veteran's row.
    await superuser.query("begin; select from veterans where id = $1 for update".replace("$1", `'${veteran.id}'`))
    const running = store({ a: 2 })
    const waiting = "select from pg_locks where not granted"
    while ((await superuser.query(waiting)).rowCount === 0) { /* until it waits */ }
    await superuser.query("select pg_sleep(0.01)")
    await superuser.query("commit")
    await running
    // A look whose clock is ahead of the sync's, as one during the sync would be.
    await superuser.query("update record_looks set looked_at = clock_timestamp() where veteran_id = $1", [veteran.id])
    const [{ lastLookedAt, changedSince }] = (await listPatients(service, provider)).json.items
    assert.isTrue(changedSince)
    assert.deepStrictEqual(told(await changes(`?since=${lastLookedAt}`)), ["changed Condition/a"])
    await look()
    assert.deepStrictEqual(told(await changes()), ["changed Condition/a"])
  })

  test("answers page by page, and a cursor goes on from the same moment", async () => {
    await giveGrant(service, veteran, provider)
    await look()
    const ids = Array.from({ length: 7 }, (_, n) => `c${n}`)
    await store(Object.fromEntries(ids.map((id) => [id, 1])), { Goal: [resource("Goal", "c0"), resource("Goal", "z")] })
    const since = (await look(), (await changes()).json.since)
    const pages: Array<ReadonlyArray<string>> = []
    for (let query = "?limit=4"; query !== "";) {
      const page = await changes(query)
      assert.strictEqual(page.json.since, since)
      pages.push(told(page))
      // A look between two pages does not move their moment.
      await look()
      query = page.json.nextCursor === null ? "" : `?limit=4&cursor=${page.json.nextCursor}`
    }
    assert.deepStrictEqual(pages, [
      ids.slice(0, 4).map((id) => `new Condition/${id}`),
      [...ids.slice(4).map((id) => `new Condition/${id}`), "new Goal/c0"],
      ["new Goal/z"]
    ])
  })

  test("refuses a cursor of another veteran or moment, and an unknown parameter", async () => {
    const twin = await signInVeteran(service)
    for (const  of of[veteran, twin]) await giveGrant(service, of, provider)
    await look()
    await store({ a: 1, b: 1 })
    await look()
    const { nextCursor, since } = (await changes("?limit=1")).json
    assert.strictEqual((await changes(`?cursor=${nextCursor}&since=${since}`)).status, 200)
    for (
      const refused of [
        await changes(`?cursor=${nextCursor}`, provider, twin),
        await changes(`?cursor=${nextCursor}&since=2020-01-01T00:00:00Z`),
        await changes("?resourceType=Condition")
      ]
    ) {
      assert.deepStrictEqual([refused.status, refused.json.error], [400, "invalid_request"])
    }
  })

  test("tells only what the grant covers", async () => {
    await giveGrant(service, veteran, provider, { resourceTypes: ["Condition"] })
    await look()
    await store({ a: 1 }, {
      Condition: [resource("Condition", "a"), resource("Condition", "h", { categories: ["hiv"] })],
      Goal: [resource("Goal", "g")]
    })
    assert.deepStrictEqual(told(await changes("?since=2020-01-01T00:00:00Z")), ["new Condition/a"])
  })

  test("tells an item as new that was withheld, or away, when the provider looked (38 U.S.C. 7332)", async () => {
    await giveGrant(service, veteran, provider)
    const own = (categories: ReadonlyArray<"hiv">) => resource("Condition", "own", { categories })
    const target = (categories: ReadonlyArray<"hiv">) => resource("Procedure", "target", { categories })
    const referring = JSON.stringify({
      ...JSON.parse(resource("Condition", "referring")),
      subject: { reference: "Procedure/target" }
    })
    const both = { Condition: "complete", Procedure: "complete" }
    await sync(service, veteran, both, { Condition: [own(["hiv"]), referring], Procedure: [target(["hiv"])] })
    await look()
    await sync(service, veteran, both, { Condition: [own([]), referring], Procedure: [target([])] })
    const second = await look()
    assert.deepStrictEqual(told(await changes()), ["new Condition/own", "new Condition/referring",
      "new Procedure/target"])
    await sync(service, veteran, { Procedure: "empty" })
    const third = await look()
    assert.deepStrictEqual(told(await changes(`?since=${second}`)), [])
    await sync(service, veteran, both, { Condition: [own([]), referring], Procedure: [target([])] })
    assert.deepStrictEqual(told(await changes(`?since=${third}`)), ["new Procedure/target"])
  })

  test("is told to the veteran as a look, once a minute for the same types", async () => {
    await giveGrant(service, veteran, provider)
    await look()
    await store({ a: 1 })
    const views = async () => {
      const path = "/api/veteran/me/disclosures?kind=record_viewed"
      const { items } = (await call(service, "GET", path, { headers: veteran.headers })).json
      return items.map(({ resourceTypes }: any) => resourceTypes)
    }
    const before = (await views()).length
    await changes("?since=2020-01-01T00:00:00Z")
    await changes("?since=2020-01-01T00:00:00Z")
    assert.deepStrictEqual((await views()).slice(0, (await views()).length - before), [{ Condition: 1 }])
  })
})
