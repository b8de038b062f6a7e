import { assert, beforeEach, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { type SignedIn, signInVeteran } from "../../support/Client.ts"
import { resource, sync } from "../../support/Sync.ts"
import { releasedRecord } from "../document/Copies.ts"
import { acceptedNow, namesIn, of } from "./ReleasedRecords.ts"
import { sign, signed } from "./Releases.ts"

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

let veteran: SignedIn

beforeEach(async () => {
  veteran = await signInVeteran(service)
})

/** The bundle that a release carries, as text. */
const bundleOf = async (id: string) => (await releasedRecord(service, superuser, id)).toString()

describe("A release carries the record that it releases", () => {
  test("in the order of type and id, even if it is read in several pages", async () => {
    const ids = Array.from({ length: 1203 }, (_, n) => `n${n}`)
    const large = ids.slice(0, 5).map((id) =>
      JSON.stringify({ resourceType: "Observation", id, note: [{ text: `${id} `.repeat(700_000) }] })
    )
    await sync(service, veteran, { Condition: "complete", Observation: "complete" }, {
      Condition: ids.map((id) => resource("Condition", id, id.endsWith("7") ? { categories: ["hiv"] } : {})),
      Observation: large
    })
    const { document } = await signed(service, veteran, of("Condition", "Observation"))
    const bundle = await bundleOf(document.id)
    const shown = ids.filter((id) => !id.endsWith("7")).toSorted().map((id) => `Condition/${id}`)
    assert.deepStrictEqual(namesIn(bundle), [...shown, ...ids.slice(0, 5).map((id) => `Observation/${id}`)])
    for (const text of large) assert.include(bundle, text)
  })

  test("with at most 20,000 items, not counting withheld ones", async () => {
    const condition = (n: number) => resource("Condition", `${n}`, n < 10 ? { categories: ["hiv"] } : {})
    await sync(service, veteran, { Condition: "complete" }, {
      Condition: Array.from({ length: 20_010 }, (_, n) => condition(n))
    })
    const accepting = { ...of("Condition"), sensitiveCategories: acceptedNow("hiv") }
    const refused = await sign(service, veteran, accepting)
    assert.deepStrictEqual([refused.status, refused.json.error, refused.json.message], [
      409,
      "conflict",
      "A release holds 20,000 items at most. Choose fewer kinds of record, or a shorter range of dates."
    ])
    const { document } = await signed(service, veteran, of("Condition"))
    assert.strictEqual(namesIn(await bundleOf(document.id)).length, 20_000)
  })
})
