import { assert, describe, test } from "vitest"
import { ask, attachedAs, unbroken } from "../../services/pdf/PdfTools.ts"
import { openApp } from "../../support/App.ts"
import { giveGrant, signInProvider, signInVeteran } from "../../support/Client.ts"
import { resource, sync } from "../../support/Sync.ts"
import { recipientCopy } from "../document/Copies.ts"
import { drain } from "../ledger/Drained.ts"
import { askManifest, createAppLink, decrypted } from "../link/AppLinks.ts"
import { challenge } from "../link/Links.ts"
import { readPatientRecord } from "../Sharing.ts"
import { download, signed } from "./Releases.ts"

/** Two veterans who differ in withheld items alone. withheld-twins.long.test.ts compares their PDF files in detail. */

const { database, service } = await openApp()

const superuser = await database.connect("superuser")

const provider = await signInProvider(service)

/** Blanks ids, hashes, times and addresses, in which all releases differ, and what is computed from them. */
const masked = (text: string | Buffer) =>
  `${text}`.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "id").replaceAll(/\b[0-9a-f]{64}\b/g, "hash")
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.]*( UTC|Z)/g, "time").replaceAll(/\b\d{14}\+0000\b/g, "time")
    .replaceAll(/\b10(\.\d+){3}\b/g, "address").replaceAll(/"(data|hash)":"[^"]*"/g, "\"$1\":\"\"")
    .replaceAll(/"size":\d+/g, "\"size\":0")

const shown = Array.from({ length: 40 }, (_, n) => resource("Condition", `shown${n}`))

const coded = { coding: [{ system: "http://hl7.org/fhir/sid/icd-10-cm", code: "B20", display: "HIV disease" }] }

/** 500 are so labelled, and one is so coded. */
const withheld = [
  ...Array.from({ length: 500 }, (_, n) => resource("Condition", `hidden${n}`, { categories: ["hiv"] })),
  JSON.stringify({ resourceType: "Condition", id: "hidden-by-code", code: coded })
]

const twin = async (conditions: ReadonlyArray<string>, medications: ReadonlyArray<string>) => {
  const veteran = await signInVeteran(service)
  const statuses = { Condition: "complete", MedicationRequest: medications.length > 0 ? "complete" : "empty" }
  await sync(service, veteran, statuses, { Condition: [...conditions, ...shown], MedicationRequest: medications })
  await giveGrant(service, veteran, provider)
  const { document, warnings } = await signed(service, veteran)
  // The release as FHIR has the leaf of its signing once there is one, and each process drains every minute.
  await drain(service)
  const read = async (path: string) => (await download(service, veteran, `/api/veteran/me/${path}`)).bytes
  const copy = await recipientCopy(service, superuser, document.id)
  const link = await createAppLink(service, veteran, { documentId: document.id })
  const { code } = await challenge(service, link)
  const { embedded } = (await askManifest(service, link, { passcode: code })).json.files[0]
  const texts = {
    "The warnings of the signing": JSON.stringify(warnings),
    "The recipient's copy": masked(unbroken(await ask(copy, "pdftotext", "-raw"))),
    "The signed authorization": masked(await attachedAs(copy, "authorization.json")),
    "The record as FHIR": masked(await read(`documents/${document.id}/record`)),
    "The record as C-CDA": masked(await read(`documents/${document.id}/ccda`)),
    "The release as FHIR": masked(await read(`roi/${document.id}/fhir`)),
    "The bundle for health apps": masked((await decrypted(embedded, link.key)).bytes),
    "A provider's list of documents": masked(
      JSON.stringify((await readPatientRecord(service, provider, veteran)).json.documents)
    )
  }
  const own = unbroken(await ask(await read(`documents/${document.id}/content`), "pdftotext"))
  return { texts, own, sizes: { copy: copy.length, embedded: embedded.length as number } }
}

const none = await twin([], [])

const some = await twin(withheld, [resource("MedicationRequest", "hidden", { categories: ["hiv"] })])

describe("What is withheld from a release leaves no trace", () => {
  test.each(Object.keys(none.texts) as ReadonlyArray<keyof typeof none.texts>)(
    "%s is as if the record had no such item",
    (name) => {
      assert.strictEqual(some.texts[name], none.texts[name])
      assert.notMatch(some.texts[name], /hidden|B20|HIV disease/)
    }
  )

  test("What is sent is as long as without such items", () => {
    // Different ids, hashes and times compress to different lengths.
    assert.closeTo(some.sizes.copy, none.sizes.copy, 400)
    assert.closeTo(some.sizes.embedded, none.sizes.embedded, 4096)
  })

  test("The veteran's own copy alone counts them, so that there was something to hide", () => {
    assert.include(none.texts["The recipient's copy"], "included, 40 items, as of time")
    assert.deepStrictEqual([none, some].map(({ own }) => own.includes("501 more withheld")), [false, true])
  })
})
