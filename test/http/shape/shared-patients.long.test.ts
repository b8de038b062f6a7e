import { assert, describe, test } from "vitest"
import { assertValidBundle } from "../../services/shape/Judges.ts"
import { openApp } from "../../support/App.ts"
import { signInVeteran } from "../../support/Client.ts"
import { patients, patientTexts } from "../../support/Collection.ts"
import { sync, type Texts } from "../../support/Sync.ts"
import { download, signed, upload } from "../release/Releases.ts"

const { service } = await openApp()

/** Some records repeat a resource. If several have the same id, the veteran's phone sends only the last. */
const uniqueOf = (texts: Texts): Texts =>
  Object.fromEntries(
    Object.entries(texts).map(([type, all]) => [
      type,
      [...new Map(all.map((text) => [JSON.parse(text).id, text])).values()]
    ])
  )

describe("The FHIR bundle of a release", () => {
  test.each(patients)("%s: has every released text exactly, one Patient first, and valid shapes", async (patient) => {
    const texts = uniqueOf(patientTexts(patient))
    const types = Object.keys(texts)
    const veteran = await signInVeteran(service)
    await sync(service, veteran, Object.fromEntries(types.map((type) => [type, "complete"])), texts)
    const letter = await upload(service, veteran, `the letter of ${patient}`)
    const acceptedAt = new Date().toISOString()
    const { document } = await signed(service, veteran, {
      information: { resourceTypes: types.length === 0 ? ["Condition"] : types, documentIds: [letter.json.id] },
      sensitiveCategories: ["drug_abuse", "alcohol_abuse", "hiv", "sickle_cell"].map((category) => ({
        category,
        acceptedAt
      }))
    })
    const { bytes, status } = await download(service, veteran, `/api/veteran/me/roi/${document.id}/fhir`)
    assert.strictEqual(status, 200)
    const json = bytes.toString()
    const all = Object.values(texts).flat()
    assert.deepStrictEqual(all.filter((text) => !json.includes(`"resource":${text}}`)), [])
    const { entry } = JSON.parse(json)
    const released = texts["Patient"] ?? []
    assert.lengthOf(entry, all.length + 6 + (released.length === 0 ? 1 : 0))
    assert.strictEqual(entry[0].resource.resourceType, "Patient")
    const urls = entry.map(({ fullUrl }: any) => fullUrl)
    assert.lengthOf(new Set(urls), urls.length)
    assert.include(urls, entry[2].resource.patient.reference)
    assertValidBundle(json, all)
  })
})
