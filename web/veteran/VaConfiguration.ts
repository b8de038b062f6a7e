import { Effect, Schema } from "effect"
import { runtimeConfig } from "../shared/Transport.ts"

/** Where the app signs in and reads the record. `sandbox` is true if it is not the real VA. */
const Va = Schema.Struct({
  authorizationUrl: Schema.String,
  tokenUrl: Schema.String,
  fhirBase: Schema.String,
  clientId: Schema.String,
  scopes: Schema.String,
  resourceTypes: Schema.Array(Schema.String),
  sandbox: Schema.Boolean
})

/** Succeeds with undefined if the service is not connected to the VA. */
export const vaConfiguration = Effect.map(
  Effect.flatMap(runtimeConfig, Schema.decodeUnknownEffect(Schema.Struct({ va: Schema.optional(Va) }))),
  ({ va }) => va
)
