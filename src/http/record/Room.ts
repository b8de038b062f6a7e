import { Layer } from "effect"
import { HealthRecordHandlers, SelfReportedHandlers } from "./Handlers.ts"

export const RecordRoutes = Layer.mergeAll(HealthRecordHandlers, SelfReportedHandlers)
