import type { ReleaseStatus } from "../../domain/Document.ts"
import { consentShape } from "../../domain/fhir/Consent.ts"
import { releaseReference, uploadReference } from "../../domain/fhir/DocumentReference.ts"
import { recipientOrganization, serviceOrganization } from "../../domain/fhir/Organization.ts"
import { madePatient } from "../../domain/fhir/Patient.ts"
import { signingProvenance } from "../../domain/fhir/Provenance.ts"
import type { VeteranId } from "../../domain/Id.ts"
import { serviceOrganizationId } from "../fhir/BrandsBundle.ts"
import type { SignedAuthorization } from "../release/SignedAuthorization.ts"
import { attachedEntry, entryOf, type Opened, type Piece } from "./BundlePieces.ts"
import type { Snapshot } from "./Snapshot.ts"

/** Whose copy of a release a bundle has. */
export type DocumentCopy = "recipient" | "veteran"

/** A document that the release names. */
export interface SharedUpload<E> {
  readonly id: string
  /** Absent if the veteran deleted the document after the release had ended. */
  readonly stored: Opened<E> & { readonly createdAt: Date } | undefined
}

interface Shared<E> {
  readonly copy: DocumentCopy
  readonly publicUrl: string
  readonly veteranId: VeteranId
  readonly authorization: SignedAuthorization
  /** The SHA-256 of the canonical authorization, in hex. */
  readonly sha256: string
  readonly status: typeof ReleaseStatus.Type
  readonly leafHash: string | undefined
  readonly signature: { readonly jws: string; readonly when: string } | undefined
  readonly pdf: Opened<E>
  readonly snapshot: Snapshot
  /** The entry of the snapshot's Patient, if there is one. */
  readonly patient: Piece<E> | undefined
  /** The entries of the snapshot except its Patient. */
  readonly rest: Exclude<Piece<E>, Buffer>
  readonly uploads: ReadonlyArray<SharedUpload<E>>
}

/** The entries of a shared bundle in their order (contract, part 13). */
export const sharedEntries = <E>(shared: Shared<E>): ReadonlyArray<Piece<E>> => {
  const { authorization, copy, leafHash, pdf, publicUrl, rest, sha256, signature, snapshot, status, uploads } = shared
  const { documentId, information, recipient, signedAt, statementsVersion, veteran } = authorization
  const place = makePlaces(`${publicUrl}/api/fhir/R4`, snapshot)
  const own = place("DocumentReference", documentId)
  const consent = place("Consent", documentId)
  const provenance = place("Provenance", documentId)
  const us = place("Organization", serviceOrganizationId)
  const them = place("Organization", documentId)
  const made = place("Patient", shared.veteranId)
  // Clients then resolve the subject of each resource inside the bundle, as in the answers of the FHIR API.
  const madeUrl = snapshot.subject ?? made.url
  const subject = { reference: snapshot.patient?.fullUrl ?? madeUrl }
  const custodian = { reference: us.url }
  const { dateFrom, dateTo } = information

  const document = attachedEntry(
    own.url,
    (inPlace) =>
      releaseReference({
        id: own.id,
        patient: subject,
        custodian,
        signedAt,
        attachment: {
          contentType: "application/pdf",
          title: "release.pdf",
          size: pdf.byteSize,
          creation: signedAt,
          data: inPlace,
          hash: inPlace
        }
      }),
    pdf
  )
  const terms = {
    id: consent.id,
    isActive: status === "in_force",
    patient: subject,
    custodian,
    recipient: { reference: them.url },
    source: { reference: own.url },
    from: signedAt,
    until: authorization.endsAt,
    purpose: authorization.purpose.code,
    resourceTypes: information.resourceTypes,
    dataPeriod: dateFrom === null && dateTo === null ? undefined : {
      ...dateFrom !== null && { start: dateFrom },
      ...dateTo !== null && { end: dateTo }
    },
    categories: authorization.sensitiveCategories.map(({ category }) => category)
  }
  const signing = {
    id: provenance.id,
    targets: [{ reference: own.url }, { reference: consent.url }],
    patient: subject,
    custodian,
    signedAt,
    statementsVersion,
    sha256,
    leafHash,
    signature
  }
  const uploadEntry = ({ contentType, title, ...named }: SignedAuthorization["information"]["documents"][number]) => {
    const { id, url } = place("DocumentReference", named.id)
    const stored = uploads.find((upload) => upload.id === named.id)?.stored
    const creation = stored?.createdAt.toISOString()
    const resource = (inPlace: string | undefined) => {
      const attachment = { contentType, title, size: named.byteSize, creation, data: inPlace, hash: inPlace }
      return uploadReference({ id, patient: subject, signedAt, attachment })
    }
    return stored === undefined ? entryOf(url, resource(undefined)) : attachedEntry(url, resource, stored)
  }
  return [
    shared.patient ?? entryOf(madeUrl, madePatient({ ...veteran, id: made.id })),
    document,
    entryOf(consent.url, consentShape(terms, copy)),
    entryOf(provenance.url, signingProvenance(signing)),
    entryOf(us.url, serviceOrganization(us.id, publicUrl)),
    entryOf(them.url, recipientOrganization(them.id, recipient)),
    ...rest.size > 0 ? [rest] : [],
    ...information.documents.map(uploadEntry)
  ]
}

/** Returns a function that places a resource of ours in the bundle. Ids of released resources are taken. */
const makePlaces = (fhirBase: string, { fullUrls }: Snapshot) => (type: string, id: string) => {
  const isTaken = (one: string) => fullUrls.has(`${fhirBase}/${type}/${one}`)
  let free = id
  for (let number = 1; isTaken(free); number++) free = `${id}.${number}`
  return { id: free, url: `${fhirBase}/${type}/${free}` }
}
