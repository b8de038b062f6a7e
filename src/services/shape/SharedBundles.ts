import { Clock, Context, Effect, Layer, Option, type Stream } from "effect"
import { Conflict, type NotFound, orNotFound, type SealBroken, type ServiceUnavailable } from "../../domain/Errors.ts"
import type { DocumentId, VeteranId } from "../../domain/Id.ts"
import { ActingSession, Actors } from "../../sql/Actor.ts"
import * as DocumentRepository from "../../sql/document/DocumentRepository.ts"
import * as ShapeRepository from "../../sql/shape/ShapeRepository.ts"
import { Documents } from "../document/Documents.ts"
import { untilEnded } from "../document/EndedReading.ts"
import { FileStore } from "../document/FileStore.ts"
import type { StoredFile } from "../document/SealedFile.ts"
import { Disclosures } from "../ledger/Disclosures.ts"
import { Crypto } from "../platform/Crypto.ts"
import { placeOf } from "../platform/SealedColumns.ts"
import { Settings } from "../platform/Settings.ts"
import type { SignedAuthorization } from "../release/SignedAuthorization.ts"
import { SigningIdentity } from "../release/SigningIdentity.ts"
import { base64Length, bundlePieces, contentOf, sizeOf } from "./BundlePieces.ts"
import { detachedSignature } from "./DetachedSignature.ts"
import { type DocumentCopy, sharedEntries } from "./SharedEntries.ts"
import { entriesWithout, rangeOf, readSnapshot } from "./Snapshot.ts"

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
    options: { readonly copy: DocumentCopy; readonly maxBytes?: number }
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
      const { asVeteran } = yield* Actors
      const crypto = yield* Crypto
      const disclosures = yield* Disclosures
      const documents = yield* Documents
      const files = yield* FileStore
      const { identity } = yield* SigningIdentity
      const { publicUrl } = yield* Settings

      /** Reads the release and the documents that it names, of which the veteran may have deleted some. */
      const releaseOf = Effect.fnUntraced(
        function*(veteranId: VeteranId, documentId: DocumentId, copy: DocumentCopy, isExport: boolean) {
          const release = yield* orNotFound(ShapeRepository.findRelease(veteranId, documentId, copy))
          const place = placeOf("documents", "authorization_ciphertext", veteranId, documentId)
          const authorization = JSON.parse(
            yield* crypto.openText(place, release.authorizationCiphertext)
          ) as SignedAuthorization
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
          readonly copy: DocumentCopy
          readonly isExport: boolean
          readonly maxBytes?: number | undefined
        }
      ) {
        const { authorization, release, uploads } = yield* releaseOf(veteranId, documentId, copy, isExport)
        const least = [release, ...uploads].reduce((sum, { byteSize }) => sum + base64Length(byteSize), 0)
        if (least + release.recordByteSize > maxBytes) return yield* new Conflict({ message: tooLarge })

        const keyOf = (column: "file_key" | "recipient_file_key" | "record_file_key", sealed: Uint8Array) =>
          crypto.open(placeOf("documents", column, veteranId, documentId), sealed)
        const record: StoredFile = {
          storageKey: release.recordStorageKey,
          fileKey: yield* keyOf("record_file_key", release.recordFileKey),
          byteSize: release.recordByteSize,
          sha256: release.recordSha256
        }
        const fileKey = yield* keyOf(copy === "recipient" ? "recipient_file_key" : "file_key", release.fileKey)
        const opened = (file: StoredFile) =>
          Effect.map(files.read(file), (content) => ({ byteSize: file.byteSize, content }))
        const snapshot = yield* readSnapshot(yield* files.read(record), authorization.veteran)
        const sha256 = Buffer.from(release.authorizationSha256)
        const now = new Date(yield* Clock.currentTimeMillis).toISOString()
        const jws = yield* Effect.option(Effect.flatMap(identity, (seal) => detachedSignature(seal, sha256)))
        const entries = sharedEntries({
          copy,
          publicUrl,
          veteranId,
          authorization,
          sha256: sha256.toString("hex"),
          status: release.releaseStatus,
          leafHash: yield* leafHashOf(veteranId, documentId),
          signature: Option.getOrUndefined(Option.map(jws, (jws) => ({ jws, when: now }))),
          pdf: yield* opened({ ...release, fileKey }),
          snapshot,
          patient: snapshot.patient && (snapshot.patient.entry ?? rangeOf(yield* files.read(record), snapshot.patient)),
          rest: entriesWithout(yield* files.read(record), snapshot.entries, snapshot.patient),
          uploads: yield* Effect.forEach(uploads, (row) =>
            Effect.map(
              Effect.flatMap(documents.fileOf(row), opened),
              (file) => ({ id: row.id, stored: { ...file, createdAt: row.createdAt } })
            ))
        })
        const pieces = bundlePieces({ id: documentId, timestamp: now }, entries)
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
