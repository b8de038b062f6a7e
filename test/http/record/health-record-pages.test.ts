import { assert, beforeEach, describe, test } from "vitest"
import { call, giveGrant, signInVeteran } from "../../support/Client.ts"
import { resource, sync } from "../../support/Sync.ts"
import { openPair, provider, veteran, view } from "../patient/Pair.ts"
import { readPatientRecord } from "../Sharing.ts"

const { service } = await openPair()

describe("GET /api/provider/patients/{veteranId}/record?resourceType=", () => {
  beforeEach(async () => {
    const ids = Array.from({ length: 7 }, (_, n) => `c${n}`)
    await sync(service, veteran, { Condition: "complete", Observation: "partial" }, {
      Condition: ids.map((id) => resource("Condition", id)),
      Observation: [resource("Observation", "o")]
    })
  })

  test("shows only the section and the alerts of this type", async () => {
    await giveGrant(service, veteran, provider)
    const record = await view("?resourceType=Observation")
    assert.deepStrictEqual(record.sections.map(({ resourceType }: any) => resourceType), ["Observation"])
    assert.deepStrictEqual(record.alerts.map(({ resourceType }: any) => resourceType), ["Observation"])
  })

  test("continues from a cursor of the record of all types", async () => {
    await giveGrant(service, veteran, provider)
    const { sections: [{ items, nextCursor }, { nextCursor: none }] } = await view("?limit=6")
    assert.deepStrictEqual([items.length, none], [6, null])
    const { sections: [rest] } = await view(`?resourceType=Condition&limit=6&cursor=${nextCursor}`)
    assert.deepStrictEqual(rest.items.map(({ fhirId }: any) => fhirId), ["c6"])
  })

  test("ends a page at about 4 MB, even if later sections get no items, and continues from each cursor", async () => {
    await giveGrant(service, veteran, provider)
    const large = (type: string, id: string) =>
      `{"resourceType":"${type}","id":"${id}","text":"${"x".repeat(2_500_000)}"}`
    const texts = (type: string) => ["a", "b", "c"].map((id) => large(type, id))
    const resources = { Condition: texts("Condition"), Procedure: texts("Procedure") }
    await sync(service, veteran, { Condition: "complete", Procedure: "complete" }, resources)
    const idsOf = ({ items }: any) => items.map(({ fhirId }: any) => fhirId)
    const [conditions, procedures] = (await view()).sections.filter(({ resourceType }: any) =>
      resourceType !== "Observation"
    )
    assert.deepStrictEqual([conditions, procedures].map((section) => [section.itemCount, idsOf(section)]), [
      [3, ["a", "b"]],
      [3, []]
    ])
    const [rest] = (await view(`?resourceType=Condition&cursor=${conditions.nextCursor}`)).sections
    assert.deepStrictEqual([idsOf(rest), rest.nextCursor], [["c"], null])
    const [begun] = (await view(`?resourceType=Procedure&cursor=${procedures.nextCursor}`)).sections
    assert.deepStrictEqual([idsOf(begun), begun.nextCursor !== null], [["a", "b"], true])

    const pages: Array<ReadonlyArray<string>> = []
    for (let cursor = ""; pages.length < 9;) {
      const { json } = await call(service, "GET", `/api/veteran/me/health-record?limit=1000${cursor}`, veteran)
      pages.push(json.items.map(({ fhirId, resourceType }: any) => `${resourceType[0]}${fhirId}`))
      if (json.nextCursor === null) break
      cursor = `&cursor=${encodeURIComponent(json.nextCursor)}`
    }
    // `beforeEach` synchronised the Observation.
    assert.deepStrictEqual(pages, [["Ca", "Cb"], ["Cc", "Oo", "Pa"], ["Pb", "Pc"]])
  })

  test("shows up to 1,000 items of a section on a page, and 50 by default", async () => {
    await giveGrant(service, veteran, provider)
    const texts = Array.from({ length: 1003 }, (_, n) => resource("Condition", `c${1000 + n}`))
    await sync(service, veteran, { Condition: "complete" }, { Condition: texts })
    const [whole] = (await view("?resourceType=Condition&limit=1000")).sections
    assert.deepStrictEqual([whole.itemCount, whole.items.length], [1003, 1000])
    const [rest] = (await view(`?resourceType=Condition&limit=1000&cursor=${whole.nextCursor}`)).sections
    assert.deepStrictEqual([rest.items.length, rest.nextCursor], [3, null])
    assert.lengthOf((await view("?resourceType=Condition")).sections[0].items, 50)
  })

  test("fills its pages with visible items, without a gap where others are withheld", async () => {
    await giveGrant(service, veteran, provider)
    const texts = ["c1", "c3", "c5", "c6"].map((id) => resource("Condition", id)).concat(
      ["c0", "c2", "c4", "c7", "c8"].map((id) => resource("Condition", id, { categories: ["hiv"] }))
    )
    await sync(service, veteran, { Condition: "complete" }, { Condition: texts })
    const first = (await view("?resourceType=Condition&limit=2")).sections[0]
    assert.deepStrictEqual([first.itemCount, first.items.map(({ fhirId }: any) => fhirId)], [4, ["c1", "c3"]])
    const second = (await view(`?resourceType=Condition&limit=2&cursor=${first.nextCursor}`)).sections[0]
    assert.deepStrictEqual([second.nextCursor, second.items.map(({ fhirId }: any) => fhirId)], [null, ["c5", "c6"]])
  })

  test("refuses a type that no grant covers", async () => {
    await giveGrant(service, veteran, provider, { resourceTypes: ["Observation"] })
    const answer = await readPatientRecord(service, provider, veteran, "?resourceType=Condition")
    assert.strictEqual(answer.status, 403)
    assert.strictEqual(answer.json.error, "consent_required")
  })

  test("refuses a cursor of another type or veteran, and a type that is none", async () => {
    await giveGrant(service, veteran, provider)
    const cursor = (await view("?resourceType=Condition&limit=1")).sections[0].nextCursor
    const ask = async (query: string, of = veteran) => {
      const { json, status } = await readPatientRecord(service, provider, of, `?${query}`)
      return [status, json.issues?.[0].path]
    }
    assert.strictEqual((await ask(`resourceType=Condition&cursor=${cursor}`))[0], 200)
    assert.deepStrictEqual(await ask(`resourceType=Observation&cursor=${cursor}`), [400, ["cursor"]])
    assert.deepStrictEqual(await ask(`cursor=${cursor}`), [400, ["cursor"]])
    assert.deepStrictEqual(await ask("resourceType=condition"), [400, ["resourceType"]])
    const other = await signInVeteran(service)
    await giveGrant(service, other, provider)
    assert.deepStrictEqual(await ask(`resourceType=Condition&cursor=${cursor}`, other), [400, ["cursor"]])
  })
})
