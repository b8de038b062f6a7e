import { Context, Effect, Layer } from "effect"
import type { VeteranId } from "../../domain/Id.ts"
import { Actors } from "../../sql/Actor.ts"
import * as GrantedItemRepository from "../../sql/fhir/GrantedItemRepository.ts"

/** The veteran and the sensitive categories of a grant. */
export interface GrantedRecord {
  readonly veteranId: VeteranId
  readonly sensitiveCategories: ReadonlyArray<string>
}

export class TokenPatient extends Context.Service<TokenPatient, {
  /**
   * Returns the id of the stored Patient if the grant's categories admit exactly one active Patient. Otherwise
   * returns the veteran's id, which is the id of the generated Patient. The scopes need not cover the type Patient.
   */
  readonly patientOf: (record: GrantedRecord) => Effect.Effect<string>
}>()("vrss/services/fhir/TokenPatient") {
  static readonly layer = Layer.effect(
    TokenPatient,
    Effect.map(Actors, (actors) =>
      TokenPatient.of({
        patientOf: ({ sensitiveCategories, veteranId }) =>
          GrantedItemRepository.patients(veteranId, sensitiveCategories).pipe(
            actors.asVeteran(veteranId),
            Effect.map((ids) => ids.length === 1 ? ids[0]! : veteranId)
          )
      }))
  )
}
