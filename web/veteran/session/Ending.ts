import { Schema } from "effect"

/** Why the app is locked, as far as this window can know. */
export const Ending = Schema.Literals(["away", "idle", "time", "refused", "signedOut"])

export type Ending = typeof Ending.Type
