import { ErrorReporter, Schema } from "effect"

const body = <const Code extends string>(...codes: ReadonlyArray<Code>) => ({
  error: Schema.Literals(codes),
  error_description: Schema.String
})

/** What the token endpoint refuses (RFC 6749, 5.2). The description holds nothing that was sent. */
export class OAuthError extends Schema.Error<OAuthError>("OAuthError")(
  body("invalid_request", "invalid_grant", "invalid_scope", "unsupported_grant_type"),
  { httpApiStatus: 400, description: "RFC 6749, 5.2" }
) {
  override readonly [ErrorReporter.ignore] = true
}

/** Whoever asks is no client, or does not prove to be the one that it names. */
export class InvalidClient extends Schema.Error<InvalidClient>("InvalidClient")(
  body("invalid_client"),
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
