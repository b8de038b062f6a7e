import { entryOf } from "../../../src/clinical/Reading.ts"
import { inOrder } from "../../../src/clinical/Sections.ts"
import type { SignedAuthorization } from "../../../src/services/release/SignedAuthorization.ts"
import { contentOf, recordOf, rendered } from "../pdf/Pdf.ts"
import { ask, unbroken } from "../pdf/PdfTools.ts"

interface Item {
  readonly resourceType: string
  readonly fhirId: string
  readonly text: string
}

/** Renders a release of items, and returns the file and the text of each page. */
export const released = async (
  items: ReadonlyArray<Item>,
  record: SignedAuthorization["record"] = [...new Set(items.map(({ resourceType }) => resourceType))]
    .map((type) => recordOf(type)),
  dateFrom: string | null = null
) => {
  const texts = new Map(items.map(({ fhirId, resourceType, text }) => [`${resourceType}/${fhirId}`, text]))
  const resourceTypes = record.map(({ resourceType }) => resourceType)
  const content = contentOf({
    record,
    information: { resourceTypes, dateFrom, dateTo: null, documents: [] }
  })
  const pdf = await rendered(content, {
    record: {
      entries: inOrder(items.map(({ fhirId, resourceType, text }) => ({
        ...entryOf(resourceType, fhirId, text),
        resourceType,
        fhirId
      }))),
      text: async ({ fhirId, resourceType }) => texts.get(`${resourceType}/${fhirId}`)!,
      bundle: async function*() {},
      undated: 0,
      isOfAnother: false,
      died: null
    }
  })
  const pages = (await ask(pdf, "pdftotext", "-raw")).split("\f").slice(0, -1)
  const first = pages.findIndex((page) => /^Health record$/m.test(page))
  return { pdf, pages, record: pages.slice(first) }
}

export const items = (resourceType: string, ...all: ReadonlyArray<object>): ReadonlyArray<Item> =>
  all.map((members, n) => ({
    resourceType,
    fhirId: `${n}`,
    text: JSON.stringify({ resourceType, id: `${n}`, ...members })
  }))

export const active = { clinicalStatus: { coding: [{ code: "active" }] } }

const observation =
  (category: string, code: string, display: string, unit: string) => (date: string, value: number) => ({
    status: "final",
    category: [{ coding: [{ code: category }] }],
    code: { coding: [{ system: "http://loinc.org", code, display }] },
    effectiveDateTime: date,
    valueQuantity: { value, unit }
  })

const laboratory = observation("laboratory", "2160-0", "Creatinine", "mg/dL")

export const creatinine = (date: string, value: number) => ({
  ...laboratory(date, value),
  referenceRange: [{ low: { value: 0.5, unit: "mg/dL" }, high: { value: 1.2, unit: "mg/dL" } }]
})

export const bodyWeight = observation("vital-signs", "29463-7", "Body weight", "kg")

export const few = [
  ...items("AllergyIntolerance", {
    ...active,
    code: { text: "Penicillin" },
    criticality: "high",
    onsetDateTime: "2001-02-03",
    reaction: [{ manifestation: [{ text: "Hives" }], severity: "severe" }]
  }),
  ...items("Condition", { ...active, code: { text: "Hypertension" }, onsetDateTime: "2010-05" }, {
    clinicalStatus: { coding: [{ code: "resolved" }] },
    code: { text: "Bronchitis" }
  }),
  ...items("MedicationRequest", {
    status: "active",
    medicationCodeableConcept: { text: "Lisinopril 10 MG" },
    authoredOn: "2019-03-04T05:06:07Z",
    dosageInstruction: [{ text: "One tablet daily." }]
  }),
  ...items("Observation", creatinine("2020-01-02T03:04:05Z", 1.1), creatinine("2019-01-02", 0.9))
]

/** The text of the glance of a release. */
export const glanceOf = async (...all: Parameters<typeof released>) => {
  const text = unbroken((await released(...all)).record[0]!)
  return text.slice(text.indexOf("At a glance"), text.search(/Dates, numbers and units are/))
}
