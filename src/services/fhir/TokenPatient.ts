import { Context, Effect, Layer } from "effect"
import type { VeteranId } from "../../domain/Id.ts"
import { Actors } from "../../sql/Actor.ts"
import * as GrantedItemRepository from "../../sql/fhir/GrantedItemRepository.ts"

/** Whose record a grant opens, and the categories of it. */
export interface Opened {
  readonly veteranId: VeteranId
  readonly sensitiveCategories: ReadonlyArray<string>
}

/** Knows which Patient an app's token is about. */
export class TokenPatient extends Context.Service<TokenPatient, {
  /**
   * Answers the id of the one active stored Patient that the grant's categories admit, whether or not its type is in the scope; else the
   * veteran's id, under which a Patient is generated.
   */
  readonly patientOf: (opened: Opened) => Effect.Effect<string>
}>()("vrss/TokenPatient") {
  static readonly layer = Layer.effect(
    TokenPatient,
    Effect.map(Actors, (actors) =>
      TokenPatient.of({
        patientOf: ({ sensitiveCategories, veteranId }) =>
          GrantedItemRepository.patients(veteranId, sensitiveCategories).pipe(
            actors.withActor({ kind: "veteran", veteranId }),
            Effect.map((ids) => ids.length === 1 ? ids[0]! : veteranId)
          )
      }))
  )
}
