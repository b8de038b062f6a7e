import { Layer } from "effect"
import { AdminHandlers } from "./OperatorHandlers.ts"
import { SystemHandlers } from "./SystemHandlers.ts"

export const OperationRoutes = Layer.mergeAll(AdminHandlers, SystemHandlers)
