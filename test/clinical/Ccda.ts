import { convertXmlToCcda } from "@medplum/ccda"
import { ccdaOf } from "../../src/clinical/CcdaDocument.ts"
import { type CcdaSource, ccdaSource } from "../../src/clinical/CcdaSource.ts"
import type { RecordItem } from "../../src/clinical/Sections.ts"

export const concept = (system: string, code: string, text: string) => ({
  coding: [{ system, code, display: text }],
  text
})

export const snomed = (code: string, text: string) => concept("http://snomed.info/sct", code, text)

export const status = (code: string) => ({ coding: [{ code }] })

/** Resources that each have a coded entry. */
export const condition = {
  resourceType: "Condition",
  id: "c1",
  clinicalStatus: status("active"),
  verificationStatus: status("confirmed"),
  code: snomed("38341003", "Hypertension"),
  onsetDateTime: "2019-03"
}

export const allergy = {
  resourceType: "AllergyIntolerance",
  id: "a1",
  type: "allergy",
  category: ["food"],
  clinicalStatus: status("active"),
  verificationStatus: status("confirmed"),
  code: snomed("762952008", "Peanut")
}

export const request = {
  resourceType: "MedicationRequest",
  id: "m1",
  status: "active",
  intent: "order",
  medicationCodeableConcept: concept("http://www.nlm.nih.gov/research/umls/rxnorm", "310798", "Hydrochlorothiazide"),
  dosageInstruction: [{
    text: "1 tablet twice a day",
    timing: { repeat: { frequency: 2, period: 1, periodUnit: "d" } },
    doseAndRate: [{ doseQuantity: { value: 1, unit: "tablet" } }]
  }]
}

export const result = {
  resourceType: "Observation",
  id: "o1",
  status: "final",
  category: [status("laboratory")],
  code: concept("http://loinc.org", "2345-7", "Glucose"),
  effectiveDateTime: "2024-05-06T07:08:09-05:00",
  valueQuantity: { value: 95, unit: "milligrams", system: "http://unitsofmeasure.org", code: "mg/dL" }
}

export const itemOf = (resource: unknown): RecordItem => {
  const text = typeof resource === "string" ? resource : JSON.stringify(resource)
  const { id, resourceType } = JSON.parse(text)
  return { resourceType, fhirId: id, text }
}

/** The release of a signed authorization, its time and its veteran. */
const signing = {
  documentId: "0198a5c2-7b1e-7c3d-9f00-112233445566",
  signedAt: "2026-11-26T12:00:00.000Z",
  veteran: { fullName: "Sean O'Hara", dateOfBirth: "1962-03-04" }
}

export const translated = (resources: ReadonlyArray<unknown>, more: Partial<CcdaSource> = {}): string =>
  [...ccdaOf({
    ...signing,
    items: resources.map(itemOf),
    warnings: [],
    kinds: [],
    dateFrom: null,
    dateTo: null,
    attached: 0,
    ...more
  })].join("")

/** The source of a release's document: what was signed, with `more` in it, and the released resources. */
export const released = (more: object, ...resources: ReadonlyArray<Readonly<Record<string, unknown>>>) => {
  const bundle = JSON.stringify({
    resourceType: "Bundle",
    type: "collection",
    entry: resources.map((resource) => ({
      fullUrl: `https://a.example/${resource["resourceType"]}/${resource["id"]}`,
      resource
    }))
  })
  return ccdaSource(Buffer.from(bundle), JSON.stringify({ ...signing, record: [], ...more }))
}

/** The sections by title, each with its text as XML and its entries as the library parses them. */
export const sectionsOf = (xml: string) => {
  const texts = new Map(
    [...xml.matchAll(/<title>([^<]*)<\/title><text>(.*?)<\/text>(?=<entry|<\/section)/gs)].map((
      [, title, text]
    ) => [title!, text!])
  )
  const { component } = convertXmlToCcda(xml)
  return new Map(
    component!.structuredBody!.component.map((
      { section: [section] }
    ) => [section!.title!, {
      text: texts.get(section!.title!)!,
      entries: (section!.entry ?? []) as ReadonlyArray<any>
    }])
  )
}

/** The entry of a resource, or undefined if the resource stands in the text only. */
export const entryOf = (resource: Record<string, unknown>, title: string) =>
  sectionsOf(translated([resource])).get(title)!.entries[0]

/** All coded entries, each with the type and id of its resource. */
export const entriesOf = (xml: string): ReadonlyArray<{ readonly id: string; readonly entry: any }> =>
  [...sectionsOf(xml).values()].flatMap(({ entries }) =>
    entries.map((entry) => {
      const [[act]] = Object.values<any>(entry)
      return { id: act.id[0]["@_extension"], entry }
    })
  )
