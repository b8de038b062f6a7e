import { Layer } from "effect"
import { AuthorizationRequests } from "./AuthorizationRequests.ts"
import { ClientAuthentication } from "./ClientAuthentication.ts"
import { Clients } from "./Clients.ts"
import { NamedTokens } from "./NamedTokens.ts"
import { TokenEndpoint } from "./TokenEndpoint.ts"

export const OAuthLayer = Layer.mergeAll(
  AuthorizationRequests.layer,
  ClientAuthentication.layer,
  Clients.layer,
  NamedTokens.layer,
  TokenEndpoint.layer
)
