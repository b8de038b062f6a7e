import { Context, Effect, Layer } from "effect"
import { ConsentRequired } from "../../domain/ConsentGrant.ts"
import type { ProviderId, VeteranId } from "../../domain/Id.ts"
import { Actors } from "../../sql/Actor.ts"
import * as PatientRepository from "../../sql/patient/PatientRepository.ts"
import { activeGrants } from "./ActiveGrants.ts"

/** Tells a veteran that a provider saves a copy of what their grants show. */
export class SavedCopies extends Context.Service<SavedCopies, {
  /** Must succeed before the copy is made. */
  readonly prove: (providerId: ProviderId, veteranId: VeteranId) => Effect.Effect<void, ConsentRequired>
}>()("vrss/services/patient/SavedCopies") {
  static readonly layer = Layer.effect(
    SavedCopies,
    Effect.gen(function*() {
      const actors = yield* Actors
      const grantsOf = yield* activeGrants

      const prove: SavedCopies["Service"]["prove"] = Effect.fn("SavedCopies.prove")(function*(providerId, veteranId) {
        const [newest] = yield* grantsOf(providerId, veteranId)
        const isProved = yield* PatientRepository.proveSaving(veteranId, newest!.id).pipe(
          actors.withActor({ kind: "provider", providerId, veteranId })
        )
        // The last grant ended after it was read.
        if (!isProved) return yield* new ConsentRequired()
      })

      return SavedCopies.of({ prove })
    })
  )
}
