import { Context, Effect, Layer } from "effect"
import type { StorageFull } from "../../domain/Document.ts"
import type { Conflict, NotFound, SealBroken, ServiceUnavailable } from "../../domain/Errors.ts"
import type { DocumentId, VeteranId } from "../../domain/Id.ts"
import { linkLimits } from "../../domain/SecureLink.ts"
import { OwnConnections } from "../../sql/Connections.ts"
import * as StoredFileRepository from "../../sql/document/StoredFileRepository.ts"
import * as SmartHealthLinkRepository from "../../sql/link/SmartHealthLinkRepository.ts"
import { FileStore } from "../document/FileStore.ts"
import type { StoredFile } from "../document/SealedFile.ts"
import { startJob } from "../platform/Jobs.ts"
import { logTrouble } from "../platform/Outage.ts"
import { SharedBundles } from "../shape/SharedBundles.ts"
import { bytesWithin, compactJwe } from "./Jwe.ts"

type Failed = Conflict | NotFound | SealBroken | ServiceUnavailable | StorageFull

/**
 * The files of SMART Health Links. Each is a release's bundle, encrypted under the link's key, which is not stored. So
 * nobody can read a bundle there, not even with the service's disk, database and keys.
 */
export class EncryptedBundles extends Context.Service<EncryptedBundles, {
  /** Writes the file. If no row claims it, a sweep removes it. */
  readonly write: (
    release: { readonly veteranId: VeteranId; readonly documentId: DocumentId; readonly key: string }
  ) => Effect.Effect<StoredFile, Failed>
  /** Removes the files of links that have ended. Their keys are gone already, with the step that ended the link. */
  readonly removeEnded: Effect.Effect<void>
}>()("vrss/services/link/EncryptedBundles") {
  static readonly layer = Layer.effect(
    EncryptedBundles,
    Effect.gen(function*() {
      const files = yield* FileStore
      const shared = yield* SharedBundles
      const sql = yield* OwnConnections
      const links = SmartHealthLinkRepository.make(sql)
      const stored = StoredFileRepository.make(sql)

      const removeEnded = Effect.gen(function*() {
        const ended = yield* stored.ended
        if (ended.length === 0) return
        yield* files.remove(ended)
        yield* stored.forget(ended)
      })

      const run = Effect.andThen(links.endExpiredBundles, removeEnded)
      yield* startJob({ name: "files of links that have ended", every: "1 minute", first: "5 seconds", run })

      return EncryptedBundles.of({
        write: Effect.fn("EncryptedBundles.write")(function*({ documentId, key, veteranId }) {
          const maxBytes = bytesWithin(linkLimits.sharedBundle)
          const { content } = yield* shared.bundle(veteranId, documentId, { copy: "recipient", maxBytes })
          return yield* files.write(compactJwe(key, content))
        }),
        // The fiber above goes on with what fails here.
        removeEnded: Effect.catchCause(removeEnded, logTrouble("files of links that have ended"))
      })
    })
  )
}
