import { Context, Effect, Layer, Stream } from "effect"
import { invisible, isBlank } from "../../domain/Blank.ts"
import { type Document, DocumentNeeded, type DocumentPage, type StorageFull } from "../../domain/Document.ts"
import {
  type Conflict,
  InvalidRequest,
  NotFound,
  orNotFound,
  type SealBroken,
  type ServiceUnavailable,
  type UnsupportedMediaType
} from "../../domain/Errors.ts"
import type { DocumentId, VeteranId } from "../../domain/Id.ts"
import type { PageRequest } from "../../domain/Page.ts"
import { ActingSession, type Actor, Actors } from "../../sql/Actor.ts"
import * as DocumentRepository from "../../sql/document/DocumentRepository.ts"
import * as StoredFileRepository from "../../sql/document/StoredFileRepository.ts"
import { Crypto } from "../platform/Crypto.ts"
import { newId } from "../platform/Ids.ts"
import { Paging } from "../platform/Paging.ts"
import { placeOf } from "../platform/SealedColumns.ts"
import { StorageLimits } from "../platform/StorageLimits.ts"
import { sniffing } from "./DocumentType.ts"
import { untilEnded } from "./EndedReading.ts"
import { FileStore } from "./FileStore.ts"
import type { StoredFile } from "./SealedFile.ts"

/**
 * A document and its content, which is read and authenticated as it is consumed. It breaks off if the reader's access
 * ends meanwhile.
 */
export interface DocumentContent {
  readonly document: Document
  readonly content: Stream.Stream<Uint8Array, NotFound | SealBroken | ServiceUnavailable>
}

/** An upload in progress. `name` is known once the content has ended. It becomes the title; no path is made from it. */
export interface Upload<E> {
  /** The content has at least this many bytes. The number is known before the content arrives. */
  readonly atLeast: number
  readonly content: Stream.Stream<Uint8Array, E>
  readonly name: () => string
}

/** A veteran's uploads and releases. Files and titles are sealed. */
export class Documents extends Context.Service<Documents, {
  readonly list: (veteranId: VeteranId, page: PageRequest) => Effect.Effect<typeof DocumentPage.Type, InvalidRequest>
  readonly get: (veteranId: VeteranId, id: DocumentId) => Effect.Effect<Document, NotFound>
  readonly content: (
    actor: Actor,
    id: DocumentId
  ) => Effect.Effect<DocumentContent, NotFound | SealBroken | ServiceUnavailable>
  /** Returns a release's record, which is a FHIR bundle. `document` has the size and SHA-256 of that bundle. */
  readonly record: (
    veteranId: VeteranId,
    id: DocumentId
  ) => Effect.Effect<DocumentContent, NotFound | SealBroken | ServiceUnavailable>
  readonly upload: <E>(
    veteranId: VeteranId,
    upload: Upload<E>
  ) => Effect.Effect<Document, E | Conflict | InvalidRequest | UnsupportedMediaType | StorageFull | ServiceUnavailable>
  readonly remove: (veteranId: VeteranId, id: DocumentId) => Effect.Effect<void, NotFound | DocumentNeeded>
  readonly decode: (row: DocumentRepository.DocumentRow) => Effect.Effect<Document>
  /** The document's file, for a worker process to read. */
  readonly fileOf: (row: DocumentRepository.DocumentRow) => Effect.Effect<StoredFile, SealBroken>
}>()("vrss/services/document/Documents") {
  static readonly layer = Layer.effect(
    Documents,
    Effect.gen(function*() {
      const actors = yield* Actors
      const crypto = yield* Crypto
      const files = yield* FileStore
      const limits = yield* StorageLimits
      const paging = yield* Paging

      const decode = Effect.fnUntraced(function*(row: DocumentRepository.DocumentRow): Effect.fn.Return<Document> {
        const title = yield* crypto.openText(placeOf("documents", "title", row.veteranId, row.id), row.title)
        const { byteSize, contentType, createdAt, id, kind, signedAt } = row
        return {
          id,
          kind,
          title,
          contentType,
          byteSize,
          sha256: hex(row.sha256),
          createdAt,
          signedAt,
          release: row.releaseStatus === null ? null : {
            status: row.releaseStatus,
            endsAt: row.endsAt!,
            revokedAt: row.revokedAt,
            supersededBy: row.supersededBy,
            authorizationSha256: hex(row.authorizationSha256!)
          }
        }
      })

      const get = Effect.fn("Documents.get")(function*(veteranId: VeteranId, id: DocumentId) {
        const row = yield* actors.asVeteran(veteranId)(DocumentRepository.find(veteranId, id))
        return row === undefined ? yield* new NotFound() : yield* decode(row)
      })

      const list = Effect.fn("Documents.list")(function*(veteranId: VeteranId, request: PageRequest) {
        const page = yield* paging.byId(
          `documents|${veteranId}`,
          request,
          (query) => actors.asVeteran(veteranId)(DocumentRepository.list({ ...query, veteranId }))
        )
        return { ...page, items: yield* Effect.forEach(page.items, decode) }
      })

      const fileOf = Effect.fnUntraced(function*(row: DocumentRepository.DocumentRow) {
        const { byteSize, id, sha256, storageKey, veteranId } = row
        const fileKey = yield* crypto.open(placeOf("documents", "file_key", veteranId, id), row.fileKey)
        return { storageKey, fileKey, byteSize, sha256 }
      })

      const readingBy = Effect.fnUntraced(function*(actor: Actor, id: DocumentId, file: StoredFile) {
        const session = yield* ActingSession
        const still = DocumentRepository.find(actor.veteranId, id).pipe(
          actors.withActor(actor),
          Effect.provideService(ActingSession, session),
          Effect.map((row) => row !== undefined)
        )
        return untilEnded(yield* files.read(file), still)
      })

      const content = Effect.fn("Documents.content")(function*(actor: Actor, id: DocumentId) {
        const found = DocumentRepository.findForReading(actor.veteranId, id, "content")
        const row = yield* orNotFound(actors.withActor(actor)(found))
        return { document: yield* decode(row), content: yield* readingBy(actor, id, yield* fileOf(row)) }
      })

      const record = Effect.fn("Documents.record")(function*(veteranId: VeteranId, id: DocumentId) {
        const found = DocumentRepository.findForReading(veteranId, id, "record")
        const row = yield* orNotFound(actors.asVeteran(veteranId)(found))
        const file = {
          storageKey: row.recordStorageKey!,
          fileKey: yield* crypto.open(placeOf("documents", "record_file_key", veteranId, id), row.recordFileKey!),
          byteSize: row.recordByteSize!,
          sha256: row.recordSha256!
        }
        const document = yield* decode({ ...row, ...file, contentType: "application/fhir+json" })
        return { document, content: yield* readingBy({ kind: "veteran", veteranId }, id, file) }
      })

      const upload: Documents["Service"]["upload"] = Effect.fn("Documents.upload")(
        function*(veteranId, { atLeast, content, name }) {
          const room = yield* limits.room(veteranId, "uploads", atLeast)
          const sniffed = sniffing(atMost(room, content, limits.uploadsFull))
          const { fileKey, ...file } = yield* files.write(sniffed.content)
          if (file.byteSize === 0) {
            yield* files.remove([file.storageKey])
            return yield* InvalidRequest.at(["file"], "Expected a file that is not empty")
          }
          const id: DocumentId = newId()
          // If this fails, it is unknown whether the row exists. The file stays: a sweep removes it if it has no row.
          return yield* Effect.gen(function*() {
            yield* StoredFileRepository.claim(veteranId, [file.storageKey])
            yield* DocumentRepository.insertUpload({
              id,
              veteranId,
              contentType: sniffed.type()!,
              ...file,
              title: crypto.seal(placeOf("documents", "title", veteranId, id), Buffer.from(titleOf(name()))),
              fileKey: crypto.seal(placeOf("documents", "file_key", veteranId, id), fileKey)
            })
            // Checked again, because other uploads may have been stored while this one arrived.
            yield* limits.check(veteranId, "uploads")
            return yield* DocumentRepository.find(veteranId, id)
          }).pipe(
            actors.asVeteran(veteranId),
            Effect.tapErrorTag("Conflict", () => files.remove([file.storageKey])),
            Effect.flatMap((row) => decode(row!))
          )
        }
      )

      const remove = Effect.fn("Documents.remove")(function*(veteranId: VeteranId, id: DocumentId) {
        const keys = yield* Effect.gen(function*() {
          const { outcome, storageKeys } = yield* orNotFound(DocumentRepository.remove(veteranId, id))
          if (outcome === "needed") return yield* new DocumentNeeded()
          if (storageKeys !== null) yield* StoredFileRepository.unclaim(storageKeys)
          return storageKeys ?? []
        }).pipe(actors.asVeteran(veteranId))
        yield* files.remove(keys)
      })

      return Documents.of({
        list,
        get,
        content,
        record,
        upload,
        remove,
        decode,
        fileOf
      })
    })
  )
}

/** Fails with `error` after more than `max` bytes. */
export const atMost = <E, E2>(max: number, content: Stream.Stream<Uint8Array, E>, error: () => E2) => {
  let size = 0
  return Stream.tap(content, (chunk) => (size += chunk.length) > max ? Effect.fail(error()) : Effect.void)
}

/** The last part of a path, without invisible characters. */
const titleOf = (name: string) => {
  const shown = name.normalize("NFC").replace(/\p{C}/gu, "").replace(invisible, "")
  const last = shown.split(/[/\\]/).at(-1)!.trim().slice(0, 255)
  return isBlank(last) || /^\.*$/.test(last) ? "document" : last.toWellFormed()
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")
