import { Layer } from "effect"
import { LinkRecipientHandlers, SecureLinksHandlers, SmartHealthLinksHandlers } from "./Handlers.ts"

export const LinkRoutes = Layer.mergeAll(LinkRecipientHandlers, SecureLinksHandlers, SmartHealthLinksHandlers)
