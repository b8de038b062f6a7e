import { Layer } from "effect"
import { AdminExportHandlers, ExportHandlers } from "./Handlers.ts"

export const ExportRoutes = Layer.mergeAll(ExportHandlers, AdminExportHandlers)
