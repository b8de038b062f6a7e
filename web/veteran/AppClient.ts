import type { Effect } from "effect"
import { AppApi } from "./AppApi.ts"
import { clientOf } from "./ClientOf.ts"

/** The typed client of all that the app calls. */
export const connect = clientOf(AppApi)

export type Client = Effect.Success<ReturnType<typeof connect>>
