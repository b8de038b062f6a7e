import { ErrorReporter, Schema } from "effect"

/** Without this identifier, the body would be called `${tag}Encoded` in the OpenAPI document. */
const body = <Code extends Schema.Schema<string>>(identifier: string, error: Code) =>
  Schema.Struct({ error, error_description: Schema.String }).annotate({ identifier })

/** An error of the token endpoint (RFC 6749, 5.2). The description holds nothing that was sent. */
export class OAuthError extends Schema.Error<OAuthError>("OAuthError")(
  body(
    "OAuthError",
    Schema.Literals([
      "invalid_request",
      "invalid_grant",
      "invalid_scope",
      "unsupported_grant_type",
      // Errors of the framework are sent in this form too (http/wire/ErrorBodies.ts).
      "temporarily_unavailable",
      "server_error"
    ])
  ),
  { httpApiStatus: 400, description: "RFC 6749, 5.2" }
) {
  override readonly [ErrorReporter.ignore] = true
}

/** The requester is not a registered client, or does not prove that it is the client it names. */
export class InvalidClient extends Schema.Error<InvalidClient>("InvalidClient")(
  body("InvalidClient", Schema.Literal("invalid_client")),
  { httpApiStatus: 401, description: "The client is unknown or disabled, or its proof is missing or wrong" }
) {
  override readonly [ErrorReporter.ignore] = true

  static readonly refused = {
    error: "invalid_client",
    error_description: "The client is unknown or disabled, or its proof is missing or wrong."
  } as const
}

export const invalidRequest = (error_description: string) =>
  new OAuthError({ error: "invalid_request", error_description })
