import { assert, beforeEach, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { giveGrant, type SignedIn, signInVeteran } from "../../support/Client.ts"
import { newProvider } from "../../support/Providers.ts"
import { readRecord, resource, sync, type Texts } from "../../support/Sync.ts"
import { readPatientRecord } from "../Sharing.ts"
import { named } from "./LargeResources.ts"
import { referring } from "./References.ts"

const { database, service } = await openApp({ RECORD_LIMIT_MB: "1" })

const superuser = await database.connect("superuser")

let veteran: SignedIn

beforeEach(async () => {
  veteran = await signInVeteran(service)
})

/** Synchronises these types, each as complete, without a limit on the number of syncs. */
const taken = async (texts: Texts) => {
  await superuser.query("delete from rate_limit_spendings")
  await sync(service, veteran, Object.fromEntries(Object.keys(texts).map((type) => [type, "complete"])), texts)
}

const ids = async () =>
  (await readRecord(service, veteran, { includeInactive: "true" })).items.map(({ fhirId }) => fhirId)

describe("An item that refers to a dropped classified item", () => {
  const open = async () => {
    const provider = await newProvider(superuser)
    await giveGrant(service, veteran, provider)
    return async () => {
      const { sections } = (await readPatientRecord(service, provider, veteran)).json
      return sections.flatMap(({ items }: any) => items.map((item: any) => item.fhirId))
    }
  }

  const encounter = { Encounter: [resource("Encounter", "e", { categories: ["hiv"] })] }

  /** `o` refers to the encounter, and `far` to `o`. */
  const observations = (version: number) => ({
    Observation: [
      referring("Observation", "o", ["Encounter/e"], { version }),
      resource("Observation", "plain")
    ],
    Procedure: [referring("Procedure", "far", ["Observation/o"], { version })]
  })

  /**
   * Synchronises nine large conditions, so that the service drops inactive items, the longest inactive first. These
   * conditions replace earlier ones, which are dropped last.
   */
  const fillUp = (letter: string) => taken({ Condition: named(letter, 9, 110) })

  test("stays withheld, even if it is changed or new, until the dropped item returns unclassified", async () => {
    const shown = await open()
    await taken({ ...encounter, ...observations(1) })
    assert.deepStrictEqual(await shown(), ["plain"])
    await taken({ Encounter: [] })
    await fillUp("b")
    await fillUp("c")
    assert.notInclude(await ids(), "e")
    const conditions = Array.from({ length: 9 }, (_, n) => `c${n}`)
    assert.sameMembers(await shown(), ["plain", ...conditions])
    // Another classified item makes the service determine all categories anew.
    await taken({ Goal: [resource("Goal", "g", { categories: ["sickle_cell"] })] })
    assert.sameMembers(await shown(), ["plain", ...conditions])
    await taken(observations(2))
    assert.sameMembers(await shown(), ["plain", ...conditions])
    await taken({ Consent: [referring("Consent", "new", ["Encounter/e"])] })
    assert.sameMembers(await shown(), ["plain", ...conditions])
    await taken({ Encounter: [resource("Encounter", "e")] })
    assert.sameMembers(await shown(), ["plain", ...conditions, "e", "o", "far", "new"])
    // The encounter is dropped again, this time unclassified.
    await taken({ Encounter: [] })
    await fillUp("d")
    assert.notInclude(await ids(), "e")
    await taken({ Goal: [resource("Goal", "g", { categories: ["hiv"] })] })
    assert.includeMembers(await shown(), ["o", "far", "new"])
  })

  test("is recognised by the name of that item; a veteran's newest 10,000 such names are kept", async () => {
    const classified = (letter: string) => [resource("Encounter", letter, { categories: ["hiv"] })]
    await taken({ Encounter: classified("first") })
    await taken({ Encounter: [] })
    await fillUp("c")
    await fillUp("d")
    const tombstones = async () =>
      (await superuser.query(
        "select count(*)::int as n, count(*) filter (where fhir_id = 'first')::int as first from health_record_tombstones where veteran_id = $1",
        [veteran.id]
      )).rows[0]
    assert.deepStrictEqual(await tombstones(), { n: 1, first: 1 })
    await superuser.query(
      `insert into health_record_tombstones (veteran_id, resource_type, fhir_id, sensitive_categories)
       select $1, 'Basic', n::text, '{hiv}' from generate_series(1, 9999) n`,
      [veteran.id]
    )
    await taken({ Encounter: classified("last") })
    await taken({ Encounter: [] })
    await fillUp("e")
    assert.notInclude(await ids(), "last")
    assert.deepStrictEqual(await tombstones(), { n: 10_000, first: 0 })
  })
})
