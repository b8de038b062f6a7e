import { members } from "../../clinical/Members.ts"

/** The types of search parameters that this service knows (FHIR R4, 3.1.1.4). */
export type ParameterKind = "date" | "reference" | "string" | "token"

/** The members from a resource to a value, outermost first. Each element of a list on a path counts. */
type Path = ReadonlyArray<string>

interface Located<Kind extends ParameterKind> {
  readonly kind: Kind
  readonly paths: ReadonlyArray<Path>
}

export interface TokenParameter extends Located<"token"> {
  /** The member that holds the code. */
  readonly code: "code" | "value"
}

export interface ReferenceParameter extends Located<"reference"> {
  /** The only type to which the references lead. */
  readonly target: string
}

export interface StringParameter extends Located<"string"> {
  /** Paths to texts of which each word may be searched, as R4 recommends for family names. */
  readonly wordPaths: ReadonlyArray<Path>
}

export type DateParameter = Located<"date">

export type SearchParameter = DateParameter | ReferenceParameter | StringParameter | TokenParameter

const pathsOf = (paths: ReadonlyArray<string>): ReadonlyArray<Path> => paths.map((path) => path.split("."))

const token = (...paths: ReadonlyArray<string>): TokenParameter => ({
  kind: "token",
  paths: pathsOf(paths),
  code: "code"
})

const identifier = (path: string): TokenParameter => ({ ...token(path), code: "value" })

const date = (...paths: ReadonlyArray<string>): DateParameter => ({ kind: "date", paths: pathsOf(paths) })

const reference = (target: string, path: string): ReferenceParameter => ({
  kind: "reference",
  paths: pathsOf([path]),
  target
})

const string = (paths: ReadonlyArray<string>, wordPaths: ReadonlyArray<string> = []): StringParameter => ({
  kind: "string",
  paths: pathsOf(paths),
  wordPaths: pathsOf(wordPaths)
})

/** Where an Observation has its date. Each event of a Timing counts, and its bounds, but not how they repeat. */
export const effectiveDates = ["effectiveDateTime", "effectivePeriod", "effectiveInstant", "effectiveTiming.event",
  "effectiveTiming.repeat.boundsPeriod"] as const

/** Parameters that need the decrypted text: those of US Core, by type and name, as FHIR R4 and US Core define them. */
const parameters: ReadonlyMap<string, ReadonlyMap<string, SearchParameter>> = new Map(
  Object.entries({
    AllergyIntolerance: { "clinical-status": token("clinicalStatus") },
    CarePlan: { category: token("category"), date: date("period"), status: token("status") },
    CareTeam: { role: token("participant.role"), status: token("status") },
    Condition: {
      "abatement-date": date("abatementDateTime", "abatementPeriod"),
      "category": token("category"),
      "clinical-status": token("clinicalStatus"),
      "code": token("code"),
      "encounter": reference("Encounter", "encounter"),
      "onset-date": date("onsetDateTime", "onsetPeriod"),
      "recorded-date": date("recordedDate")
    },
    Device: { status: token("status"), type: token("type") },
    DiagnosticReport: {
      category: token("category"),
      code: token("code"),
      date: date("effectiveDateTime", "effectivePeriod"),
      status: token("status")
    },
    DocumentReference: {
      category: token("category"),
      date: date("date"),
      period: date("context.period"),
      status: token("status"),
      type: token("type")
    },
    Encounter: {
      "class": token("class"),
      "date": date("period"),
      "discharge-disposition": token("hospitalization.dischargeDisposition"),
      "identifier": identifier("identifier"),
      "location": reference("Location", "location.location"),
      "status": token("status"),
      "type": token("type")
    },
    Goal: {
      "description": token("description"),
      "lifecycle-status": token("lifecycleStatus"),
      "target-date": date("target.dueDate")
    },
    Immunization: { date: date("occurrenceDateTime"), status: token("status") },
    MedicationDispense: { status: token("status"), type: token("type") },
    MedicationRequest: {
      authoredon: date("authoredOn"),
      encounter: reference("Encounter", "encounter"),
      intent: token("intent"),
      status: token("status")
    },
    Observation: {
      category: token("category"),
      code: token("code"),
      date: date(...effectiveDates),
      status: token("status")
    },
    Patient: {
      birthdate: date("birthDate"),
      family: string([], ["name.family"]),
      gender: token("gender"),
      given: string(["name.given"]),
      identifier: identifier("identifier"),
      name: string(["name.given", "name.prefix", "name.suffix"], ["name.family", "name.text"])
    },
    Procedure: { code: token("code"), date: date("performedDateTime", "performedPeriod"), status: token("status") },
    QuestionnaireResponse: {
      authored: date("authored"),
      questionnaire: reference("Questionnaire", "questionnaire"),
      status: token("status")
    },
    ServiceRequest: {
      authored: date("authoredOn"),
      category: token("category"),
      code: token("code"),
      status: token("status")
    }
  }).map(([type, named]) => [type, new Map(Object.entries(named))])
)

const none: ReadonlyMap<string, SearchParameter> = new Map()

export const parametersOf = (resourceType: string): ReadonlyMap<string, SearchParameter> =>
  parameters.get(resourceType) ?? none

/** The members that are read of a value: of a CodeableConcept, Coding or Identifier, of a Period, of a Reference. */
const membersOf = (parameter: SearchParameter): ReadonlyArray<string> => {
  switch (parameter.kind) {
    case "token":
      return ["coding", "system", parameter.code]
    case "date":
      return ["start", "end"]
    case "reference":
      return ["reference"]
    case "string":
      return parameter.wordPaths.flat()
  }
}

/** The members that the parameters are about, on the paths and in the values. */
export const searchedNames = (parameters: Iterable<SearchParameter>): ReadonlySet<string> =>
  new Set(Array.from(parameters, (parameter) => [...parameter.paths.flat(), ...membersOf(parameter)]).flat())

/** Yields the values on the paths in a resource. They may have any JSON type, and there may be very many. */
export function* valuesAt(
  resource: unknown,
  { paths }: Pick<SearchParameter, "paths">
): Generator<unknown, void> {
  for (const path of paths) yield* valuesOn(resource, path, 0)
}

function* valuesOn(value: unknown, path: Path, at: number): Generator<unknown, void> {
  for (const one of each(members<Readonly<Record<string, unknown>>>(value)[path[at]!])) {
    if (at === path.length - 1) yield one
    else yield* valuesOn(one, path, at + 1)
  }
}

/** Yields the elements of a list, or a single value that is not in a list. */
export function* each(json: unknown): Generator<unknown, void> {
  for (const value of Array.isArray(json) ? json : [json]) if (value !== undefined && value !== null) yield value
}
