import { coding, concept, patientShared, type Reference, releaseConsent } from "./Shapes.ts"

export interface Attachment {
  readonly contentType: string
  readonly title: string
  /** The size in bytes. */
  readonly size: number
  /** ISO 8601. */
  readonly creation: string | undefined
  /** The content in base64. A document that was deleted since has none. */
  readonly data: string | undefined
  /** The SHA-1 of the content in base64 (R4, 2.24.0.13). */
  readonly hash: string | undefined
}

interface SignedRelease {
  readonly id: string
  readonly patient: Reference
  readonly custodian: Reference
  /** ISO 8601. */
  readonly signedAt: string
  readonly attachment: Attachment
}

/** The signed authorization as a document that the patient shares. */
export const releaseReference = ({ attachment, custodian, id, patient, signedAt }: SignedRelease) => ({
  resourceType: "DocumentReference",
  id,
  meta: { security: [coding("observationValue", "PATAST", "patient asserted")] },
  status: "current",
  type: concept(releaseConsent, coding("loinc", "60591-5", "Patient summary Document")),
  category: [
    concept(coding("loinc", "59284-0", "Consent Document")),
    concept(patientShared)
  ],
  subject: patient,
  date: signedAt,
  author: [patient],
  custodian,
  content: [{ attachment }]
})

interface ReleasedDocument {
  readonly id: string
  readonly patient: Reference
  readonly signedAt: string
  readonly attachment: Attachment
}

/** A document that the release names. */
export const uploadReference = ({ attachment, id, patient, signedAt }: ReleasedDocument) => ({
  resourceType: "DocumentReference",
  id,
  status: "current",
  category: [concept(patientShared)],
  subject: patient,
  date: signedAt,
  description: attachment.title,
  content: [{ attachment }]
})
