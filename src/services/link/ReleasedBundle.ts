import { Context, Effect, Layer, type Stream } from "effect"
import { Conflict, NotFound, type SealBroken, type ServiceUnavailable } from "../../domain/Errors.ts"
import type { DocumentId, VeteranId } from "../../domain/Id.ts"
import { Actors } from "../../sql/Actor.ts"
import * as DocumentRepository from "../../sql/document/DocumentRepository.ts"
import { FileStore } from "../document/FileStore.ts"
import { Crypto } from "../platform/Crypto.ts"
import { placeOf } from "../platform/SealedColumns.ts"

export class ReleasedBundle extends Context.Service<ReleasedBundle, {
  readonly bundle: (veteranId: VeteranId, documentId: DocumentId, maxBytes: number) => Effect.Effect<
    { readonly content: Stream.Stream<Uint8Array, NotFound | SealBroken | ServiceUnavailable> },
    Conflict | NotFound | SealBroken | ServiceUnavailable
  >
}>()("vrss/services/link/ReleasedBundle") {
  static readonly layer = Layer.effect(
    ReleasedBundle,
    Effect.gen(function*() {
      const actors = yield* Actors
      const crypto = yield* Crypto
      const files = yield* FileStore
      return ReleasedBundle.of({
        bundle: Effect.fnUntraced(function*(veteranId, documentId, maxBytes) {
          const row = yield* DocumentRepository.find(veteranId, documentId).pipe(
            actors.withActor({ kind: "veteran", veteranId })
          )
          if (row === undefined || row.kind !== "roi") return yield* new NotFound()
          if (row.recordByteSize! > maxBytes) return yield* new Conflict({ message: "too large" })
          const fileKey = yield* crypto.open(
            placeOf("documents", "record_file_key", veteranId, documentId),
            row.recordFileKey!
          )
          return {
            content: yield* files.read({
              storageKey: row.recordStorageKey!,
              fileKey,
              byteSize: row.recordByteSize!,
              sha256: row.recordSha256!
            })
          }
        })
      })
    })
  )
}
