import { Context, Effect, Layer, Option, Schema, type Stream } from "effect"
import { type Actor, Actors } from "../sql/Actor.ts"
import * as DocumentRepository from "../sql/DocumentRepository.ts"
import * as StoredFileRepository from "../sql/StoredFileRepository.ts"
import * as VeteranRepository from "../sql/VeteranRepository.ts"
import { ApiError, InvalidRequest, NotFound, type ServiceUnavailable, type UnsupportedMediaType } from "./ApiError.ts"
import { Crypto, type SealBroken } from "./Crypto.ts"
import { sniffing } from "./DocumentType.ts"
import { FileStore, type StorageFull } from "./FileStore.ts"
import { newId } from "./Ids.ts"
import { PageOf, type PageRequest, Paging } from "./Paging.ts"
import { Instant } from "./Text.ts"

export const Document = Schema.Struct({
  id: Schema.String,
  kind: Schema.Literals(["roi", "upload"]),
  title: Schema.String,
  contentType: Schema.String,
  byteSize: Schema.Int,
  /** Of the content, in hex. */
  sha256: Schema.String,
  createdAt: Instant,
  signedAt: Schema.NullOr(Instant),
  /** Of a signed release: whether anything may be released under it. */
  release: Schema.NullOr(Schema.Struct({
    status: Schema.Literals(["in_force", "expired", "revoked", "superseded"]),
    endsAt: Instant,
    revokedAt: Schema.NullOr(Instant),
    supersededBy: Schema.NullOr(Schema.String),
    /** Of the canonical authorization, in hex: printed on each page of the document. */
    authorizationSha256: Schema.String
  }))
}).annotate({ identifier: "Document" })
export type Document = typeof Document.Type

export const DocumentPage = PageOf(Document)

/** A document and its content, which comes as it is read and authenticated. */
export interface DocumentContent {
  readonly document: Document
  readonly content: Stream.Stream<Uint8Array, SealBroken | ServiceUnavailable>
}

/** A file on its way in. `name`, known once the content has ended, is what the client calls it: shown, never trusted. */
export interface Upload<E> {
  readonly content: Stream.Stream<Uint8Array, E>
  readonly name: () => string
}

/** What a veteran uploaded or signed; files and titles are sealed. */
export class Documents extends Context.Service<Documents, {
  readonly list: (veteranId: string, page: PageRequest) => Effect.Effect<typeof DocumentPage.Type, InvalidRequest>
  readonly get: (veteranId: string, id: string) => Effect.Effect<Document, NotFound>
  readonly content: (
    actor: Actor,
    id: string
  ) => Effect.Effect<DocumentContent, NotFound | SealBroken | ServiceUnavailable>
  readonly upload: <E>(
    veteranId: string,
    upload: Upload<E>
  ) => Effect.Effect<Document, E | InvalidRequest | UnsupportedMediaType | StorageFull | ServiceUnavailable>
  readonly remove: (veteranId: string, id: string) => Effect.Effect<void, NotFound | DocumentNeeded>
  readonly decode: (row: DocumentRepository.DocumentRow) => Effect.Effect<Document>
}>()("vrss/Documents") {
  static readonly layer = Layer.effect(
    Documents,
    Effect.gen(function*() {
      const actors = yield* Actors
      const crypto = yield* Crypto
      const files = yield* FileStore
      const paging = yield* Paging
      const asVeteran = (veteranId: string) => actors.withActor({ kind: "veteran", veteranId })

      const decode = Effect.fnUntraced(function*(row: DocumentRepository.DocumentRow): Effect.fn.Return<Document> {
        const title = yield* Effect.orDie(crypto.open(documentPlace(row.veteranId, row.id, "title"), row.title))
        const { byteSize, contentType, createdAt, id, kind, signedAt } = row
        return {
          ...{ id, kind, title: title.toString(), contentType, byteSize, sha256: hex(row.sha256), createdAt, signedAt },
          release: row.releaseStatus === null ? null : {
            status: row.releaseStatus,
            endsAt: row.endsAt!,
            revokedAt: row.revokedAt,
            supersededBy: row.supersededBy,
            authorizationSha256: hex(row.authorizationSha256!)
          }
        }
      })

      const find = Effect.fnUntraced(function*(actor: Actor, id: string) {
        const row = yield* actors.withActor(actor)(DocumentRepository.find(actor.veteranId, id))
        return row ?? (yield* new NotFound())
      })

      const list = Effect.fn("Documents.list")(function*(veteranId: string, request: PageRequest) {
        const page = yield* paging.byId(
          `documents|${veteranId}`,
          request,
          (query) => asVeteran(veteranId)(DocumentRepository.list({ ...query, veteranId }))
        )
        return { ...page, items: yield* Effect.forEach(page.items, decode) }
      })

      const content = Effect.fn("Documents.content")(function*(actor: Actor, id: string) {
        const row = yield* find(actor, id)
        const place = documentPlace(row.veteranId, row.id, "file_key")
        const fileKey = yield* crypto.open(place, row.fileKey)
        return { document: yield* decode(row), content: yield* files.read({ ...row, fileKey }) }
      })

      const upload: Documents["Service"]["upload"] = Effect.fn("Documents.upload")(
        function*(veteranId, { content, name }) {
          const sniffed = sniffing(content)
          const { fileKey, ...file } = yield* files.write(sniffed.content)
          if (file.byteSize === 0) {
            yield* files.remove([file.storageKey])
            return yield* InvalidRequest.at(["file"], "Expected a file that is not empty")
          }
          const id = newId()
          // Where this fails no one knows whether the row is there: a file without one is swept later, never the reverse.
          return yield* Effect.gen(function*() {
            yield* StoredFileRepository.claim([file.storageKey])
            yield* DocumentRepository.insertUpload({
              ...{ id, veteranId, contentType: sniffed.type()!, ...file },
              title: crypto.seal(documentPlace(veteranId, id, "title"), Buffer.from(titleOf(name()))),
              fileKey: crypto.seal(documentPlace(veteranId, id, "file_key"), fileKey)
            })
            return yield* DocumentRepository.find(veteranId, id)
          }).pipe(asVeteran(veteranId), Effect.flatMap((row) => decode(row!)))
        }
      )

      const remove = Effect.fn("Documents.remove")(function*(veteranId: string, id: string) {
        const keys = yield* Effect.gen(function*() {
          yield* VeteranRepository.lock(veteranId)
          const removed = yield* DocumentRepository.remove(veteranId, id)
          if (Option.isNone(removed)) {
            return yield* (yield* DocumentRepository.find(veteranId, id)) === undefined
              ? new NotFound()
              : new DocumentNeeded()
          }
          const { recipientStorageKey, storageKey } = removed.value
          const keys = recipientStorageKey === null ? [storageKey] : [storageKey, recipientStorageKey]
          yield* StoredFileRepository.release(keys)
          return keys
        }).pipe(asVeteran(veteranId))
        yield* files.remove(keys)
      })

      return Documents.of({
        list,
        get: (veteranId, id) => Effect.flatMap(find({ kind: "veteran", veteranId }, id), decode),
        content,
        upload,
        remove,
        decode
      })
    })
  )
}

export class DocumentNeeded extends ApiError<DocumentNeeded>()("DocumentNeeded", {
  code: "conflict",
  status: 409,
  message: "A release in force needs this document. Revoke the release first."
}) {}

export const documentPlace = (veteranId: string, row: string, column: string) => ({
  table: "documents",
  column,
  row,
  veteranId
})

/** The last part of a path, without what a screen cannot show. */
const titleOf = (name: string) => {
  const last = name.normalize("NFC").replace(/\p{C}/gu, "").split(/[/\\]/).at(-1)!.trim().slice(0, 255)
  return /^\.*$/.test(last) ? "document" : last.toWellFormed()
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")
