import { coding, concept, labelsOf, otherLabels, purposeOf, type Reference, releaseConsent, systems } from "./Shapes.ts"

export interface ConsentTerms {
  readonly id: string
  readonly isActive: boolean
  readonly patient: Reference
  readonly custodian: Reference
  readonly recipient: Reference
  /** The signed document, if there is one. */
  readonly source?: Reference
  /** The period of the permission, ISO 8601. */
  readonly from: string
  readonly until: string
  /** A code of an authorization's purpose. */
  readonly purpose?: string
  /** The types that are shared; undefined if all are. */
  readonly resourceTypes: ReadonlyArray<string> | undefined
  readonly dataPeriod?: { readonly start?: string; readonly end?: string } | undefined
  /** The released categories of 38 U.S.C. 7332. */
  readonly categories: ReadonlyArray<string>
}

/**
 * A permission as FHIR. Only its veteran may see what is refused: 38 U.S.C. 7332 forbids even the hint that a special
 * consent was needed.
 */
export const consentShape = (terms: ConsentTerms, reader: "recipient" | "veteran") => {
  const { categories, custodian, dataPeriod, from, id, isActive, patient, recipient, resourceTypes, source } = terms
  const released = labelsOf(categories)
  const refused = reader === "veteran" ? otherLabels(categories) : []
  return {
    resourceType: "Consent",
    id,
    status: isActive ? "active" : "inactive",
    scope: concept(coding("consentScope", "patient-privacy", "Privacy Consent")),
    category: [concept(coding("actCode", "IDSCL", "information disclosure")), concept(releaseConsent)],
    patient,
    dateTime: from,
    performer: [patient],
    organization: [custodian],
    ...source !== undefined && { sourceReference: source },
    policyRule: concept(coding("consentPolicy", "va-10-5345"), coding("consentPolicy", "hipaa-auth")),
    provision: {
      type: "permit",
      period: { start: from, end: terms.until },
      actor: [
        { role: concept(coding("participation", "IRCP", "information recipient")), reference: recipient },
        { role: concept(coding("participation", "CST", "custodian")), reference: custodian }
      ],
      action: [concept(coding("consentAction", "disclose", "Disclose"))],
      ...released.length > 0 && { securityLabel: released },
      purpose: [purposeOf(terms.purpose)],
      ...resourceTypes !== undefined && {
        class: resourceTypes.map((code) => ({ system: systems.resourceTypes, code }))
      },
      ...dataPeriod !== undefined && { dataPeriod },
      ...refused.length > 0 && { provision: [{ type: "deny", securityLabel: refused }] }
    }
  }
}
