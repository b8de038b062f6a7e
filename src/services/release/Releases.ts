import { Context, Effect, Layer, Option } from "effect"
import { alerts } from "../../domain/Alert.ts"
import { DeletionPending } from "../../domain/Deletion.ts"
import { type Document, releaseTitle, type StorageFull } from "../../domain/Document.ts"
import {
  Conflict,
  type InvalidRequest,
  NotFound,
  type SealBroken,
  type ServiceUnavailable,
  type Unauthenticated
} from "../../domain/Errors.ts"
import type { DocumentId, VeteranId } from "../../domain/Id.ts"
import type { Manifest } from "../../domain/Manifest.ts"
import type { RateLimited } from "../../domain/RateLimit.ts"
import {
  type ReleaseReadiness,
  releasesSigned,
  type SignedRelease,
  type SigningNotConfigured
} from "../../domain/Release.ts"
import { releaseRefusals } from "../../domain/ReleaseRefusals.ts"
import { isIncomplete } from "../../domain/SyncState.ts"
import * as DeletionRepository from "../../sql/account/DeletionRepository.ts"
import * as VeteranRepository from "../../sql/account/VeteranRepository.ts"
import { Actors, ActorTransaction } from "../../sql/Actor.ts"
import * as SharingTurn from "../../sql/consent/SharingTurn.ts"
import * as DocumentRepository from "../../sql/document/DocumentRepository.ts"
import * as StoredFileRepository from "../../sql/document/StoredFileRepository.ts"
import { notIntact } from "../document/DiskErrors.ts"
import { Documents } from "../document/Documents.ts"
import { FileStore } from "../document/FileStore.ts"
import { newStorageKey } from "../document/SealedFile.ts"
import { Crypto } from "../platform/Crypto.ts"
import { RateLimits } from "../platform/RateLimits.ts"
import { placeOf, type SealedColumn } from "../platform/SealedColumns.ts"
import { Settings } from "../platform/Settings.ts"
import { newIdIn, slotOf } from "../platform/Slot.ts"
import { StorageLimits } from "../platform/StorageLimits.ts"
import { Turns } from "../platform/Turns.ts"
import { makeWorkers, task } from "../platform/Workers.ts"
import { HealthRecord } from "../record/HealthRecord.ts"
import { onlyTypes } from "../record/VisibleManifest.ts"
import { drawnSignatureOf, lint, namedIds } from "./AuthorizationRules.ts"
import type readDrawing from "./DrawnSignature.ts"
import { makeFacts, shownOf } from "./ReleaseFacts.ts"
import { ReleaseProcesses, releaseTurn } from "./ReleaseProcesses.ts"
import {
  authorize,
  canonical,
  confirmedTypes,
  draftAuthorization,
  type SignedAuthorization,
  unknownEntry
} from "./SignedAuthorization.ts"
import { SigningIdentity } from "./SigningIdentity.ts"

/** Identifies a signing by the session's token id, the client's address and the user agent. */
export type SigningSession = SignedAuthorization["session"]

const drawingProcess = task<typeof readDrawing>(new URL("./DrawnSignature.ts", import.meta.url))

/** A release of information (ROI) is signed once, and stored as two sealed copies and the record that both contain. */
export class Releases extends Context.Service<Releases, {
  readonly readiness: (veteranId: VeteranId) => Effect.Effect<typeof ReleaseReadiness.Type, Unauthenticated>
  /** Checks and signs a request; all issues are reported together. A veteran signs one at a time (contract, part 2). */
  readonly sign: (
    veteranId: VeteranId,
    request: unknown,
    session: SigningSession
  ) => Effect.Effect<
    typeof SignedRelease.Type,
    | Conflict
    | DeletionPending
    | InvalidRequest
    | RateLimited
    | SealBroken
    | ServiceUnavailable
    | SigningNotConfigured
    | StorageFull
    | Unauthenticated
  >
  /** Revokes the release; a trigger ends its links (migrations/014). Fails if the release expired or was replaced. */
  readonly revoke: (veteranId: VeteranId, documentId: DocumentId) => Effect.Effect<Document, NotFound | Conflict>
}>()("vrss/services/release/Releases") {
  static readonly layer = Layer.effect(
    Releases,
    Effect.gen(function*() {
      const actors = yield* Actors
      const crypto = yield* Crypto
      const documents = yield* Documents
      const files = yield* FileStore
      const healthRecord = yield* HealthRecord
      const { identity } = yield* SigningIdentity
      const rates = yield* RateLimits
      const { portalUrl, publicUrl } = yield* Settings
      const turns = yield* Turns
      const limits = yield* StorageLimits
      const facts = makeFacts(documents)
      const { expect, makeFiles } = yield* ReleaseProcesses
      // A separate process reads drawings, so that they do not wait for releases.
      const drawings = yield* makeWorkers({ kind: "drawings", size: 1, queue: 16 })
      const read = (drawn: string) =>
        Effect.scoped(Effect.flatMap(drawings.open(drawingProcess), ({ ask }) => ask(drawn)))

      const readiness = Effect.fn("Releases.readiness")(function*(veteranId: VeteranId) {
        // A veteran who asks this previews and signs next.
        yield* expect
        const manifest = yield* healthRecord.manifest(veteranId)
        const incomplete = confirmedTypes.flatMap((resourceType) => {
          const { lastFetch, state } = manifest[resourceType] ?? unknownEntry
          return isIncomplete(lastFetch) ? [{ resourceType, state, lastFetch }] : []
        })
        return { confirmationRequired: incomplete.length > 0, incomplete }
      })

      /** Finds the reason why a document could not be read: it was deleted meanwhile, or its file is damaged. */
      const missing = Effect.fnUntraced(function*(veteranId: VeteranId, sent: unknown) {
        const ids = namedIds(sent).documents
        const still = yield* actors.asVeteran(veteranId)(DocumentRepository.findAll(veteranId, ids))
        return yield* still.length < ids.length
          ? new Conflict({ message: releaseRefusals.changedMeanwhile })
          : notIntact
      })

      const sign = Effect.fn("Releases.sign")(
        function*(veteranId: VeteranId, sent: unknown, session: SigningSession) {
          const drawn = drawnSignatureOf(sent)
          const drawing = drawn === undefined ? null : yield* read(drawn)
          const drawingRefused = typeof drawing === "string" ? drawing : undefined
          const checked = Effect.gen(function*() {
            const context = yield* facts(veteranId, sent)
            return { context, request: yield* Effect.fromResult(lint(sent, { ...context.rules, drawingRefused })) }
          })
          // A request that is refused anyway does not wait for a process.
          yield* actors.asVeteran(veteranId)(Effect.gen(function*() {
            if (Option.isSome(yield* DeletionRepository.find)) return yield* new DeletionPending()
            yield* checked
          }))
          yield* limits.room(veteranId, "releases", 0)
          const sealing = yield* identity
          const documentId: DocumentId = newIdIn(slotOf(veteranId))
          const keys = [newStorageKey(), newStorageKey(), newStorageKey()]
          const {
            files: [own, recipients, record],
            isOfAnother,
            plan: { authorization, json, manifest, moment, request, sha256 }
          } = yield* makeFiles(
            veteranId,
            keys,
            Effect.gen(function*() {
              const { context, request } = yield* checked
              const draft = draftAuthorization(request, { documentId, ...context })
              const authorization = authorize(request, draft, session)
              const { json, sha256 } = canonical(authorization)
              const { items, manifest, moment, rows } = context
              const content = {
                authorization,
                json,
                sha256,
                drawing: typeof drawing === "string" ? null : drawing,
                verificationUrl: `${portalUrl}/verify#${documentId}`,
                withheld: new Map(items.map(({ all, released, resourceType }) => [resourceType, all - released]))
              }
              const named = yield* Effect.forEach(
                authorization.information.documents,
                ({ id }) => documents.fileOf(rows.find((row) => row.id === id)!)
              )
              const work = { base: publicUrl, content, identity: sealing, documents: named }
              return { ...shownOf(request, context), work, authorization, json, manifest, moment, request, sha256 }
            })
          ).pipe(Effect.catchTag("SealBroken", () => missing(veteranId, sent)))
          const placed = (column: SealedColumn<"documents">, plaintext: Uint8Array) =>
            crypto.seal(placeOf("documents", column, veteranId, documentId), plaintext)
          const { name } = request.recipient

          const document = yield* Effect.gen(function*() {
            yield* VeteranRepository.lock(veteranId)
            yield* SharingTurn.take(veteranId, moment)
            const ids = authorization.information.documents.map(({ id }) => id)
            const still = yield* DocumentRepository.findAll(veteranId, ids)
            const replaced = authorization.supersedes === null ||
              (yield* DocumentRepository.endRelease(veteranId, authorization.supersedes, documentId))
            if (still.length < ids.length || !replaced) {
              return yield* new Conflict({ message: releaseRefusals.changedMeanwhile })
            }
            yield* StoredFileRepository.claim(veteranId, keys)
            yield* DocumentRepository.insertRelease({
              id: documentId,
              veteranId,
              contentType: "application/pdf",
              ...own!,
              title: placed("title", Buffer.from((releaseTitle + name).slice(0, 255))),
              fileKey: placed("file_key", own!.fileKey),
              signedAt: moment,
              endsAt: new Date(authorization.endsAt),
              authorizationCiphertext: placed("authorization_ciphertext", json),
              authorizationSha256: sha256,
              releasedDocuments: ids,
              recipientStorageKey: recipients!.storageKey,
              recipientFileKey: placed("recipient_file_key", recipients!.fileKey),
              recipientByteSize: recipients!.byteSize,
              recipientSha256: recipients!.sha256,
              recordStorageKey: record!.storageKey,
              recordFileKey: placed("record_file_key", record!.fileKey),
              recordByteSize: record!.byteSize,
              recordSha256: record!.sha256
            })
            yield* limits.check(veteranId, "releases")
            const document = yield* documents.decode((yield* DocumentRepository.find(veteranId, documentId))!)
            yield* ActorTransaction.use((sql) => rates.count(sql, "releases signed", veteranId, releasesSigned))
            return document
          }).pipe(
            actors.withWaitingActor({ kind: "veteran", veteranId }),
            // After any other failure the row may exist, so the files stay. The sweep removes files without a row.
            Effect.tapErrorTag(["Conflict", "DeletionPending", "RateLimited"], () => files.remove(keys)),
            // After a client disconnects, its release exists whole or not at all.
            Effect.uninterruptible
          )
          return {
            document,
            warnings: [
              ...isOfAnother ? [personDiffers] : [],
              ...warningsOf(manifest, request.information.resourceTypes)
            ]
          }
        },
        (effect, veteranId) => turns.inTurn(releaseTurn(veteranId))(effect)
      )

      const revoke = Effect.fn("Releases.revoke")(function*(veteranId: VeteranId, documentId: DocumentId) {
        const row = yield* Effect.gen(function*() {
          yield* DocumentRepository.endRelease(veteranId, documentId, null)
          return yield* DocumentRepository.find(veteranId, documentId)
        }).pipe(actors.asVeteran(veteranId))
        if (row === undefined || row.kind !== "roi") return yield* new NotFound()
        return row.releaseStatus === "revoked" ? yield* documents.decode(row) : yield* new Conflict()
      })

      return Releases.of({ readiness, sign, revoke })
    })
  )
}

/** It does not say which of the two differs: the veteran's client has both records. */
const personDiffers = {
  code: "person_differs",
  message: "The record has another name or birth date than the authorization. Check whose record it is."
} as const

/** A type that was never fetched has no alert, but it still needs a warning. */
const warningsOf = (manifest: Manifest, types: ReadonlyArray<string>) => {
  const messages = new Map(
    alerts(onlyTypes(manifest, types)).map(({ message, resourceType }) => [resourceType, message])
  )
  return types.flatMap((resourceType) => {
    const { lastFetch, state } = manifest[resourceType] ?? unknownEntry
    const message = messages.get(resourceType) ??
      (state === "unknown" ? `${resourceType}: could not be loaded.` : undefined)
    return message === undefined ? [] : [{ resourceType, state, lastFetch, message }]
  })
}
