import { rangeOfValue } from "./DateRange.ts"
import { effectiveDates, valuesAt } from "./SearchParameters.ts"

/** The order of a search's matches: by when this service stored them, or by a date in their texts. */
export interface Order {
  readonly descending: boolean
  /** The paths to the dates. If undefined, the time of storage decides. */
  readonly paths: ReadonlyArray<string> | undefined
}

const date = (parameter: string, ...paths: ReadonlyArray<string>) => ({ parameter, paths })

const occurrence = ["occurrenceDateTime", "occurrencePeriod"]

/**
 * The date that `_sort=date` means for each type, with R4's name for it where it is not `date`. A type that has several
 * dates is ordered by the one that its readers ask for first. Other types have no order by date.
 */
const dates: ReadonlyMap<string, ReturnType<typeof date>> = new Map(Object.entries({
  AllergyIntolerance: date("date", "recordedDate"),
  Appointment: date("date", "start"),
  CarePlan: date("date", "period"),
  CareTeam: date("date", "period"),
  Claim: date("created", "created"),
  ClinicalImpression: date("date", "effectiveDateTime", "effectivePeriod"),
  Communication: date("sent", "sent"),
  Composition: date("date", "date"),
  Condition: date("onset-date", "onsetDateTime", "onsetPeriod"),
  Consent: date("date", "dateTime"),
  DetectedIssue: date("identified", "identifiedDateTime", "identifiedPeriod"),
  DeviceRequest: date("authored-on", "authoredOn"),
  DiagnosticReport: date("date", "effectiveDateTime", "effectivePeriod"),
  DocumentManifest: date("created", "created"),
  DocumentReference: date("date", "date"),
  Encounter: date("date", "period"),
  EpisodeOfCare: date("date", "period"),
  ExplanationOfBenefit: date("created", "created"),
  FamilyMemberHistory: date("date", "date"),
  Flag: date("date", "period"),
  Goal: date("target-date", "target.dueDate"),
  ImagingStudy: date("started", "started"),
  Immunization: date("date", "occurrenceDateTime"),
  List: date("date", "date"),
  Media: date("created", "createdDateTime", "createdPeriod"),
  MedicationAdministration: date("effective-time", "effectiveDateTime", "effectivePeriod"),
  MedicationDispense: date("whenhandedover", "whenHandedOver"),
  MedicationRequest: date("authoredon", "authoredOn"),
  MedicationStatement: date("effective", "effectiveDateTime", "effectivePeriod"),
  NutritionOrder: date("datetime", "dateTime"),
  Observation: date("date", ...effectiveDates),
  Procedure: date("date", "performedDateTime", "performedPeriod"),
  Provenance: date("recorded", "recorded"),
  QuestionnaireResponse: date("authored", "authored"),
  RiskAssessment: date("date", ...occurrence),
  ServiceRequest: date("authored", "authoredOn"),
  Specimen: date("collected", "collection.collectedDateTime", "collection.collectedPeriod"),
  SupplyDelivery: date("date", ...occurrence),
  SupplyRequest: date("date", "authoredOn"),
  Task: date("authored-on", "authoredOn"),
  VisionPrescription: date("datewritten", "dateWritten")
}))

/** The value of `_sort` for a date that `date` means too, or undefined if the type has none. */
export const dateOrder = (resourceType: string): string | undefined => dates.get(resourceType)?.parameter

export const orderWords =
  "Expected one of '_lastUpdated' and, for a type with dates, 'date', each with '-' before it or not"

/** Reads `_sort`. Returns undefined if items of the type have no such order. */
export const orderOf = (resourceType: string, text: string): Order | undefined => {
  const descending = text.startsWith("-")
  const name = descending ? text.slice(1) : text
  if (name === "_lastUpdated") return { descending, paths: undefined }
  const known = dates.get(resourceType)
  return known !== undefined && (name === "date" || name === known.parameter)
    ? { descending, paths: known.paths }
    : undefined
}

/** An item's place in an order. The id decides between equal keys, and items without a date come last. */
export interface Place {
  readonly fhirId: string
  /** In milliseconds since the epoch. */
  readonly key: number | undefined
}

export const comparePlaces = ({ descending }: Order) => (one: Place, other: Place): number => {
  if (one.key !== other.key) {
    if (one.key === undefined) return 1
    if (other.key === undefined) return -1
    return (one.key < other.key) === descending ? 1 : -1
  }
  return one.fhirId < other.fhirId ? -1 : one.fhirId > other.fhirId ? 1 : 0
}

/**
 * Returns the members that an order's dates are in, and a function that finds an item's key among them, step by step. A
 * date counts from its first moment, a period from its start, or its end if it has no start. If there are several
 * dates, the one counts that comes first in the order (R4, 3.1.1.5.1).
 */
export const dateIn = ({ descending, paths = [] }: Order) => {
  const all = paths.map((path) => path.split("."))
  return {
    names: new Set([...all.flat(), "start", "end"]) as ReadonlySet<string>,
    *keyOf(resource: unknown): Generator<void, number | undefined> {
      let key: number | undefined
      for (const value of valuesAt(resource, { paths: all })) {
        const range = rangeOfValue(value)
        if (range !== undefined) {
          const moment = Number.isFinite(range.first) ? range.first : range.last
          if (key === undefined || (descending ? moment > key : moment < key)) key = moment
        }
        yield
      }
      return key
    }
  }
}
