import type { Patient } from "fhir/r4.js"
import { namesOf } from "../domain/Completeness.ts"
import type { CcdaSource } from "./CcdaSource.ts"
import { parsedOrNothing } from "./ExactJson.ts"
import { members } from "./Members.ts"
import { personOf } from "./Person.ts"
import { rowOf } from "./Reading.ts"
import { isAnother, ofAnotherWords } from "./SamePerson.ts"

/** What a reader must know of a translation, in the document and on the pages that offer it. */
export const translationWords =
  "This is a translation. The FHIR bundle record.fhir.json of the same release is exact, and this document is not."

/** The released Patient, if it is the person of the authorization and the only one. */
export interface CcdaPatient {
  readonly json: unknown
  /** The date of death, or “Yes”, or null. */
  readonly died: string | null
}

export interface CcdaPeople {
  readonly isOfAnother: boolean
  readonly patient: CcdaPatient | undefined
}

/** Compares the released Patients with the person of the authorization. */
export const peopleOf = ({ items, veteran }: Pick<CcdaSource, "items" | "veteran">): CcdaPeople => {
  const patients = items.filter(({ resourceType }) => resourceType === "Patient")
  const isOfAnother = patients.some(({ text }) => isAnother(veteran, text))
  const [item, ...others] = patients
  if (item === undefined || others.length > 0 || isOfAnother) return { isOfAnother, patient: undefined }
  const { died } = personOf(rowOf("Patient", item.fhirId, item.text, () => undefined))
  return { isOfAnother, patient: { json: members<Patient>(parsedOrNothing(item.text)), died } }
}

/** What a reader must know before the first section, what cannot wait first. */
export const aboutOf = (source: CcdaSource, { isOfAnother, patient }: CcdaPeople): ReadonlyArray<string> => [
  ...isOfAnother ? [ofAnotherWords] : [],
  ...source.warnings,
  ...diedWords(patient?.died ?? null),
  translationWords,
  `This is the record as it was on ${source.signedAt.slice(0, 10)}. Newer information is not in it.`,
  ...rangeWords(source),
  ...source.kinds.length === 0 ? [] : [`It has these kinds of record only: ${namesOf(source.kinds)}.`],
  ...attachedWords(source.attached),
  "Each item of the release is in the text of a section. Some items are in the text only: their coded entry would " +
  "leave out or change what they say, as for an entry in error, a doubt, a refusal or a planned order.",
  "Coded entries are shorter than the text. No coded entry has a dose or a frequency as numbers. Read the dosage in " +
  "the text.",
  "Dates are as recorded. What is not listed here is not in this document. That is not the same as none. Ask the " +
  "patient."
]

const diedWords = (died: string | null) => {
  if (died === null) return []
  return [
    died === "Yes" ? "The record says that this patient died." : `The record says that this patient died ${died}.`
  ]
}

const rangeWords = ({ dateFrom, dateTo }: CcdaSource) => {
  const range = [dateFrom && `from ${dateFrom}`, dateTo && `to ${dateTo}`].filter(Boolean).join(" ")
  return range === "" ? [] : [`It has only items dated ${range}. Items without a date may have been left out.`]
}

const attachedWords = (count: number) => {
  if (count === 0) return []
  return [
    count === 1
      ? "1 document was released with this record. This translation does not have its content: it is in the PDF."
      : `${count} documents were released with this record. This translation does not have their content: they are ` +
        "in the PDF."
  ]
}
