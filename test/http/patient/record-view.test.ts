import { assert, describe, test } from "vitest"
import { call, giveGrant } from "../../support/Client.ts"
import { instant } from "../../support/Formats.ts"
import { newProvider } from "../../support/Providers.ts"
import { resource, sync } from "../../support/Sync.ts"
import { sign, upload } from "../release/Releases.ts"
import { readNotes, readPatientRecord, seenByProvider, writeNote } from "../Sharing.ts"
import { openPair, provider, veteran, view } from "./Pair.ts"

const { service, superuser } = await openPair()

const sectionsOf = async (query = "") => {
  const { sections } = await view(query)
  return sections.map((
    { itemCount, lastFetch, resourceType, state }: any
  ) => [resourceType, state, lastFetch, itemCount])
}

describe("GET /api/provider/patients/{veteranId}/record", () => {
  test("answers with all parts of a record, each empty, for a veteran without data", async () => {
    const grant = await giveGrant(service, veteran, provider)
    assert.deepStrictEqual(await view(), {
      veteran: { id: veteran.id, callSign: "Eagle" },
      grant: seenByProvider(grant),
      alerts: [],
      sections: [],
      selfReported: [],
      notes: [],
      documents: []
    })
  })

  test("answers with JSON that no cache keeps", async () => {
    await giveGrant(service, veteran, provider)
    const { headers } = await readPatientRecord(service, provider, veteran)
    assert.strictEqual(headers.get("content-type"), "application/json")
    assert.strictEqual(headers.get("cache-control"), "no-store")
  })

  test("shows a section for each type with its state and its items", async () => {
    await giveGrant(service, veteran, provider)
    const synced = await sync(service, veteran, {
      Condition: "complete",
      Observation: "partial",
      Immunization: "empty",
      Encounter: "unavailable"
    }, {
      Condition: [resource("Condition", "b"), resource("Condition", "a")],
      Observation: [resource("Observation", "o")]
    })
    const { sections } = await view()
    assert.deepStrictEqual(sections.map(({ items: _, ...section }: any) => section), [
      {
        resourceType: "Condition",
        state: "complete",
        lastFetch: "complete",
        lastFetchAt: synced.json.manifest.Condition.lastFetchAt,
        lastCompleteAt: synced.json.manifest.Condition.lastCompleteAt,
        itemCount: 2,
        nextCursor: null
      },
      {
        resourceType: "Encounter",
        state: "unknown",
        lastFetch: "unavailable",
        lastFetchAt: synced.json.manifest.Encounter.lastFetchAt,
        lastCompleteAt: null,
        itemCount: 0,
        nextCursor: null
      },
      {
        resourceType: "Immunization",
        state: "empty",
        lastFetch: "empty",
        lastFetchAt: synced.json.manifest.Immunization.lastFetchAt,
        lastCompleteAt: null,
        itemCount: 0,
        nextCursor: null
      },
      {
        resourceType: "Observation",
        state: "partial",
        lastFetch: "partial",
        lastFetchAt: synced.json.manifest.Observation.lastFetchAt,
        lastCompleteAt: null,
        itemCount: 1,
        nextCursor: null
      }
    ])
    const [{ id, syncedAt, ...item }, second] = sections[0].items
    assert.match(id, /^[0-9a-f-]{36}$/)
    assert.match(syncedAt, instant)
    assert.deepStrictEqual(item, {
      resourceType: "Condition",
      fhirId: "a",
      active: true,
      resource: { resourceType: "Condition", id: "a" }
    })
    assert.strictEqual(second.fhirId, "b")
  })

  test("shows only the types that a grant covers", async () => {
    await sync(service, veteran, { Condition: "complete", Observation: "partial", Immunization: "partial" })
    await giveGrant(service, veteran, provider, { resourceTypes: ["Observation", "Goal"] })
    assert.deepStrictEqual(await sectionsOf(), [["Observation", "partial", "partial", 0]])
    await giveGrant(service, veteran, provider, { resourceTypes: ["Condition"] })
    assert.deepStrictEqual((await sectionsOf()).map(([type]: [string]) => type), ["Condition", "Observation"])
    assert.deepStrictEqual((await view()).alerts.map(({ resourceType }: any) => resourceType), ["Observation"])
  })

  test("hides inactive items", async () => {
    await giveGrant(service, veteran, provider)
    await sync(service, veteran, { Condition: "complete" }, {
      Condition: ["a", "b"].map((id) => resource("Condition", id))
    })
    await sync(service, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "b")] })
    const { sections: [{ itemCount, items }] } = await view()
    assert.deepStrictEqual([itemCount, items.map(({ fhirId }: any) => fhirId)], [1, ["b"]])
  })

  test("shows each resource as the exact text that was synchronised", async () => {
    await giveGrant(service, veteran, provider)
    const texts = [
      "{ \"resourceType\" : \"Observation\",\n\t\"id\":\"a\", \"valueQuantity\": {\"value\": 1.00, \"low\":-1.000000000000000000E+245} }",
      "{\"id\":\"b\",\"resourceType\":\"Observation\",\"note\":[{\"text\":\"\\u00fc \\/ ü 😀 <script>\"}],\"x\":1,\"x\":2}",
      "{\"resourceType\":\"Observation\",\"id\":\"c\",\"value\":0.10,\"n\":12345678901234567890}"
    ]
    await sync(service, veteran, { Observation: "complete" }, { Observation: texts })
    const { text } = await readPatientRecord(service, provider, veteran)
    for (const id of "abc") assert.include(text, `"fhirId":"${id}","active":true,"syncedAt":"`)
    for (const exact of texts) assert.include(text, `,"resource":${exact}}`)
  })
})

// test/domain/Alert.test.ts has the whole table.
test("The alerts of a record are told to the provider and the veteran alike", async () => {
  await giveGrant(service, veteran, provider)
  await sync(
    service,
    veteran,
    { Condition: "complete", Goal: "empty", Observation: "partial", Procedure: "complete" },
    {
      Condition: [resource("Condition", "c")],
      Observation: [resource("Observation", "o")]
    }
  )
  await sync(service, veteran, { Condition: "unavailable", Goal: "unavailable" })
  const { alerts, sections } = await view()
  const { lastCompleteAt } = sections.find(({ resourceType }: any) => resourceType === "Condition")
  assert.match(lastCompleteAt, instant)
  assert.deepStrictEqual(alerts, [
    {
      resourceType: "Condition",
      code: "record_stale",
      message: "Condition: the data shown comes from the last complete sync; the most recent fetch was incomplete.",
      lastCompleteAt
    },
    {
      resourceType: "Goal",
      code: "last_fetch_incomplete",
      message: "Goal: the most recent fetch could not load all upstream data.",
      lastCompleteAt: null
    },
    {
      resourceType: "Observation",
      code: "record_incomplete",
      message: "Observation: the record is incomplete because some upstream data could not be loaded.",
      lastCompleteAt: null
    }
  ])
  const own = await call(service, "GET", "/api/veteran/me/alerts", { headers: veteran.headers })
  assert.deepStrictEqual(own.json, { items: alerts, nextCursor: null })
})

describe("A record view", () => {
  const report = (text: string) =>
    call(service, "POST", "/api/veteran/me/self-reported-entries", {
      headers: veteran.headers,
      body: { category: "symptom", text, occurredOn: "2026-01-31" }
    })

  test("shows entries and documents only if a grant includes them, and only the provider's own notes", async () => {
    const entry = (await report("Headache")).json
    const deleted = (await report("Mistake")).json
    await call(service, "DELETE", `/api/veteran/me/self-reported-entries/${deleted.id}`, { headers: veteran.headers })
    const uploaded = (await upload(service, veteran, "discharge letter")).json
    assert.strictEqual((await sign(service, veteran)).status, 201)
    const other = await newProvider(superuser)
    await giveGrant(service, veteran, other)
    await writeNote(service, other, veteran, { text: "Another's." })
    const shown: Array<readonly [unknown, unknown]> = []
    for (const [includeSelfReported, includeDocuments] of [[false, false], [true, false], [false, true]]) {
      await giveGrant(service, veteran, provider, { resourceTypes: ["Goal"], includeSelfReported, includeDocuments })
      const record = await view()
      shown.push([record.selfReported, record.documents])
    }
    // Each further grant adds to the earlier grants.
    assert.deepStrictEqual(shown, [[[], []], [[entry], []], [[entry], [uploaded]]])
    const note = (await writeNote(service, provider, veteran, { text: "My own." })).json
    assert.deepStrictEqual((await view()).notes, [note])
    assert.deepStrictEqual((await readNotes(service, provider, veteran)).json.items, [note])
  })
})
