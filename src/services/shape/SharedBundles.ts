import { Clock, Context, Effect, Layer, Option, Stream } from "effect"
import { consentShape } from "../../domain/fhir/Consent.ts"
import { releaseReference, uploadReference } from "../../domain/fhir/DocumentReference.ts"
import { recipientOrganization, serviceOrganization } from "../../domain/fhir/Organization.ts"
import { madePatient } from "../../domain/fhir/Patient.ts"
import { signingProvenance } from "../../domain/fhir/Provenance.ts"
import { Conflict, NotFound, type SealBroken, type ServiceUnavailable } from "../../domain/Errors.ts"
import type { DocumentId, VeteranId } from "../../domain/Id.ts"
import { ActingSession, Actors } from "../../sql/Actor.ts"
import * as DocumentRepository from "../../sql/document/DocumentRepository.ts"
import * as ShapeRepository from "../../sql/shape/ShapeRepository.ts"
import { Documents } from "../document/Documents.ts"
import { untilEnded } from "../document/EndedReading.ts"
import { FileStore } from "../document/FileStore.ts"
import type { StoredFile } from "../document/SealedFile.ts"
import { serviceOrganizationId } from "../fhir/BrandsBundle.ts"
import { Disclosures } from "../ledger/Disclosures.ts"
import { Crypto } from "../platform/Crypto.ts"
import { placeOf } from "../platform/SealedColumns.ts"
import { Settings } from "../platform/Settings.ts"
import type { SignedAuthorization } from "../release/SignedAuthorization.ts"
import { SigningIdentity } from "../release/SigningIdentity.ts"
import { attachedEntry, base64Length, contentOf, entryOf, type Piece, sizeOf } from "./BundlePieces.ts"
import { detachedSignature } from "./DetachedSignature.ts"
import { entriesWithout, readSnapshot, type Snapshot } from "./Snapshot.ts"

/** Whose copy of a release a bundle has. */
export type Copy = "recipient" | "veteran"

/** A FHIR R4 bundle, to be read once. The size in bytes is exact. */
export interface SharedBundle {
  readonly signedAt: Date
  readonly byteSize: number
  readonly content: Stream.Stream<Uint8Array, NotFound | SealBroken | ServiceUnavailable>
}

const tooLarge = "The release is too large to be shared in this form. Share it as a document, or sign a smaller one."

/**
 * What a release shares as FHIR: the signed document, the consent, its provenance, and the record as it was when it was
 * signed. The live record is never read.
 */
export class SharedBundles extends Context.Service<SharedBundles, {
  /**
   * Makes the bundle for a copy. Fails with `Conflict` if it has more than `maxBytes`, mostly before a file is read.
   * The caller writes the proof of what it does with the bundle.
   */
  readonly bundle: (
    veteranId: VeteranId,
    documentId: DocumentId,
    options: { readonly copy: Copy; readonly maxBytes?: number }
  ) => Effect.Effect<SharedBundle, Conflict | NotFound | SealBroken | ServiceUnavailable>
  /** Makes the bundle with the veteran's copy, and writes the proof that they took it. */
  readonly exported: (
    veteranId: VeteranId,
    documentId: DocumentId
  ) => Effect.Effect<SharedBundle, NotFound | SealBroken | ServiceUnavailable>
}>()("vrss/services/shape/SharedBundles") {
  static readonly layer = Layer.effect(
    SharedBundles,
    Effect.gen(function*() {
      const actors = yield* Actors
      const crypto = yield* Crypto
      const disclosures = yield* Disclosures
      const documents = yield* Documents
      const files = yield* FileStore
      const { identity } = yield* SigningIdentity
      const { fhirBase, publicUrl } = yield* Settings
      const asVeteran = (veteranId: VeteranId) => actors.withActor({ kind: "veteran", veteranId })

      /** Reads the release and the documents that it names, of which the veteran may have deleted some. */
      const releaseOf = Effect.fnUntraced(
        function*(veteranId: VeteranId, documentId: DocumentId, copy: Copy, isExport: boolean) {
          const found = yield* ShapeRepository.findRelease(veteranId, documentId, copy)
          if (Option.isNone(found)) return yield* new NotFound()
          const release = found.value
          const json = yield* Effect.orDie(crypto.open(
            placeOf("documents", "authorization_ciphertext", veteranId, documentId),
            release.authorizationCiphertext
          ))
          const authorization = JSON.parse(json.toString()) as SignedAuthorization
          const ids = authorization.information.documents.map(({ id }) => id)
          const uploads = yield* DocumentRepository.findAll(veteranId, ids)
          if (isExport) yield* ShapeRepository.proveExport({ documentId })
          return { release, authorization, uploads }
        },
        (effect, veteranId) => asVeteran(veteranId)(effect)
      )

      /** The hash of the leaf of the signing, in hex, once it is in the tree. */
      const leafHashOf = Effect.fnUntraced(function*(veteranId: VeteranId, documentId: DocumentId) {
        const { items } = yield* Effect.orDie(disclosures.list(veteranId, { kind: ["roi_signed"], documentId }))
        const hashes = yield* asVeteran(veteranId)(ShapeRepository.leafHashes(veteranId, items.map(({ id }) => id)))
        return hashes[0] === undefined ? undefined : Buffer.from(hashes[0].leafHash).toString("hex")
      })

      const make = Effect.fnUntraced(function*(
        veteranId: VeteranId,
        documentId: DocumentId,
        { copy, isExport, maxBytes = Infinity }: {
          readonly copy: Copy
          readonly isExport: boolean
          readonly maxBytes?: number | undefined
        }
      ) {
        const { authorization, release, uploads } = yield* releaseOf(veteranId, documentId, copy, isExport)
        const { information, recipient, veteran } = authorization
        const least = [release, ...uploads].reduce((sum, { byteSize }) => sum + base64Length(byteSize), 0)
        if (least + release.recordByteSize > maxBytes) return yield* new Conflict({ message: tooLarge })

        const keyColumn = copy === "recipient" ? "recipient_file_key" : "file_key"
        const openKey = (column: "file_key" | "recipient_file_key" | "record_file_key", sealed: Uint8Array) =>
          crypto.open(placeOf("documents", column, veteranId, documentId), sealed)
        const record = {
          storageKey: release.recordStorageKey,
          fileKey: yield* openKey("record_file_key", release.recordFileKey),
          byteSize: release.recordByteSize,
          sha256: release.recordSha256
        }
        const pdf = { ...release, fileKey: yield* openKey(keyColumn, release.fileKey) }
        const opened = Effect.fnUntraced(function*(file: StoredFile) {
          return { byteSize: file.byteSize, content: yield* files.read(file) }
        })
        const snapshot = yield* readSnapshot(yield* files.read(record), veteran)
        const leafHash = yield* leafHashOf(veteranId, documentId)
        const now = new Date(yield* Clock.currentTimeMillis).toISOString()
        const sha256 = Buffer.from(release.authorizationSha256)
        const jws = yield* Effect.option(Effect.flatMap(identity, (seal) => detachedSignature(seal, sha256)))

        const signedAt = release.signedAt.toISOString()
        const isFree = (type: string, id: string) => !snapshot.fullUrls.has(`${fhirBase}/${type}/${id}`)
        const place = (type: string, id: string) => {
          let free = id
          for (let number = 1; !isFree(type, free); number++) free = `${id}.${number}`
          return { id: free, url: `${fhirBase}/${type}/${free}` }
        }
        const own = place("DocumentReference", documentId)
        const consent = place("Consent", documentId)
        const provenance = place("Provenance", documentId)
        const us = place("Organization", serviceOrganizationId)
        const them = place("Organization", documentId)
        const patient = patientOf(snapshot, place("Patient", veteranId), veteran)
        const subject = { reference: patient.url }
        const custodian = { reference: us.url }
        const { dateFrom, dateTo } = information

        const uploadPieces = yield* Effect.forEach(information.documents, Effect.fnUntraced(function*(document) {
          const { contentType, id, title } = document
          const row = uploads.find((upload) => upload.id === id)
          const placed = place("DocumentReference", id)
          const resource = (inPlace: string | undefined) =>
            uploadReference({
              id: placed.id,
              patient: subject,
              signedAt,
              attachment: {
                contentType,
                title,
                size: document.byteSize,
                creation: row?.createdAt.toISOString(),
                data: inPlace,
                hash: inPlace
              }
            })
          return row === undefined
            ? entryOf(placed.url, resource(undefined))
            : attachedEntry(placed.url, resource, yield* opened(yield* documents.fileOf(row)))
        }))
        const rest = entriesWithout(yield* files.read(record), snapshot.entries, snapshot.patient)
        const entries: ReadonlyArray<Piece<SealBroken | ServiceUnavailable>> = [
          patient.entry,
          attachedEntry(
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
                  size: release.byteSize,
                  creation: signedAt,
                  data: inPlace,
                  hash: inPlace
                }
              }),
            yield* opened(pdf)
          ),
          entryOf(
            consent.url,
            consentShape({
              id: consent.id,
              isActive: release.releaseStatus === "in_force",
              patient: subject,
              custodian,
              recipient: { reference: them.url },
              source: { reference: own.url },
              from: signedAt,
              until: release.endsAt.toISOString(),
              purpose: authorization.purpose.code,
              resourceTypes: information.resourceTypes,
              dataPeriod: dateFrom === null && dateTo === null ? undefined : {
                ...dateFrom !== null && { start: dateFrom },
                ...dateTo !== null && { end: dateTo }
              },
              categories: authorization.sensitiveCategories.map(({ category }) => category)
            }, copy)
          ),
          entryOf(
            provenance.url,
            signingProvenance({
              id: provenance.id,
              targets: [{ reference: own.url }, { reference: consent.url }],
              patient: subject,
              custodian,
              signedAt,
              statementsVersion: authorization.statementsVersion,
              sha256: sha256.toString("hex"),
              leafHash,
              signature: Option.getOrUndefined(Option.map(jws, (jws) => ({ jws, when: now })))
            })
          ),
          entryOf(us.url, serviceOrganization(us.id, publicUrl)),
          entryOf(them.url, recipientOrganization(them.id, recipient)),
          ...rest.size > 0 ? [rest] : [],
          ...uploadPieces
        ]
        const head = JSON.stringify({ resourceType: "Bundle", id: documentId, type: "collection", timestamp: now })
        const pieces = [
          Buffer.from(`${head.slice(0, -1)},"entry":[`),
          ...entries.flatMap((entry, index) => index === 0 ? [entry] : [separator, entry]),
          ending
        ]
        const byteSize = sizeOf(pieces)
        if (byteSize > maxBytes) return yield* new Conflict({ message: tooLarge })
        const session = yield* ActingSession
        const still = DocumentRepository.find(veteranId, documentId).pipe(
          asVeteran(veteranId),
          Effect.provideService(ActingSession, session),
          Effect.map((row) => row !== undefined)
        )
        return { signedAt: release.signedAt, byteSize, content: untilEnded(contentOf(pieces), still) }
      })

      return SharedBundles.of({
        bundle: Effect.fn("SharedBundles.bundle")((veteranId, documentId, options) =>
          make(veteranId, documentId, { ...options, isExport: false })
        ),
        exported: Effect.fn("SharedBundles.exported")((veteranId, documentId) =>
          make(veteranId, documentId, { copy: "veteran", isExport: true }).pipe(Effect.catchTag("Conflict", Effect.die))
        )
      })
    })
  )
}

const separator = Buffer.from(",")

const ending = Buffer.from("]}")

/** The released Patient that the authorization names, else another released one, else one made of the authorization. */
const patientOf = (
  { patient }: Snapshot,
  { id, url }: { readonly id: string; readonly url: string },
  veteran: SignedAuthorization["veteran"]
) =>
  patient === undefined
    ? { url, entry: entryOf(url, madePatient({ ...veteran, id })) }
    : { url: patient.fullUrl, entry: patient.entry }
