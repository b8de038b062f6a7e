import { Context, Effect, Layer, type Scope, type Stream } from "effect"
import type { StorageFull } from "../../domain/Document.ts"
import type { Conflict, InvalidRequest, SealBroken, ServiceUnavailable, Unauthenticated } from "../../domain/Errors.ts"
import type { VeteranId } from "../../domain/Id.ts"
import type { RateLimited } from "../../domain/RateLimit.ts"
import { Actors } from "../../sql/Actor.ts"
import { Documents } from "../document/Documents.ts"
import { FileStore } from "../document/FileStore.ts"
import { newStorageKey } from "../document/SealedFile.ts"
import { newId } from "../platform/Ids.ts"
import { Settings } from "../platform/Settings.ts"
import { Turns } from "../platform/Turns.ts"
import { lintPreview } from "./AuthorizationRules.ts"
import { makeFacts, shownOf } from "./ReleaseFacts.ts"
import { ReleaseProcesses, releaseTurn } from "./ReleaseProcesses.ts"
import { draftAuthorization } from "./SignedAuthorization.ts"

/** The pages of an unsigned release, which is not stored. The size is in bytes. */
export interface Preview {
  readonly byteSize: number
  readonly content: Stream.Stream<Uint8Array, SealBroken | ServiceUnavailable>
}

/** Shows a veteran what a recipient would get, before anything is signed. */
export class ReleasePreviews extends Context.Service<ReleasePreviews, {
  /**
   * Makes the recipient's pages of a request, which may lack the signature and the accepted statements. A veteran's
   * previews and signings run one after another. The content can be read until the scope closes.
   */
  readonly preview: (
    veteranId: VeteranId,
    request: unknown
  ) => Effect.Effect<
    Preview,
    Conflict | InvalidRequest | RateLimited | SealBroken | ServiceUnavailable | StorageFull | Unauthenticated,
    Scope.Scope
  >
}>()("vrss/services/release/ReleasePreviews") {
  static readonly layer = Layer.effect(
    ReleasePreviews,
    Effect.gen(function*() {
      const actors = yield* Actors
      const facts = makeFacts(yield* Documents)
      const files = yield* FileStore
      const { makeFiles } = yield* ReleaseProcesses
      const { publicUrl } = yield* Settings
      const turns = yield* Turns

      const preview = Effect.fn("ReleasePreviews.preview")(function*(veteranId: VeteranId, sent: unknown) {
        const checked = Effect.gen(function*() {
          const context = yield* facts(veteranId, sent)
          return { context, request: yield* Effect.fromResult(lintPreview(sent, context.rules)) }
        })
        const laidOut = Effect.gen(function*() {
          yield* actors.asVeteran(veteranId)(checked)
          const { files: [file] } = yield* makeFiles(
            veteranId,
            [newStorageKey()],
            Effect.map(checked, ({ context, request }) => ({
              ...shownOf(request, context),
              work: { base: publicUrl, preview: draftAuthorization(request, { documentId: newId(), ...context }) }
            }))
          )
          return file!
        })
        // The content is read after the turn has ended.
        const file = yield* turns.inTurn(releaseTurn(veteranId))(laidOut)
        return { byteSize: file.byteSize, content: yield* files.readOnce(file) }
      })

      return ReleasePreviews.of({ preview })
    })
  )
}
