import { Layer } from "effect"
import { ReleaseVerificationHandlers, RoiHandlers } from "./Handlers.ts"

export const ReleaseRoutes = Layer.mergeAll(ReleaseVerificationHandlers, RoiHandlers)
