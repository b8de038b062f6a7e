import { Layer } from "effect"
import { AppRecord } from "./AppRecord.ts"
import { AppSessions } from "./AppSessions.ts"
import { TokenPatient } from "./TokenPatient.ts"

export const FhirLayer = Layer.mergeAll(AppRecord.layer, AppSessions.layer).pipe(
  Layer.provideMerge(TokenPatient.layer)
)
