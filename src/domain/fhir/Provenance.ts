import { coding, concept, type Reference, systems } from "./Shapes.ts"

interface Signing {
  readonly id: string
  readonly targets: ReadonlyArray<Reference>
  readonly patient: Reference
  readonly custodian: Reference
  /** ISO 8601. */
  readonly signedAt: string
  readonly statementsVersion: string
  /** The SHA-256 of the canonical authorization, in hex. */
  readonly sha256: string
  /** The leaf's hash of the signing in the account of disclosures, in hex. It has none before it is drained. */
  readonly leafHash: string | undefined
  /** A detached JWS (RFC 7515, appendix F) and when it was made. Absent if the service has no key to sign with. */
  readonly signature: { readonly jws: string; readonly when: string } | undefined
}

/** Tells who signed a release, under which statements, and how to check what was signed. */
export const signingProvenance = (
  { custodian, id, leafHash, patient, sha256, signature, signedAt, statementsVersion, targets }: Signing
) => ({
  resourceType: "Provenance",
  id,
  target: targets,
  occurredDateTime: signedAt,
  recorded: signedAt,
  policy: [statementsVersion],
  activity: concept(coding("completion", "LA", "legally authenticated")),
  agent: [
    { type: concept(coding("provenanceAgent", "author", "Author")), who: patient },
    { type: concept(coding("provenanceAgent", "custodian", "Custodian")), who: custodian }
  ],
  entity: [
    entity(systems.sha256, sha256, "SHA-256 of the canonical authorization"),
    ...leafHash === undefined ? [] : [entity(systems.leafHash, leafHash, "Leaf hash in the account of disclosures")]
  ],
  ...signature !== undefined && {
    signature: [{
      type: [coding("signatureType", "1.2.840.10065.1.12.1.5", "Verification Signature")],
      when: signature.when,
      who: custodian,
      sigFormat: "application/jose",
      data: btoa(signature.jws)
    }]
  }
})

const entity = (system: string, value: string, display: string) => ({
  role: "source",
  what: { identifier: { system, value }, display }
})
