import { Layer } from "effect"
import { ConsentHandlers } from "./Handlers.ts"
import { SharingHandlers } from "./SharingHandlers.ts"

export const ConsentRoutes = Layer.mergeAll(ConsentHandlers, SharingHandlers)
