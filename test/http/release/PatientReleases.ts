import { validateResource } from "@medplum/core"
import { createHash } from "node:crypto"
import { setImmediate } from "node:timers/promises"
import { afterEach, assert, describe, test } from "vitest"
import { ask, attachments, letters } from "../../services/pdf/PdfTools.ts"
import { assertValidBundle } from "../../services/shape/Judges.ts"
import { openApp } from "../../support/App.ts"
import { signInVeteran } from "../../support/Client.ts"
import { patientTexts } from "../../support/Collection.ts"
import { decimals, numbersOf } from "../../support/SourceNumbers.ts"
import { sync, type Texts } from "../../support/Sync.ts"
import { recipientCopy } from "../document/Copies.ts"
import { releasedEntries } from "./ReleasedRecords.ts"
import { download, signed, upload } from "./Releases.ts"

/** Reads the facts of a resource independently of the service's code. */
const factsOf = (text: string) => {
  const resource = JSON.parse(text)
  const source = (value: number) =>
    text.match(new RegExp(`"value":\\s*(-?[0-9.eE+-]+)`, "g"))!.map((m) => m.replace(/.*:\s*/, ""))
      .find((one) => Number(one) === value)!
  const words = (concept: any) =>
    concept?.text ?? concept?.coding?.find(({ display }: any) => display)?.display as string | undefined
  const title = [resource.code, resource.vaccineCode, resource.medicationCodeableConcept].map(words).find(Boolean)
  const date: string | undefined = dateOf(resource)
  const values = [resource, ...resource.component ?? []].flatMap(({ valueQuantity: quantity }: any) =>
    typeof quantity?.value === "number" ? [`${source(quantity.value)}${quantity.unit ?? quantity.code ?? ""}`] : []
  )
  return [title, date && shown(date), ...values].filter((fact) => typeof fact === "string").map(letters)
}

const dateOf = (r: any) =>
  ({
    Observation: r.effectiveDateTime ?? r.effectivePeriod?.start,
    DiagnosticReport: r.effectiveDateTime ?? r.effectivePeriod?.start,
    Condition: r.onsetDateTime ?? r.onsetPeriod?.start ?? r.recordedDate,
    AllergyIntolerance: r.onsetDateTime ?? r.onsetPeriod?.start ?? r.recordedDate,
    MedicationRequest: r.authoredOn,
    Immunization: r.occurrenceDateTime ?? r.recorded,
    Procedure: r.performedDateTime ?? r.performedPeriod?.start,
    Encounter: r.period?.start,
    DocumentReference: r.date
  } as Record<string, string | undefined>)[r.resourceType]

/** Shows `2019-03-15T14:05:07.123-07:00` as `2019-03-15 14:05`, without the rest. */
const shown = (date: string) => date.slice(0, 16).replace("T", " ")

/** Declares a test for each patient: it releases the record, and finds every resource in all that it is sent as. */
export const testReleases = async (patients: ReadonlyArray<string>) => {
  const { database, service } = await openApp()
  const superuser = await database.connect("superuser")

  // A test compares for seconds in one turn of the event loop, and the service may close a connection meanwhile. In a
  // new turn, the client notices this and does not reuse the connection.
  afterEach(() => setImmediate())

  describe("A patient's release", () => {
    test.each(patients)(
      "%s: the recipient's copy and the FHIR bundle hold every resource, exact and readable",
      async (patient) => {
        const texts = distinct(patientTexts(patient))
        const types = Object.keys(texts)
        const veteran = await signInVeteran(service)
        await sync(service, veteran, Object.fromEntries(types.map((type) => [type, "complete"])), texts)
        const letter = Buffer.from(`%PDF-1.4 the letter of ${patient}`)
        const uploads = [
          await upload(service, veteran, new Uint8Array(letter), "letter.pdf"),
          await upload(service, veteran, "the other letter", "record.fhir.json")
        ]
        const acceptedAt = new Date().toISOString()
        const { document } = await signed(service, veteran, {
          information: {
            resourceTypes: types.length === 0 ? ["Condition"] : types,
            documentIds: uploads.map(({ json }) => json.id)
          },
          sensitiveCategories: ["drug_abuse", "alcohol_abuse", "hiv", "sickle_cell"].map((category) => ({
            category,
            acceptedAt
          }))
        })
        const pdf = await recipientCopy(service, superuser, document.id)

        assert.include(await ask(pdf, "pdfsig"), "Signature is Valid.")
        assert.include(await ask(pdf, "qpdf", "--check"), "No syntax or stream encoding errors found")
        const text = await ask(pdf, "pdftotext")
        assertDigits(text, texts)
        const read = letters(text)
        const facts = new Set(Object.values(texts).flat().flatMap(factsOf))
        assert.deepStrictEqual([...facts].filter((fact) => !read.includes(fact)), [])
        assert.notMatch(read, /\[object|undefined|\bNaN\b/)

        const files = await attachments(pdf)
        const hash = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex")
        assert.deepStrictEqual(Object.fromEntries([...files].map(([name, bytes]) => [name, hash(bytes)])), {
          "authorization.json": document.release.authorizationSha256,
          "record.fhir.json": hash(files.get("record.fhir.json")!),
          "letter.pdf": hash(letter),
          "record.fhir.json.txt": hash(Buffer.from("the other letter"))
        })
        const bundle = files.get("record.fhir.json")!
        const answered = await download(service, veteran, `/api/veteran/me/documents/${document.id}/record`)
        assert.isTrue(answered.bytes.equals(bundle))
        assertExact(bundle.toString(), texts)
        const shape = await download(service, veteran, `/api/veteran/me/roi/${document.id}/fhir`)
        assert.strictEqual(shape.status, 200)
        assertShape(shape.bytes.toString(), texts)
      }
    )
  })
}

/** Asserts that each decimal shown was sent, and that each observation's number is shown at least as often as sent. */
const assertDigits = (shown: string, texts: Texts) => {
  const source = Object.values(texts).flat().join("\n")
  assert.deepStrictEqual(decimals(shown).filter((decimal) => !source.includes(decimal)), [])
  const found = counted(shown.match(/(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.]*\d)/g) ?? [])
  const sent = counted((texts["Observation"] ?? []).flatMap(numbersOf))
  // The VA sends a `valueInteger` of 0 beside a quantity. This 0 is not a finding.
  const missed = [...sent].filter(([number, times]) => number !== "0" && (found.get(number) ?? 0) < times)
  assert.deepStrictEqual(missed, [])
}

const counted = (all: ReadonlyArray<string>) => {
  const times = new Map<string, number>()
  for (const one of all) times.set(one, (times.get(one) ?? 0) + 1)
  return times
}

/** Some patients have two resources with the same id, which a sync refuses. Keeps only the last of them. */
const distinct = (texts: Texts): Texts =>
  Object.fromEntries(
    Object.entries(texts).map(([type, list]) => [
      type,
      [...new Map(list.map((text) => [JSON.parse(text).id, text])).values()]
    ])
  )

/** Asserts that the bundle has each resource byte for byte, and that the rest of the bundle is valid FHIR. */
const assertExact = (bundle: string, texts: Texts) => {
  const { entry, ...frame } = JSON.parse(bundle)
  const all = Object.values(texts).flat()
  assert.strictEqual(releasedEntries(bundle).length, all.length)
  assert.include(entry.map(({ resource }: any) => resource.resourceType), "Patient")
  assert.deepStrictEqual(all.filter((text) => !bundle.includes(`"resource":${text}}`)), [])
  assert.strictEqual(frame.type, "collection")
  const valid = { ...frame, entry: entry.map(({ fullUrl }: any) => ({ fullUrl, resource: basic })) }
  assert.deepStrictEqual(validateResource(valid), [])
}

const basic = { resourceType: "Basic", code: { text: "in the place of a resource" } } as const

/** Asserts that the FHIR bundle has every released text exactly, one Patient first, and valid shapes. */
const assertShape = (json: string, texts: Texts) => {
  const all = Object.values(texts).flat()
  assert.deepStrictEqual(all.filter((text) => !json.includes(`"resource":${text}}`)), [])
  const { entry } = JSON.parse(json)
  // The service adds a Patient if none is released, two Organizations, Consent, Provenance, the copy and two uploads.
  assert.lengthOf(entry, all.length + 7 + (texts["Patient"] === undefined ? 1 : 0))
  assert.strictEqual(entry[0].resource.resourceType, "Patient")
  const urls = entry.map(({ fullUrl }: any) => fullUrl)
  assert.lengthOf(new Set(urls), urls.length)
  assert.include(urls, entry[2].resource.patient.reference)
  assertValidBundle(json, all)
}
