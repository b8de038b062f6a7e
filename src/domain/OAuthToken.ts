import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { ClientId, VeteranId } from "./Id.ts"
import { Seconds } from "./Scalars.ts"

/** Optional here, because each missing parameter has its own error. A repeated parameter is refused (RFC 6749, 3.2). */
const parameter = Schema.optional(Schema.String)

/** A client's credentials in the form body. They may be in an HTTP Basic header instead (RFC 6749, 2.3.1). */
const client = { client_id: parameter, client_secret: parameter }

export const TokenRequest = Schema.Struct({
  grant_type: parameter,
  code: parameter,
  redirect_uri: parameter,
  code_verifier: parameter,
  refresh_token: parameter,
  scope: parameter,
  ...client
}).annotate({ identifier: "TokenRequest" }).pipe(HttpApiSchema.asFormUrlEncoded())

export type TokenRequest = typeof TokenRequest.Type

/** The token endpoint's answer (RFC 6749, 5.1). `patient` comes from SMART App Launch. */
export const TokenAnswer = Schema.Struct({
  access_token: Schema.String,
  token_type: Schema.Literal("Bearer"),
  expires_in: Seconds,
  scope: Schema.String,
  patient: Schema.String.annotate({ description: "The id of the Patient that the token is about" }),
  refresh_token: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "TokenAnswer" })

export type TokenAnswer = typeof TokenAnswer.Type

/** A token to revoke (RFC 7009, 2.1) or introspect (RFC 7662, 2.1). Its form shows its kind, so the hint is ignored. */
export const NamedToken = Schema.Struct({
  token: parameter,
  token_type_hint: parameter,
  ...client
}).annotate({ identifier: "NamedToken" }).pipe(HttpApiSchema.asFormUrlEncoded())

export type NamedToken = typeof NamedToken.Type

/** Seconds since the epoch. */
const Moment = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** The answer of RFC 7662, 2.2. */
export const Introspection = Schema.Union([
  Schema.Struct({
    active: Schema.Literal(true),
    scope: Schema.String,
    client_id: ClientId,
    exp: Moment,
    iat: Moment,
    iss: Schema.String,
    sub: VeteranId,
    aud: Schema.String,
    token_type: Schema.Literal("Bearer"),
    patient: Schema.String
  }),
  Schema.Struct({ active: Schema.Literal(false) })
]).annotate({ identifier: "Introspection" })

export type Introspection = typeof Introspection.Type
