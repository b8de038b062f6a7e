import { Layer } from "effect"
import { AuthorizeHandlers } from "./AuthorizeHandlers.ts"
import { OAuthClientsHandlers } from "./ClientsHandlers.ts"
import { OAuthMetadataHandlers } from "./MetadataHandlers.ts"
import { AnsweredByPageLive } from "./ProblemPages.ts"
import { OAuthTokenHandlers } from "./TokenHandlers.ts"

export const OAuthRoutes = Layer.mergeAll(
  AuthorizeHandlers.pipe(Layer.provide(AnsweredByPageLive)),
  OAuthClientsHandlers,
  OAuthMetadataHandlers,
  OAuthTokenHandlers
)
