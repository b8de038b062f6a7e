import { ErrorReporter, Schema } from "effect"

/** The codes of RFC 6749, 5.2, for a client that is known or need not be. */
const Code = Schema.Literals([
  "invalid_request",
  "invalid_grant",
  "invalid_scope",
  "unsupported_grant_type"
])

type Code = typeof Code.Type

const OAuthErrorBase = Schema.Error<any>("OAuthError")(
  Schema.Struct({ error: Code, error_description: Schema.String }).annotate({ identifier: "OAuthError" }),
  { httpApiStatus: 400, description: "RFC 6749, 5.2" }
)
