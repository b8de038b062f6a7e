/** The table of the contract, part 12: the parameters of each type, with the kind that FHIR R4 or US Core defines. */
const table: Readonly<Record<string, string>> = {
  AllergyIntolerance: "clinical-status token",
  CarePlan: "category token, date date, status token",
  CareTeam: "role token, status token",
  Condition:
    "abatement-date date, category token, clinical-status token, code token, encounter reference, onset-date date, recorded-date date",
  Device: "status token, type token",
  DiagnosticReport: "category token, code token, date date, status token",
  DocumentReference: "category token, date date, period date, status token, type token",
  Encounter:
    "class token, date date, discharge-disposition token, identifier token, location reference, status token, type token",
  Goal: "description token, lifecycle-status token, target-date date",
  Immunization: "date date, status token",
  MedicationDispense: "status token, type token",
  MedicationRequest: "authoredon date, encounter reference, intent token, status token",
  Observation: "category token, code token, date date, status token",
  Patient: "birthdate date, family string, gender token, given string, identifier token, name string",
  Procedure: "code token, date date, status token",
  QuestionnaireResponse: "authored date, questionnaire reference, status token",
  ServiceRequest: "authored date, category token, code token, status token"
}

export interface SearchRow {
  readonly resourceType: string
  readonly name: string
  readonly kind: "date" | "reference" | "string" | "token"
}

export const searchRows: ReadonlyArray<SearchRow> = Object.entries(table).flatMap(([resourceType, rows]) =>
  rows.split(", ").map((row) => {
    const [name, kind] = row.split(" ") as [string, SearchRow["kind"]]
    return { resourceType, name, kind }
  })
)
