import { Schema } from "effect"
import { Text } from "./Scalars.ts"

/** Exports of a veteran's data in 24 hours: by the veteran, and by operators (contract, part 14.3). */
export const exportLimits = { perDay: 3, seconds: 86_400 } as const

/** Why an operator exports a veteran's data: a ticket's number, no person. */
export const ExportReason = Schema.Struct({ reason: Text(200) }).annotate({ identifier: "ExportReason" })
