import { Context, Effect, Layer } from "effect"
import type { ConsentGrant } from "../../domain/ConsentGrant.ts"
import { type NotFound, orNotFound } from "../../domain/Errors.ts"
import { consentShape } from "../../domain/fhir/Consent.ts"
import { type Reference, serviceReference, systems } from "../../domain/fhir/Shapes.ts"
import type { GrantId, VeteranId } from "../../domain/Id.ts"
import { Actors } from "../../sql/Actor.ts"
import * as ConsentGrantRepository from "../../sql/consent/ConsentGrantRepository.ts"
import * as ShapeRepository from "../../sql/shape/ShapeRepository.ts"
import { Settings } from "../platform/Settings.ts"

/** A veteran's permission for a provider or an app as a FHIR Consent. */
export class ConsentShapes extends Context.Service<ConsentShapes, {
  /** Writes the proof that the veteran took it. */
  readonly exported: (
    veteranId: VeteranId,
    grantId: GrantId
  ) => Effect.Effect<ReturnType<typeof consentShape>, NotFound>
}>()("vrss/services/shape/ConsentShapes") {
  static readonly layer = Layer.effect(
    ConsentShapes,
    Effect.gen(function*() {
      const { asVeteran } = yield* Actors
      const { publicUrl } = yield* Settings
      return ConsentShapes.of({
        exported: Effect.fn("ConsentShapes.exported")(
          function*(veteranId, grantId) {
            const grant = yield* orNotFound(ConsentGrantRepository.find({ veteranId, grantId }))
            yield* ShapeRepository.proveExport({ grantId })
            const { expiresAt, grantedAt, resourceTypes, sensitiveCategories, status } = grant
            return consentShape({
              id: grantId,
              isActive: status === "active",
              patient: { reference: `Patient/${veteranId}` },
              custodian: serviceReference(publicUrl),
              recipient: recipientOf(grant),
              from: grantedAt.toISOString(),
              until: expiresAt.toISOString(),
              resourceTypes: resourceTypes ?? undefined,
              categories: sensitiveCategories
            }, "veteran")
          },
          (effect, veteranId) => asVeteran(veteranId)(effect)
        )
      })
    })
  )
}

const recipientOf = (
  { app, provider, providerId }: Pick<ConsentGrant, "app" | "provider" | "providerId">
): Reference =>
  app === null
    ? outsiderReference("Practitioner", providerId!, `${provider!.displayName}, ${provider!.organization}`)
    : outsiderReference("Device", app.clientId, app.name)

/** Refers to a provider or an app by its id at this service. */
export const outsiderReference = (
  type: "Practitioner" | "Device",
  id: string,
  display: string | undefined
): Reference => ({
  type,
  identifier: { system: systems.uri, value: `urn:uuid:${id}` },
  ...display !== undefined && { display }
})
