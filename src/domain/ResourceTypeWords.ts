/** Plain names of FHIR types, in the plural. A type that is not in this list gets its name from `plural`. */
const words: Readonly<Record<string, ReadonlyArray<string>>> = {
  AllergyIntolerance: ["Allergies"],
  Basic: ["Other entries"],
  Binary: ["Files"],
  CarePlan: ["Care plans"],
  CareTeam: ["Care teams"],
  Claim: ["Insurance claims"],
  Composition: ["Clinical documents"],
  Coverage: ["Insurance coverage"],
  DiagnosticReport: ["Test reports"],
  DocumentReference: ["Notes and documents"],
  EpisodeOfCare: ["Episodes of care"],
  ExplanationOfBenefit: ["Insurance statements"],
  FamilyMemberHistory: ["Family history"],
  ImagingStudy: ["Imaging"],
  Media: ["Pictures and recordings"],
  Medication: ["Medication details"],
  MedicationAdministration: ["Medications given"],
  MedicationDispense: ["Medications dispensed"],
  MedicationRequest: ["Medications"],
  MedicationStatement: ["Medications taken"],
  Observation: ["Lab results", "Vital signs"],
  Patient: ["Personal details"],
  Person: ["People"],
  Provenance: ["Sources of the data"],
  QuestionnaireResponse: ["Questionnaires"],
  RelatedPerson: ["Related people"]
}

const joined = (names: Iterable<string>) => new Intl.ListFormat("en-US", { type: "conjunction" }).format(names)

const namesOf = (type: string): ReadonlyArray<string> => words[type] ?? [plural(type)]

/** Names one type: `Medications`, `Lab results and vital signs`. */
export const wordsFor = (resourceType: string): string => {
  const [first = "", ...rest] = namesOf(resourceType)
  return joined([first, ...rest.map((name) => name.toLowerCase())])
}

/** Names several types in one list, each name once: `Conditions, Medications and Procedures`. */
export const inWords = (resourceTypes: ReadonlyArray<string>): string =>
  joined([...new Set(resourceTypes.flatMap(namesOf))].sort())

/** `ServiceRequest` becomes `Service requests`. */
const plural = (type: string) => {
  const [first = "", ...rest] = type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").split(" ")
  const name = [first, ...rest.map((word) => word.toLowerCase())].join(" ")
  return /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : name.endsWith("s") ? name : `${name}s`
}
