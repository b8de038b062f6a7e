import { Effect } from "effect"
import { Settings } from "../../services/platform/Settings.ts"
import { group } from "../wire/Group.ts"

const authentication = ["client_secret_basic", "client_secret_post"]

const withPublicClients = ["none", ...authentication]

/** Examples of scopes. A resource type may replace each `*`. */
const scopes = ["launch/patient", "offline_access", "patient/*.rs", "patient/*.r", "patient/*.s", "patient/*.read",
  "record:read"]

const capabilities = [
  "launch-standalone",
  "client-public",
  "client-confidential-symmetric",
  "context-standalone-patient",
  "permission-patient",
  "permission-offline",
  "permission-v1",
  "permission-v2",
  "authorize-post"
]

export const OAuthMetadataHandlers = group("oauthMetadata", function*(handlers) {
  const { fhirBase, oauthIssuer: issuer, veteranApp } = yield* Settings
  const common = {
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    revocation_endpoint: `${issuer}/revoke`,
    introspection_endpoint: `${issuer}/introspect`,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: withPublicClients,
    revocation_endpoint_auth_methods_supported: withPublicClients,
    introspection_endpoint_auth_methods_supported: authentication,
    scopes_supported: scopes,
    authorization_response_iss_parameter_supported: true
  }
  const metadata = Effect.succeed({ issuer, ...common })
  return handlers.handleAll({
    metadata: () => metadata,
    metadataOfIssuer: () => metadata,
    protectedResource: () =>
      Effect.succeed({
        resource: fhirBase,
        authorization_servers: [issuer],
        scopes_supported: scopes,
        bearer_methods_supported: ["header"]
      }),
    smartConfiguration: () =>
      Effect.succeed({
        ...common,
        // Where the veteran sees and ends what they share.
        ...veteranApp.stands && { management_endpoint: `${veteranApp.url}/#/sharing` },
        user_access_brand_bundle: `${fhirBase}/brands`,
        capabilities
      })
  })
})
