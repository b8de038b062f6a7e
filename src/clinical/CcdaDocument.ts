import { LOINC_TO_TEMPLATE_IDS } from "@medplum/ccda"
import type { Medication, MedicationRequest, Reference, Resource } from "fhir/r4.js"
import { namesIn, namesOf } from "../domain/FhirReference.ts"
import { aboutOf, peopleOf } from "./CcdaAbout.ts"
import { templates } from "./CcdaCode.ts"
import { entryXml } from "./CcdaEntry.ts"
import { headerXml } from "./CcdaHeader.ts"
import { dosageId, dosageOf, type NamedRow, paragraph, tableXml } from "./CcdaNarrative.ts"
import { withoutFiller } from "./CcdaResult.ts"
import type { CcdaSource } from "./CcdaSource.ts"
import { type Element, escaped, xmlOf } from "./CcdaXml.ts"
import { ExactNumber, parsedOrNothing } from "./ExactJson.ts"
import { list, members } from "./Members.ts"
import { entryOf, rowOf } from "./Reading.ts"
import type { Row, SectionType } from "./Row.ts"
import { inOrder, type RecordItem, sectionTitles } from "./Sections.ts"
import { titlesOf } from "./Titles.ts"

/** LOINC codes of the sections that can hold coded entries. The others have text only. */
const coded: Partial<Record<SectionType, string>> = {
  allergies: "48765-2",
  problems: "11450-4",
  medications: "10160-0",
  immunizations: "11369-6",
  laboratory: "30954-2",
  "vital-signs": "8716-3",
  observations: "29762-2",
  procedures: "47519-4",
  encounters: "46240-8"
}

/** A CCD must have these sections, even if they are empty (C-CDA R2.1, Continuity of Care Document). */
const required: ReadonlyArray<SectionType> = [
  "allergies",
  "problems",
  "medications",
  "laboratory",
  "vital-signs",
  "observations"
]

/** Writes the document in pieces. */
export const ccdaOf = function*(source: CcdaSource): Generator<string> {
  const entries = inOrder(
    source.items.map((item) => ({ ...entryOf(item.resourceType, item.fhirId, item.text), item }))
  )
  const titleOf = titlesOf(entries)
  const codes = medicationCodes(source.items)
  const people = peopleOf(source)
  yield headerXml(source, people.patient)
  yield* sectionXml({ title: "About this document", text: aboutOf(source, people).map(paragraph) })
  let number = 0
  for (const type of Object.keys(sectionTitles) as ReadonlyArray<SectionType>) {
    const items = entries.filter(({ section }) => section === type).map(({ groupTitle, item }) => {
      const row = withoutContent(rowOf(item.resourceType, item.fhirId, item.text, titleOf))
      const id = `i${++number}`
      return { id, groupTitle, row, xml: coded[type] && translated(item, row, id, coded[type], source, codes) }
    })
    if (items.length === 0 && !required.includes(type)) continue
    const xmls = items.flatMap(({ xml }) => xml ?? [])
    yield* sectionXml({
      title: type === "observations" ? "Social history and other observations" : sectionTitles[type],
      code: coded[type],
      isEmpty: items.length === 0,
      hasEntries: xmls.length > 0,
      text: textOf(items, items.length - xmls.length),
      entries: xmls
    })
  }
  yield "</structuredBody></component></ClinicalDocument>\n"
}

/** Says how many items have no coded entry. */
export const textOnlyWords = (count: number) =>
  count === 1
    ? "1 item of this section could not be translated into a coded entry. Read it in this text; it is exact in the " +
      "FHIR bundle."
    : `${count} items of this section could not be translated into coded entries. Read them in this text; they are ` +
      "exact in the FHIR bundle."

/** The content of a file has no place in a Narrative Block, and many of them would fill the memory. */
const withoutContent = (row: Row): Row =>
  row.files.length === 0 ? row : {
    ...row,
    files: [],
    details: [...row.details, { label: "Content", text: "Not in this translation. It is in the FHIR bundle." }]
  }

interface Item extends NamedRow {
  readonly groupTitle: string | null
}

const textOf = function*(items: ReadonlyArray<Item>, textOnly: number): Generator<string> {
  if (items.length === 0) yield paragraph("No item of this kind is in this release. That is not the same as none.")
  if (textOnly > 0) yield paragraph(textOnlyWords(textOnly))
  for (const [title, rows] of Map.groupBy(items, ({ groupTitle }) => groupTitle)) yield* tableXml(title, rows)
}

interface SectionParts {
  readonly title: string
  readonly text: Iterable<string>
  readonly code?: string | undefined
  readonly isEmpty?: boolean
  readonly hasEntries?: boolean
  readonly entries?: ReadonlyArray<string>
}

const sectionXml = function*(parts: SectionParts): Generator<string> {
  const { code, entries = [], hasEntries = false, isEmpty = false, text, title } = parts
  yield `<component><section${isEmpty ? " nullFlavor=\"NI\"" : ""}>`
  for (const template of templatesOf(code, hasEntries || isEmpty)) yield xmlOf("templateId", template)
  if (code !== undefined) {
    yield xmlOf("code", { "@_code": code, "@_codeSystem": "2.16.840.1.113883.6.1", "@_codeSystemName": "LOINC" })
  }
  yield `<title>${escaped(title)}</title><text>`
  yield* text
  yield "</text>"
  yield* entries
  yield "</section></component>"
}

/** A section with text only is of the template whose entries are optional: its root lacks the last `.1`. */
const templatesOf = (code: string | undefined, isRequired: boolean): ReadonlyArray<Element> => {
  const all: ReadonlyArray<Element> = code === undefined ? [] : LOINC_TO_TEMPLATE_IDS[code]! as never
  const versions = new Map<string, unknown>()
  for (const { "@_extension": extension, "@_root": root } of all) {
    const own = isRequired ? String(root) : String(root).replace(optional, "$1")
    versions.set(own, extension ?? versions.get(own))
  }
  return [...versions].flatMap(([root, extension]) => templates(root, extension))
}

const optional = /^(2\.16\.840\.1\.113883\.10\.20\.22\.2\.\d+)\.1$/

const translated = (
  { fhirId, resourceType, text }: RecordItem,
  row: Row,
  id: string,
  section: string,
  { documentId }: CcdaSource,
  codes: (reference: unknown, contained: unknown) => unknown
): string | undefined => {
  const sent = withoutNulls(parsedOrNothing(text))
  const json = resourceType === "Observation" ? withoutFiller(sent) : sent
  const { contained, medicationReference } = members<MedicationRequest>(json)
  const dosage = dosageOf(row).map(({ text }) => text.replaceAll(/\r\n|\r|\n/g, "; ")).join("; ")
  return entryXml({
    resourceType,
    json,
    text,
    section,
    row: id,
    id: { "@_root": documentId, "@_extension": `${resourceType}/${fhirId}` },
    title: row.title,
    dosage: dosage === "" ? null : dosage,
    dosageId: dosageId(id),
    medication: medicationReference === undefined ? undefined : codes(medicationReference, contained)
  })
}

/** FHIR has no nulls but in lists of primitives, and VA sends them anywhere. */
const withoutNulls = (json: unknown): unknown => {
  if (Array.isArray(json)) return json.filter((value) => value !== null).map(withoutNulls)
  if (typeof json !== "object" || json === null || json instanceof ExactNumber) return json
  return Object.fromEntries(
    Object.entries(json).flatMap(([name, value]) => value === null ? [] : [[name, withoutNulls(value)]])
  )
}

/** Finds the code of a medication that a request refers to, in the request itself or in the release. */
const medicationCodes = (items: ReadonlyArray<RecordItem>) => {
  const codes = new Map<string, unknown>()
  for (const { fhirId, resourceType, text } of items) {
    if (resourceType !== "Medication") continue
    for (const name of namesOf(resourceType, fhirId)) codes.set(name, members<Medication>(parsedOrNothing(text)).code)
  }
  return (json: unknown, contained: unknown): unknown => {
    const { reference } = members<Reference>(json)
    if (typeof reference !== "string") return undefined
    if (reference.startsWith("#")) {
      const own = list(contained).find((one) => members<Resource>(one).id === reference.slice(1))
      return members<Medication>(own).code
    }
    return [...namesIn(reference)].map((name) => codes.get(name)).find((code) => code !== undefined)
  }
}
