/** What people call a FHIR resource type, in the plural; another type is called by its own name. */
const words: Readonly<Record<string, string>> = {
  AllergyIntolerance: "Allergies",
  CarePlan: "Care plans",
  CareTeam: "Care teams",
  DiagnosticReport: "Test reports",
  DocumentReference: "Notes and documents",
  FamilyMemberHistory: "Family history",
  ImagingStudy: "Imaging",
  MedicationAdministration: "Medications given",
  MedicationDispense: "Medications dispensed",
  MedicationRequest: "Medications",
  MedicationStatement: "Medications taken",
  Patient: "Personal details"
}

/** What people call a type: `Medications`. */
export const wordsFor = (resourceType: string): string => words[resourceType] ?? plural(resourceType)

/** Names the types in one list, each word once: `Conditions, Medications and Procedures`. */
export const inWords = (resourceTypes: ReadonlyArray<string>): string =>
  new Intl.ListFormat("en-US", { type: "conjunction" }).format(
    [...new Set(resourceTypes.map(wordsFor))].sort()
  )

/** `ServiceRequest` becomes `Service requests`. */
const plural = (type: string) => {
  const [first = "", ...rest] = type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").split(" ")
  const name = [first, ...rest.map((word) => word.toLowerCase())].join(" ")
  return /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : name.endsWith("s") ? name : `${name}s`
}
