import { allergyIntolerance } from "./AllergyIntolerance.ts"
import { anyResource } from "./AnyResource.ts"
import { binary } from "./Binary.ts"
import { carePlan } from "./CarePlan.ts"
import { careTeam } from "./CareTeam.ts"
import { type ClinicalDate, clinicalDate } from "./ClinicalDate.ts"
import { hasCode } from "./Coding.ts"
import { condition } from "./Condition.ts"
import { coverage } from "./Coverage.ts"
import { device } from "./Device.ts"
import { deviceUseStatement } from "./DeviceUseStatement.ts"
import { diagnosticReport } from "./DiagnosticReport.ts"
import { documentReference } from "./DocumentReference.ts"
import { element } from "./Element.ts"
import { encounter } from "./Encounter.ts"
import { parse } from "./ExactJson.ts"
import { goal } from "./Goal.ts"
import { immunization } from "./Immunization.ts"
import { labelled } from "./Labels.ts"
import { location } from "./Location.ts"
import { measurement } from "./Measurement.ts"
import { medication } from "./Medication.ts"
import { medicationAdministration } from "./MedicationAdministration.ts"
import { medicationDispense } from "./MedicationDispense.ts"
import { medicationRequest } from "./MedicationRequest.ts"
import { medicationStatement } from "./MedicationStatement.ts"
import { list, members, text } from "./Members.ts"
import { observation } from "./Observation.ts"
import { organization } from "./Organization.ts"
import { patient } from "./Patient.ts"
import { practitioner } from "./Practitioner.ts"
import { procedure } from "./Procedure.ts"
import type { Reader, Source } from "./Reader.ts"
import type { TitleOf } from "./Reference.ts"
import type { Entry, Labelled, Row, Summary } from "./Row.ts"
import { serviceRequest } from "./ServiceRequest.ts"
import { shortened } from "./Shortened.ts"
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
  const row = rowIn(source, fhirId)
  return { ...row, details: [...row.details, ...remarks(source)].map(bounded) }
}

/** The line of a resource in a list, from its JSON text. */
export const summaryOf = (resourceType: string, fhirId: string, json: string, titleOf: TitleOf): Summary => {
  const source = sourceOf(resourceType, json, titleOf)
  let isNamed = true
  const asking: TitleOf = (reference) => {
    const title = source.titleOf(reference)
    isNamed &&= title !== undefined
    return title
  }
  readerOf(resourceType).title({ ...source, titleOf: asking })
  const { details, flags, status, title } = rowIn(source, fhirId)
  return {
    entry: entryIn({ ...source, titleOf: () => undefined }, fhirId),
    title,
    isNamed,
    status,
    value: mostTelling.map((label) => details.find((one) => one.label === label)).find((one) => one)?.text ?? null,
    flags,
    measurement: measurement(resourceType, source.json)
  }
}

/** Beside the title, a list shows the first of these details that is present. */
const mostTelling = ["Value", "No value because", "Dosage", "Reaction", "Conclusion"]

const entryIn = (source: Source, fhirId: string) => {
  const { group, groupTitle, section } = readerOf(source.resourceType).place(source)
  const date = clinicalDate(source.resourceType, source.json)
  return {
    reference: `${source.resourceType}/${fhirId}`,
    section,
    group: group.slice(0, maxKeptLength),
    groupTitle: groupTitle === null ? null : shortened(groupTitle, maxKeptLength),
    date: date?.sort ?? "",
    title: shortened(mentionOf(source), maxKeptLength),
    clinicalDate: date
  }
}

const rowIn = (source: Source, fhirId: string): Row => {
  const reader = readerOf(source.resourceType)
  const { code = null, dates = [], details = [], files = [], flags = [], status = null } = reader.parts(source)
  return {
    title: shortened(reader.title(source) ?? words(source.resourceType)),
    code: code && shortened(code),
    status: status && shortened(status),
    dates: dates.map(bounded),
    details,
    flags: [...new Set([...marks(source.json), ...flags])].map((flag) => shortened(flag)),
    reference: `${source.resourceType}/${fhirId}`,
    files: files.map((file) => ({ ...file, title: shortened(file.title) }))
  }
}

/** The limit, in characters, of texts that are kept for every item. */
const maxKeptLength = 300

const bounded = ({ label, text }: Labelled): Labelled => ({
  label: shortened(label, maxKeptLength),
  text: shortened(text)
})

const sourceOf = (resourceType: string, json: string, titleOf: TitleOf): Source => {
  const parsed = parsedOrNothing(json)
  return { resourceType, json: parsed, titleOf: withContained(parsed, titleOf) }
}

/** Returns undefined for a text that is not JSON. Every stored text is JSON, but any other would still get a row. */
const parsedOrNothing = (json: string): unknown => {
  try {
    return parse(json)
  } catch {
    return undefined
  }
}

const mentionOf = (source: Source) => {
  const { mention, title } = readerOf(source.resourceType)
  return (mention ?? title)(source) ?? words(source.resourceType)
}

/** Finds contained resources too, by `#id`. A reference from one contained resource to another is not followed. */
const withContained = (json: unknown, titleOf: TitleOf): TitleOf => {
  const contained = list(members<{ contained: unknown }>(json).contained)
  if (contained.length === 0) return titleOf
  const titles = new Map<string, string>()
  for (const one of contained) {
    const { id, resourceType } = members<{ id: unknown; resourceType: unknown }>(one)
    const [name, type] = [text(id), text(resourceType)]
    if (name !== null && type !== null) {
      titles.set(`#${name}`, shortened(mentionOf({ resourceType: type, json: one, titleOf }), maxKeptLength))
    }
  }
  return (reference) => titles.get(reference) ?? titleOf(reference)
}

/** Returns the flags that a resource of any type may have, beside those from its type's reader. */
const marks = (json: unknown) => {
  const { modifierExtension, status, verificationStatus } = members<MarkedMembers>(json)
  return [
    ...(status === enteredInError || verificationStatus === enteredInError ||
        hasCode(verificationStatus, enteredInError)
      ? ["Entered in error"]
      : []),
    ...(list(modifierExtension).length > 0 ? ["Modified meaning"] : [])
  ]
}

type MarkedMembers = Readonly<Record<"status" | "verificationStatus" | "modifierExtension", unknown>>

const enteredInError = "entered-in-error"

/** FHIR forbids processing an unknown modifier extension (R4, 2.4.0), so the row shows its content to the reader. */
const remarks = ({ json, titleOf }: Source): ReadonlyArray<Labelled> =>
  labelled({
    "Modified by": list(members<MarkedMembers>(json).modifierExtension).length > 0
      ? element(members<MarkedMembers>(json).modifierExtension, titleOf) ?? "An extension without a value"
      : null,
    Note: Object.keys(members<object>(json)).length === 0
      ? "This resource could not be read as FHIR. It stands as it was received in record.fhir.json."
      : null
  })
