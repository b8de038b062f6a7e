import { Schema } from "effect"
import { ApiError } from "./Errors.ts"
import { VeteranId } from "./Id.ts"
import { Manifest } from "./Manifest.ts"
import { PageOf, PageRequest } from "./Page.ts"
import { AnsweredEmail, EmailAddress, Instant, Seconds, Text } from "./Scalars.ts"

export const NewVeteran = Schema.Struct({
  vaPatientId: Text(128),
  callSign: Text(100),
  email: EmailAddress
}).annotate({ identifier: "NewVeteran" })

export const Veteran = Schema.Struct({
  id: VeteranId,
  vaPatientId: Schema.String,
  callSign: Schema.String,
  email: AnsweredEmail,
  createdAt: Instant,
  fhirSyncManifest: Manifest
}).annotate({ identifier: "Veteran" })

export type Veteran = typeof Veteran.Type

/** The operator's change. A member that is not sent stays as it is. */
export const VeteranChange = Schema.Struct({
  email: Schema.optionalKey(EmailAddress),
  callSign: Schema.optionalKey(Text(100)),
  vaPatientId: Schema.optionalKey(Text(128))
}).annotate({ identifier: "VeteranChange" })

const filter = { email: Schema.optional(EmailAddress), vaPatientId: Schema.optional(Text(128)) }

export const VeteranQuery = { ...PageRequest, ...filter }

export interface VeteranFilter extends Schema.Struct.Type<typeof filter> {}

export const VeteranPage = PageOf(Veteran)

export class InvalidExchangeSecret extends ApiError<InvalidExchangeSecret>()("InvalidExchangeSecret", {
  code: "invalid_exchange_secret",
  status: 401,
  message: "The header 'x-veteran-session-exchange' is missing or wrong."
}) {}

export class SessionExchangeNotConfigured
  extends ApiError<SessionExchangeNotConfigured>()("SessionExchangeNotConfigured", {
    code: "session_exchange_not_configured",
    status: 503,
    message: "This server has no VETERAN_SESSION_EXCHANGE_SECRET."
  })
{}

export class VeteranNotFound extends ApiError<VeteranNotFound>()("VeteranNotFound", {
  code: "veteran_not_found",
  status: 404,
  message: "No veteran is registered with this vaPatientId."
}) {}

export class VeteranMismatch extends ApiError<VeteranMismatch>()("VeteranMismatch", {
  code: "veteran_mismatch",
  status: 403,
  message: "The token belongs to another veteran than the one addressed."
}) {}

export class InvalidIdentityAssertion extends ApiError<InvalidIdentityAssertion>()("InvalidIdentityAssertion", {
  code: "invalid_identity_assertion",
  status: 401,
  message: "The 'identityAssertion' is malformed, expired, used before, wrongly signed, or for somebody else."
}) {}

export class IdentityAssertionRequired extends ApiError<IdentityAssertionRequired>()("IdentityAssertionRequired", {
  code: "identity_assertion_required",
  status: 401,
  message: "This server exchanges a session only for an 'identityAssertion'."
}) {}

export const SessionRequest = Schema.Struct({
  vaPatientId: Text(128),
  identityAssertion: Schema.optionalKey(Schema.String).annotate({
    description:
      "A JWT by which the app's backend vouches that this veteran signed in upstream (RFC 7523); it counts once"
  })
}).annotate({ identifier: "SessionRequest" })

export const VeteranAccess = Schema.Struct({
  accessToken: Schema.String,
  tokenType: Schema.Literal("Bearer"),
  expiresIn: Seconds,
  veteran: Schema.Struct({ id: VeteranId, callSign: Schema.String })
}).annotate({ identifier: "VeteranAccess" })
