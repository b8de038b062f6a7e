import type { RecordItem } from "../../src/clinical/Sections.ts"
import * as Collection from "../support/Collection.ts"

/** The record of a patient: the text of each resource as it was received. */
export const recordOf = (patient: string): ReadonlyArray<RecordItem> =>
  Object.entries(Collection.patientTexts(patient)).flatMap(([resourceType, texts]) =>
    texts.map((text) => ({ resourceType, fhirId: JSON.parse(text).id as string, text }))
  )

/** Resources that are valid JSON but odd FHIR. Each has its file's name as its id. */
export const awkward: ReadonlyArray<RecordItem> = Collection.awkward.map((stored) => {
  const text = stored.text.replace(/^\uFEFF/, "")
  return { resourceType: String(JSON.parse(text).resourceType), fhirId: stored.file, text }
})
