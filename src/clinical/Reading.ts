import { allergyIntolerance } from "./AllergyIntolerance.ts"
import { anyResource } from "./AnyResource.ts"
import { binary } from "./Binary.ts"
import { carePlan } from "./CarePlan.ts"
import { careTeam } from "./CareTeam.ts"
import { type ClinicalDate, clinicalDate } from "./ClinicalDate.ts"
import { condition } from "./Condition.ts"
import { coverage } from "./Coverage.ts"
import { device } from "./Device.ts"
import { deviceUseStatement } from "./DeviceUseStatement.ts"
import { diagnosticReport } from "./DiagnosticReport.ts"
import { documentReference } from "./DocumentReference.ts"
import { element } from "./Element.ts"
import { encounter } from "./Encounter.ts"
import { parsedOrNothing } from "./ExactJson.ts"
import { goal } from "./Goal.ts"
import { imagingStudy } from "./ImagingStudy.ts"
import { immunization } from "./Immunization.ts"
import { labelled } from "./Labels.ts"
import { location } from "./Location.ts"
import { measurement } from "./Measurement.ts"
import { medication } from "./Medication.ts"
import { medicationAdministration } from "./MedicationAdministration.ts"
import { medicationDispense } from "./MedicationDispense.ts"
import { medicationRequest } from "./MedicationRequest.ts"
import { medicationStatement } from "./MedicationStatement.ts"
import { joined, list, members, text } from "./Members.ts"
import { modifierWords, unknownModifiers } from "./Modifiers.ts"
import { observation } from "./Observation.ts"
import { organization } from "./Organization.ts"
import { patient } from "./Patient.ts"
import { practitioner } from "./Practitioner.ts"
import { procedure } from "./Procedure.ts"
import type { Parts, Reader, Source } from "./Reader.ts"
import type { TitleOf } from "./Reference.ts"
import type { Entry, Labelled, Row, Summary } from "./Row.ts"
import { serviceRequest } from "./ServiceRequest.ts"
import { shortened } from "./Shortened.ts"
import { nameOf, type Titled } from "./Titles.ts"
import { words } from "./Words.ts"

/** The reader of each type. `anyResource` reads all other types. */
const readers: ReadonlyMap<string, Reader> = new Map([
  ["AllergyIntolerance", allergyIntolerance],
  ["Binary", binary],
  ["CarePlan", carePlan],
  ["CareTeam", careTeam],
  ["Condition", condition],
  ["Coverage", coverage],
  ["Device", device],
  ["DeviceUseStatement", deviceUseStatement],
  ["DiagnosticReport", diagnosticReport],
  ["DocumentReference", documentReference],
  ["Encounter", encounter],
  ["Goal", goal],
  ["ImagingStudy", imagingStudy],
  ["Immunization", immunization],
  ["Location", location],
  ["Medication", medication],
  ["MedicationAdministration", medicationAdministration],
  ["MedicationDispense", medicationDispense],
  ["MedicationRequest", medicationRequest],
  ["MedicationStatement", medicationStatement],
  ["Observation", observation],
  ["Organization", organization],
  ["Patient", patient],
  ["Practitioner", practitioner],
  ["Procedure", procedure],
  ["ServiceRequest", serviceRequest]
])

export const typesWithReader: ReadonlyArray<string> = [...readers.keys()]

export const readerOf = (resourceType: string): Reader => readers.get(resourceType) ?? anyResource

/** The place and the clinical date of a resource, from its JSON text. */
export const entryOf = (
  resourceType: string,
  fhirId: string,
  json: string
): Entry & { readonly clinicalDate: ClinicalDate | null } =>
  entryIn(sourceOf(resourceType, json, () => undefined), fhirId)

/** The row of a resource, from its JSON text. `titleOf` names the resources that this resource refers to. */
export const rowOf = (resourceType: string, fhirId: string, json: string, titleOf: TitleOf): Row => {
  const source = sourceOf(resourceType, json, titleOf)
  const row = rowIn(source, fhirId, partsIn(source))
  return { ...row, details: [...row.details, ...remarks(source)].map(bounded) }
}

/** The line of a resource in a list, from its JSON text. */
export const summaryOf = (resourceType: string, fhirId: string, json: string, titleOf: TitleOf): Summary => {
  const source = sourceOf(resourceType, json, titleOf)
  let isNamed = true
  const asking: TitleOf = (reference, display) => {
    const title = source.titleOf(reference, display)
    isNamed &&= title !== undefined
    return title
  }
  titleIn({ ...source, titleOf: asking })
  const parts = partsIn(source)
  const row = rowIn(source, fhirId, parts)
  return {
    entry: entryIn({ ...source, titleOf: () => undefined }, fhirId),
    title: row.title,
    isNamed,
    status: row.status,
    value: mostTelling(resourceType, row.details) ?? parts.telling ?? null,
    when: row.dates[0] ?? null,
    range: row.details.find(({ label }) => label === "Reference range")?.text ?? null,
    flags: row.flags,
    measurement: measurement(resourceType, source.json),
    sameAs: sameAs(source, row, parts)
  }
}

/**
 * The first of these details that is present. A list shows it beside the title. A reason, or a reaction to a vaccine,
 * would read as the value itself without its label.
 */
const mostTelling = (resourceType: string, details: ReadonlyArray<Labelled>) => {
  for (const label of ["Value", "No value because", "Dosage", "Reaction", "Conclusion"]) {
    const text = details.find((one) => one.label === label)?.text
    if (text !== undefined) {
      const isPlain = label !== "No value because" && (label !== "Reaction" || resourceType === "AllergyIntolerance")
      return isPlain ? text : `${label}: ${text}`
    }
  }
  return null
}

/** A modifier extension may make two resources differ that look the same. Nameless ones have nothing in common. */
const sameAs = ({ modifiers, resourceType }: Whole, { code, flags, title }: Row, { identity }: Parts) => {
  if (identity === undefined || modifiers.length > 0 || title === words(resourceType)) return null
  const said = JSON.stringify([resourceType, title, code, flags, ...identity])
  return said.length > maxComparedLength ? null : said
}

const entryIn = (source: Source, fhirId: string) => {
  const { group, groupTitle, section, standing = null } = readerOf(source.resourceType).place(source)
  const date = clinicalDate(source.resourceType, source.json)
  return {
    reference: `${source.resourceType}/${fhirId}`,
    section,
    group: group.slice(0, maxKeptLength),
    groupTitle: groupTitle === null ? null : shortened(groupTitle, maxKeptLength),
    date: date?.sort ?? "",
    ...mentionOf(source),
    standing,
    clinicalDate: date
  }
}

const partsIn = (source: Source) => readerOf(source.resourceType).parts(source)

const rowIn = (source: Whole, fhirId: string, parts: Parts): Row => {
  const { code = null, dates = [], details = [], files = [], flags = [], status = null } = parts
  const { json, modifiers, resourceType } = source
  const marks = [...modifierWords(resourceType, json), ...modifiers.length > 0 ? ["Modified meaning"] : [], ...flags]
  return {
    title: shortened(titleIn(source)),
    code: code && shortened(code),
    status: status && shortened(status),
    dates: dates.map(bounded),
    details,
    flags: [...new Set(marks)].map((flag) => shortened(flag)),
    reference: `${resourceType}/${fhirId}`,
    files: files.map((file) => ({ ...file, title: shortened(file.title) }))
  }
}

/** The limit, in characters, of texts that are kept for every item. */
const maxKeptLength = 300

const bounded = ({ label, text }: Labelled): Labelled => ({
  label: shortened(label, maxKeptLength),
  text: shortened(text)
})

/** The longest text by which resources are compared, in characters. Every item of the record keeps its own. */
const maxComparedLength = 1000

/** A resource, with the contents of `modifierExtension` and `implicitRules` in it, whose meaning is not known here. */
interface Whole extends Source {
  readonly modifiers: ReadonlyArray<unknown>
}

const sourceOf = (resourceType: string, json: string, titleOf: TitleOf): Whole => {
  const parsed = parsedOrNothing(json)
  return {
    resourceType,
    json: parsed,
    titleOf: withContained(parsed, titleOf),
    modifiers: unknownModifiers(json, parsed)
  }
}

const titleIn = (source: Source) => {
  const { standIn, title } = readerOf(source.resourceType)
  return title(source) ?? standIn?.(source) ?? words(source.resourceType)
}

/** How other resources name this one. A refuted diagnosis stays refuted where an encounter refers to it. */
const mentionOf = (source: Source): Required<Titled> => {
  const { marks, mention, standIn, title } = readerOf(source.resourceType)
  const own = title(source)
  const said = mention?.(source) ?? own ?? standIn?.(source) ?? words(source.resourceType)
  const marked = joined([...modifierWords(source.resourceType, source.json), ...marks?.(source) ?? []])?.toLowerCase()
  return {
    // Each is shortened alone, because a long text must not push the marks out.
    title: joined([shortened(said, maxKeptLength), marked && `(${shortened(marked, maxKeptLength)})`], " ")!,
    isStandIn: own === null
  }
}

/** Finds contained resources too, by `#id`. A reference from one contained resource to another is not followed. */
const withContained = (json: unknown, titleOf: TitleOf): TitleOf => {
  const contained = list(members<{ contained: unknown }>(json).contained)
  if (contained.length === 0) return titleOf
  const titles = new Map<string, Titled>()
  for (const one of contained) {
    const { id, resourceType } = members<{ id: unknown; resourceType: unknown }>(one)
    const [name, type] = [text(id), text(resourceType)]
    if (name !== null && type !== null) titles.set(`#${name}`, mentionOf({ resourceType: type, json: one, titleOf }))
  }
  return (reference, display) => {
    const titled = titles.get(reference)
    return titled === undefined ? titleOf(reference, display) : nameOf(titled, display)
  }
}

/** FHIR forbids processing an unknown modifier (R4, 2.4.0), so the row shows its content to the reader. */
const remarks = ({ json, modifiers, titleOf }: Whole): ReadonlyArray<Labelled> =>
  labelled({
    "Modified by": modifiers.length > 0 ? element(modifiers, titleOf) ?? "An extension without a value" : null,
    Note: Object.keys(members<object>(json)).length === 0
      ? "This resource could not be read as FHIR. It stands as it was received in record.fhir.json."
      : null
  })
