import { Schema } from "effect"

const Texts = Schema.Array(Schema.String)

/** Members of the authorization server's metadata (RFC 8414, 2). */
const common = {
  authorization_endpoint: Schema.String,
  token_endpoint: Schema.String,
  revocation_endpoint: Schema.String,
  introspection_endpoint: Schema.String,
  response_types_supported: Texts,
  response_modes_supported: Texts,
  grant_types_supported: Texts,
  code_challenge_methods_supported: Texts,
  token_endpoint_auth_methods_supported: Texts,
  revocation_endpoint_auth_methods_supported: Texts,
  introspection_endpoint_auth_methods_supported: Texts,
  scopes_supported: Texts,
  authorization_response_iss_parameter_supported: Schema.Boolean
}

export const AuthorizationServerMetadata = Schema.Struct({ issuer: Schema.String, ...common })
  .annotate({ identifier: "AuthorizationServerMetadata" })

/** SMART App Launch 2.2, "Conformance". It has no `issuer`: only servers with OpenID Connect include one. */
export const SmartConfiguration = Schema.Struct({
  ...common,
  management_endpoint: Schema.optionalKey(Schema.String),
  user_access_brand_bundle: Schema.String,
  capabilities: Texts
}).annotate({ identifier: "SmartConfiguration" })

/** Metadata of the protected resource (RFC 9728, 2). */
export const ProtectedResourceMetadata = Schema.Struct({
  resource: Schema.String,
  authorization_servers: Texts,
  scopes_supported: Texts,
  bearer_methods_supported: Texts
}).annotate({ identifier: "ProtectedResourceMetadata" })
