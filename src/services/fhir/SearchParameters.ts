import { members } from "../../clinical/Members.ts"

export type ParameterKind = "token" | "date"

export interface SearchParameter {
  readonly kind: ParameterKind
  /** Paths to the parameter's values. Each element of a list on a path counts. */
  readonly paths: ReadonlyArray<string>
}

const token = (...paths: ReadonlyArray<string>): SearchParameter => ({ kind: "token", paths })

const date = (...paths: ReadonlyArray<string>): SearchParameter => ({ kind: "date", paths })

/** Parameters that need the decrypted text: US Core's token and date parameters, by type and name (FHIR R4). */
const parameters: ReadonlyMap<string, ReadonlyMap<string, SearchParameter>> = new Map(
  Object.entries({
    AllergyIntolerance: { "clinical-status": token("clinicalStatus") },
    CarePlan: { category: token("category"), status: token("status") },
    CareTeam: { status: token("status") },
    Condition: {
      "category": token("category"),
      "clinical-status": token("clinicalStatus"),
      "code": token("code"),
      "onset-date": date("onsetDateTime", "onsetPeriod"),
      "recorded-date": date("recordedDate")
    },
    DiagnosticReport: {
      category: token("category"),
      code: token("code"),
      date: date("effectiveDateTime", "effectivePeriod"),
      status: token("status")
    },
    DocumentReference: {
      category: token("category"),
      type: token("type"),
      date: date("date"),
      status: token("status")
    },
    Encounter: { class: token("class"), type: token("type"), date: date("period"), status: token("status") },
    Goal: { "lifecycle-status": token("lifecycleStatus"), "target-date": date("target.dueDate") },
    Immunization: { date: date("occurrenceDateTime"), status: token("status") },
    MedicationRequest: { intent: token("intent"), status: token("status"), authoredon: date("authoredOn") },
    Observation: {
      category: token("category"),
      code: token("code"),
      date: date("effectiveDateTime", "effectivePeriod", "effectiveInstant"),
      status: token("status")
    },
    Procedure: { code: token("code"), date: date("performedDateTime", "performedPeriod"), status: token("status") },
    ServiceRequest: {
      category: token("category"),
      code: token("code"),
      authored: date("authoredOn"),
      status: token("status")
    }
  }).map(([type, named]) => [type, new Map(Object.entries(named))])
)

const none: ReadonlyMap<string, SearchParameter> = new Map()

export const parametersOf = (resourceType: string): ReadonlyMap<string, SearchParameter> =>
  parameters.get(resourceType) ?? none

/** The members that searches read: those on the paths, and those of a CodeableConcept, a Coding and a Period. */
export const searchedNames: ReadonlySet<string> = new Set([
  ...["coding", "system", "code", "start", "end"],
  ...[...parameters.values()].flatMap((named) =>
    [...named.values()].flatMap(({ paths }) => paths.flatMap((path) => path.split(".")))
  )
])

/** Yields a parameter's values in a resource. They may have any JSON type, and there may be very many. */
export function* valuesAt(resource: unknown, { paths }: SearchParameter): Generator<unknown, void> {
  for (const path of paths) yield* valuesOn(resource, path.split("."))
}

function* valuesOn(value: unknown, [member, ...rest]: ReadonlyArray<string>): Generator<unknown, void> {
  for (const one of each(members<Readonly<Record<string, unknown>>>(value)[member!])) {
    if (rest.length === 0) yield one
    else yield* valuesOn(one, rest)
  }
}

/** Yields the elements of a list, or a single value that is not in a list. */
export function* each(json: unknown): Generator<unknown, void> {
  for (const value of Array.isArray(json) ? json : [json]) if (value !== undefined && value !== null) yield value
}
