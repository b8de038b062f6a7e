import type { Timing, TimingRepeat } from "fhir/r4.js"
import { list, members } from "./Members.ts"

/** The time of a resource's event, precise enough to sort by it and to compare it with a date range. */
export interface ClinicalDate {
  /** Sorts by time: first by the day as it was recorded, then by the instant within the day. */
  readonly sort: string
  /** The first and the last day, `YYYY-MM-DD`, both included. The last day of any month is written as the 31st. */
  readonly first: string
  readonly last: string
}

const always = { first: "0000-01-01", last: "9999-12-31" }

type Choice = readonly [member: string, read: (json: unknown) => ClinicalDate | null]

/** The date members of a type, in the order in which they are tried. A type without them matches every date range. */
const choicesOf = (resourceType: string): ReadonlyArray<Choice> => {
  switch (resourceType) {
    case "Observation":
    case "DiagnosticReport":
    case "MedicationAdministration":
      return choices("effective")
    case "Condition":
      return [...onset, ["recordedDate", moment]]
    case "AllergyIntolerance":
      return [...onset, ["recordedDate", moment], ["lastOccurrence", moment]]
    case "MedicationRequest":
      return [["authoredOn", moment]]
    case "MedicationStatement":
      return [...choices("effective"), ["dateAsserted", moment]]
    case "MedicationDispense":
      return [["whenHandedOver", moment], ["whenPrepared", moment]]
    case "Immunization":
      return [["occurrenceDateTime", moment], ["recorded", moment]]
    case "Procedure":
      return choices("performed")
    case "Encounter":
    case "CarePlan":
    case "CareTeam":
    case "EpisodeOfCare":
      return [["period", during]]
    case "ServiceRequest":
      return [...choices("occurrence"), ["authoredOn", moment]]
    case "DocumentReference":
      return [["date", moment], ["context", (json) => during(members<{ period: unknown }>(json).period)]]
    case "Composition":
    case "FamilyMemberHistory":
      return [["date", moment]]
    case "QuestionnaireResponse":
      return [["authored", moment]]
    case "Goal":
      return [["startDate", moment]]
    case "Appointment":
      return [["start", moment]]
    case "Communication":
      return [["sent", moment]]
    case "ImagingStudy":
      return [["started", moment]]
    case "Claim":
    case "ExplanationOfBenefit":
      return [["billablePeriod", during], ["created", moment]]
    case "Patient":
    case "Practitioner":
    case "PractitionerRole":
    case "Organization":
    case "Location":
    case "Device":
    case "Medication":
    case "RelatedPerson":
    case "Coverage":
    case "HealthcareService":
      return []
    default:
      return [["date", moment], ["created", moment], ["authoredOn", moment], ["recorded", moment], ["period", during]]
  }
}

/**
 * The clinical date of a resource (specification, "A FHIR record as a clinician reads it"): the first of its type's
 * date members that holds a FHIR date. Returns null if there is none. A type without date members matches every day and
 * sorts like a resource without a date.
 */
export const clinicalDate = (resourceType: string, resource: unknown): ClinicalDate | null => {
  const candidates = choicesOf(resourceType)
  if (candidates.length === 0) return { ...always, sort: "" }
  const element = members<Readonly<Record<string, unknown>>>(resource)
  for (const [member, read] of candidates) {
    const date = read(element[member])
    if (date !== null) return date
  }
  return null
}

/** Whether a date, which may span days, has a day in the range. Both ends are included; null leaves an end open. */
export const isInRange = (date: ClinicalDate | null, from: string | null, to: string | null): boolean =>
  (from === null && to === null) ||
  (date !== null && (from === null || date.last >= from) && (to === null || date.first <= to))

/** R4, 2.24.0.1: `2019`, `2019-03`, `2019-03-15`, or an instant with a zone. */
const fhirDate =
  /^(?!0000)\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00)))?)?)?$/

/** Maximum number of characters. An instant without a fraction has 25, so a fraction may have a point and 38 digits. */
const maxDateLength = 64

const moment = (json: unknown): ClinicalDate | null => {
  if (typeof json !== "string" || json.length > maxDateLength || !fhirDate.test(json)) return null
  const day = json.slice(0, 10)
  if (day.length === 10 && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) !== true) return null
  const rest = always.first.slice(day.length)
  return {
    sort: json.length > 10 ? `${day}T${instant(json)}` : day,
    first: day + rest,
    last: day + (rest.length === 6 ? "-12-31" : rest.length === 3 ? "-31" : "")
  }
}

/** JavaScript's dates have no leap seconds, so a leap second sorts like the second before it. */
const instant = (text: string) => new Date(text.replace(/(?<=:\d\d:)60/, "59")).toISOString()

const during = (json: unknown): ClinicalDate | null => {
  const period = members<{ start: unknown; end: unknown }>(json)
  return span(moment(period.start), moment(period.end))
}

/** From the first to the last event that a Timing lists; without events, its `boundsPeriod`. */
const timing = (json: unknown): ClinicalDate | null => {
  const { event, repeat } = members<Timing>(json)
  const moments = list(event).map(moment).filter((date) => date !== null).sort((a, b) => a.sort < b.sort ? -1 : 1)
  return span(moments[0] ?? null, moments.at(-1) ?? null) ?? during(members<TimingRepeat>(repeat).boundsPeriod)
}

const span = (start: ClinicalDate | null, end: ClinicalDate | null): ClinicalDate | null =>
  start === null && end === null ? null : {
    sort: (start ?? end)!.sort,
    first: start?.first ?? always.first,
    last: end?.last ?? always.last
  }

const choices = (name: string): ReadonlyArray<Choice> => [
  [`${name}DateTime`, moment],
  [`${name}Period`, during],
  [`${name}Instant`, moment],
  [`${name}Timing`, timing]
]

const onset: ReadonlyArray<Choice> = [["onsetDateTime", moment], ["onsetPeriod", during]]
