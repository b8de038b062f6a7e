import { assert, describe, test } from "vitest"
import { giveGrant, signInVeteran } from "../../support/Client.ts"
import { instant } from "../../support/Formats.ts"
import { newProvider } from "../../support/Providers.ts"
import { resource, sync } from "../../support/Sync.ts"
import { listPatients, readPatientRecord, revoke } from "../Sharing.ts"
import { openPair, provider, veteran } from "./Pair.ts"

const { service, superuser } = await openPair()

const item = async (by = provider, of = veteran) => {
  const { items } = (await listPatients(service, by)).json
  return items.find(({ veteranId }: { readonly veteranId: string }) => veteranId === of.id)
}

const patient = (id: string, members: object, categories: ReadonlyArray<"hiv"> = []) =>
  JSON.stringify({ ...JSON.parse(resource("Patient", id, { categories })), ...members })

const jane = {
  name: [{ use: "old", text: "Jane Roe" }, { use: "official", family: "Doe", given: ["Jane", "Q"] }],
  birthDate: "1947-09-10"
}

const storePatients = (...texts: ReadonlyArray<string>) =>
  sync(service, veteran, { Patient: "complete" }, { Patient: texts })

describe("The person of a patient in the list", () => {
  test("has the official name and the birth date of the record's one Patient", async () => {
    await giveGrant(service, veteran, provider)
    assert.isNull((await item()).person)
    await storePatients(patient("p", jane))
    assert.deepStrictEqual((await item()).person, { name: "Jane Q Doe", birthDate: "1947-09-10" })
  })

  test("has a name or a birth date alone as the record has it, and is null if it has neither", async () => {
    await giveGrant(service, veteran, provider)
    await storePatients(patient("p", { name: [{ text: "Jane" }] }))
    assert.deepStrictEqual((await item()).person, { name: "Jane", birthDate: null })
    await storePatients(patient("p", { birthDate: "1947" }))
    assert.deepStrictEqual((await item()).person, { name: null, birthDate: "1947" })
    await storePatients(patient("p", { gender: "female" }))
    assert.isNull((await item()).person)
  })

  test("is null if the record has several Patients, or none any more", async () => {
    await giveGrant(service, veteran, provider)
    await storePatients(patient("p", jane), patient("q", jane))
    assert.isNull((await item()).person)
    await storePatients(patient("q", jane))
    assert.strictEqual((await item()).person.name, "Jane Q Doe")
    await sync(service, veteran, { Patient: "empty" })
    assert.isNull((await item()).person)
  })

  test("is null if the grant covers no Patient, or withholds it, and its siblings are not counted", async () => {
    const other = await newProvider(superuser)
    await giveGrant(service, veteran, provider, { resourceTypes: ["Condition"] })
    await giveGrant(service, veteran, other)
    await storePatients(patient("p", jane, ["hiv"]))
    assert.isNull((await item()).person)
    assert.isNull((await item(other)).person)
    await storePatients(patient("p", jane, ["hiv"]), patient("q", { name: [{ text: "Quinn" }] }))
    assert.isNull((await item()).person)
    assert.deepStrictEqual((await item(other)).person, { name: "Quinn", birthDate: null })
    const third = await newProvider(superuser)
    await giveGrant(service, veteran, third, { sensitiveCategories: ["hiv"] })
    assert.isNull((await item(third)).person)
  })

  test("is null if the Patient cannot be opened, and the other patients are still listed", async () => {
    const other = await signInVeteran(service)
    await giveGrant(service, veteran, provider)
    await giveGrant(service, other, provider)
    await storePatients(patient("p", jane))
    await sync(service, other, { Patient: "complete" }, { Patient: [patient("p", { name: [{ text: "Otto" }] })] })
    await superuser.query(
      "update health_record_items set raw_ciphertext = decode(repeat('00', 60), 'hex') where veteran_id = $1",
      [veteran.id]
    )
    assert.isNull((await item()).person)
    assert.deepStrictEqual((await item(provider, other)).person, { name: "Otto", birthDate: null })
  })

  test("ends a page after about 4 MB of Patients, and the next page goes on behind it", async () => {
    for (let n = 0; n < 7; n++) {
      const photo = [{ contentType: "image/png", data: "A".repeat(800_000) }]
      const one = await signInVeteran(service)
      await giveGrant(service, one, provider)
      await sync(service, one, { Patient: "complete" }, {
        Patient: [patient("p", { name: [{ text: `N${n}` }], photo })]
      })
    }
    const names: Array<ReadonlyArray<string>> = []
    for (let query = "?limit=50"; query !== "";) {
      const { items, nextCursor } = (await listPatients(service, provider, query)).json
      names.push(items.map(({ person }: any) => person.name))
      query = nextCursor === null ? "" : `?limit=50&cursor=${nextCursor}`
    }
    assert.deepStrictEqual(names, [["N6", "N5", "N4", "N3", "N2"], ["N1", "N0"]])
  })
})

describe("The warnings of a patient in the list", () => {
  const complete = { AllergyIntolerance: "complete", Condition: "complete", MedicationRequest: "complete" }

  const warnings = async () => {
    const { alertCount, notLoaded } = await item()
    return [alertCount, notLoaded]
  }

  test("name the types that no first glance may lack, until they were loaded", async () => {
    await giveGrant(service, veteran, provider)
    assert.deepStrictEqual(await warnings(), [0, ["AllergyIntolerance", "MedicationRequest", "Condition"]])
    await sync(service, veteran, { Condition: "complete" })
    assert.deepStrictEqual(await warnings(), [0, ["AllergyIntolerance", "MedicationRequest"]])
    await sync(service, veteran, { AllergyIntolerance: "empty", MedicationRequest: "unavailable" })
    assert.deepStrictEqual(await warnings(), [0, ["MedicationRequest"]])
    await sync(service, veteran, { MedicationRequest: "complete" })
    assert.deepStrictEqual(await warnings(), [0, []])
  })

  test("count the types that are partial or stale, or whose last fetch failed", async () => {
    await giveGrant(service, veteran, provider)
    await sync(service, veteran, { ...complete, Immunization: "empty", Observation: "partial", Goal: "unavailable" })
    assert.deepStrictEqual(await warnings(), [1, ["Goal"]])
    await sync(service, veteran, { Condition: "partial", Immunization: "unavailable" })
    assert.deepStrictEqual(await warnings(), [3, ["Goal"]])
  })

  test("tell of a kind that the grant leaves out as the record does, and not of what is withheld", async () => {
    await sync(service, veteran, { ...complete, Goal: "partial" }, {
      Condition: [resource("Condition", "c", { categories: ["hiv"] })]
    })
    const grant = await giveGrant(service, veteran, provider, { resourceTypes: ["Condition", "Procedure"] })
    assert.deepStrictEqual(await warnings(), [0, ["AllergyIntolerance", "MedicationRequest"]])
    await revoke(service, veteran, grant)
    await giveGrant(service, veteran, provider)
    assert.deepStrictEqual(await warnings(), [1, []])
  })

  test("are those of all grants together, as the record's page shows them together", async () => {
    await sync(service, veteran, { ...complete, Observation: "partial" })
    await giveGrant(service, veteran, provider, { resourceTypes: ["AllergyIntolerance", "Condition"] })
    await giveGrant(service, veteran, provider, { resourceTypes: ["MedicationRequest", "Observation"] })
    const { items } = (await listPatients(service, provider)).json
    assert.deepStrictEqual(items.map(({ alertCount, notLoaded }: any) => [alertCount, notLoaded]), [[1, []], [1, []]])
  })
})

describe("The last look of a provider", () => {
  const look = () => readPatientRecord(service, provider, veteran)

  const news = async (by = provider) => {
    const { changedSince, lastLookedAt } = await item(by)
    return [lastLookedAt === null ? "never" : "looked", changedSince]
  }

  test("is the time of the newest answer with all types of the record", async () => {
    await giveGrant(service, veteran, provider)
    assert.deepStrictEqual(await news(), ["never", false])
    const before = Date.now()
    await look()
    const { lastLookedAt } = await item()
    assert.match(lastLookedAt, instant)
    assert.isAtLeast(Date.parse(lastLookedAt), before - 1)
    assert.isAtMost(Date.parse(lastLookedAt), Date.now() + 1)
    await sync(service, veteran, { Condition: "complete" })
    await readPatientRecord(service, provider, veteran, "?resourceType=Condition")
    await listPatients(service, provider)
    assert.strictEqual((await item()).lastLookedAt, lastLookedAt)
    await look()
    assert.isAbove(Date.parse((await item()).lastLookedAt), Date.parse(lastLookedAt))
  })

  test("is a provider's own, and outlives a grant", async () => {
    const other = await newProvider(superuser)
    const grant = await giveGrant(service, veteran, provider)
    await giveGrant(service, veteran, other)
    await look()
    await sync(service, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "c")] })
    assert.deepStrictEqual(await news(), ["looked", true])
    assert.deepStrictEqual(await news(other), ["never", false])
    await revoke(service, veteran, grant)
    await giveGrant(service, veteran, provider)
    assert.deepStrictEqual(await news(), ["looked", true])
  })

  test("is followed by a change once an item is new or changed, and not by the same items again", async () => {
    await giveGrant(service, veteran, provider)
    const store = (...versions: ReadonlyArray<number>) =>
      sync(service, veteran, { Condition: "complete" }, {
        Condition: versions.map((version, n) => resource("Condition", `c${n}`, { version }))
      })
    await store(1)
    await look()
    assert.deepStrictEqual(await news(), ["looked", false])
    await store(1)
    assert.deepStrictEqual(await news(), ["looked", false])
    await store(2)
    assert.deepStrictEqual(await news(), ["looked", true])
    await look()
    assert.deepStrictEqual(await news(), ["looked", false])
    await store(2, 1)
    assert.deepStrictEqual(await news(), ["looked", true])
    await look()
    await store(2)
    assert.deepStrictEqual(await news(), ["looked", false], "what went away is not told")
  })

  test("is not followed by a change of what the grant does not show", async () => {
    await giveGrant(service, veteran, provider, { resourceTypes: ["Condition"] })
    await look()
    await sync(service, veteran, { Condition: "complete", Observation: "complete" }, {
      Condition: [resource("Condition", "c", { categories: ["hiv"] })],
      Observation: [resource("Observation", "o")]
    })
    assert.deepStrictEqual(await news(), ["looked", false])
  })
})
