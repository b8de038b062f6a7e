import { typesWithReader } from "../../clinical/Reading.ts"
import { isFhirType } from "../../domain/FhirType.ts"
import { allowedOf, narrowedTo, readTypes, type ScopeCategory, type SmartScope } from "../../domain/SmartScope.ts"

/**
 * The types of FHIR that a record can hold, in the groups that the consent page shows. A veteran chooses by life's
 * words, and nobody wants to choose among 26 boxes.
 */
const groups = {
  allergies: ["AllergyIntolerance", "AdverseEvent"],
  problems: ["Condition", "FamilyMemberHistory", "ClinicalImpression", "DetectedIssue", "Flag", "RiskAssessment"],
  medicines: ["MedicationRequest", "MedicationStatement", "MedicationDispense", "MedicationAdministration",
    "Medication", "Immunization", "ImmunizationEvaluation", "ImmunizationRecommendation"],
  results: ["Observation", "DiagnosticReport", "ImagingStudy", "Specimen", "BodyStructure", "MolecularSequence"],
  visits: ["Encounter", "EpisodeOfCare", "Appointment", "AppointmentResponse", "Procedure", "Device",
    "DeviceUseStatement", "DeviceMetric"],
  documents: ["DocumentReference", "DocumentManifest", "Composition", "Binary", "Media", "CarePlan", "Goal",
    "ServiceRequest", "DeviceRequest", "SupplyRequest", "SupplyDelivery", "NutritionOrder", "VisionPrescription",
    "RequestGroup", "Task", "Communication", "CommunicationRequest", "Questionnaire", "QuestionnaireResponse",
    "Consent", "List", "Provenance", "Basic"],
  people: ["Practitioner", "PractitionerRole", "CareTeam", "Organization", "OrganizationAffiliation", "Location",
    "HealthcareService"],
  person: ["Patient", "RelatedPerson", "Person", "Coverage", "CoverageEligibilityRequest",
    "CoverageEligibilityResponse", "Claim", "ClaimResponse", "ExplanationOfBenefit", "Account", "ChargeItem", "Invoice"]
} as const

/**
 * `other` has the types of FHIR that hardly any record contains. The documents take them in, because a page with a box
 * for each of the four protected categories has no room for one more (contract, part 11).
 */
export type GroupName = keyof typeof groups | "other" | "documentsAndOther"

export type NamedType = typeof groups[keyof typeof groups][number]

const named = Object.entries(groups) as ReadonlyArray<readonly [keyof typeof groups, ReadonlyArray<string>]>

/** A type that the app asks for. */
export interface Kind {
  readonly type: string
  /** The categories to which the app limits its request; empty if it asks for the whole kind. */
  readonly categories: ReadonlyArray<ScopeCategory>
}

/** The kinds of one box, which the veteran shares together or not at all. */
export interface KindGroup {
  readonly name: GroupName
  readonly kinds: ReadonlyArray<Kind>
}

const categoriesOf = (scopes: ReadonlyArray<SmartScope>, type: string): ReadonlyArray<ScopeCategory> => {
  const allowed = (["r", "s"] as const).map((letter) => allowedOf(scopes, type, letter))
  return allowed.includes(null) ? [] : allowed.flatMap((some) => some ?? [])
}

/**
 * The groups that the consent page shows for the scopes. If an app requests everything, they have the types that
 * clinical/Reading.ts can read and those in the veteran's record.
 */
export const groupsOf = (
  scopes: ReadonlyArray<SmartScope>,
  recordTypes: ReadonlyArray<string>
): ReadonlyArray<KindGroup> => {
  const types = readTypes(scopes) ?? [...new Set([...typesWithReader, ...recordTypes.filter(isFhirType)])]
  const kindsOf = (some: ReadonlyArray<string>) =>
    some.map((type) => ({ type, categories: categoriesOf(scopes, type) }))
  const known = new Set(named.flatMap(([, members]) => members))
  const other = kindsOf(types.filter((type) => !known.has(type)).sort())
  const asked = named.flatMap(([name, members]): ReadonlyArray<KindGroup> => {
    const kinds = kindsOf(members.filter((type) => types.includes(type)))
    return kinds.length === 0 ? [] : [{ name, kinds }]
  })
  if (other.length === 0) return asked
  return asked.some(({ name }) => name === "documents")
    ? asked.map((group) =>
      group.name === "documents" ? { name: "documentsAndOther", kinds: [...group.kinds, ...other] } : group
    )
    : [...asked, { name: "other", kinds: other }]
}

/** Returns the requested scopes if every kind stayed ticked, and otherwise only the scopes of the ticked kinds. */
export const scopesOfTicked = (
  scopes: ReadonlyArray<SmartScope>,
  shown: ReadonlyArray<KindGroup>,
  ticked: ReadonlyArray<string>
): ReadonlyArray<SmartScope> =>
  shown.every(({ kinds }) => kinds.every(({ type }) => ticked.includes(type))) ? scopes : narrowedTo(scopes, ticked)
