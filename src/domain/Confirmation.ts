import { Schema } from "effect"
import { ApiError } from "./Errors.ts"
import { Instant } from "./Scalars.ts"

export const Confirmed = Schema.Struct({ confirmedUntil: Instant }).annotate({ identifier: "Confirmed" })

export class ConfirmationRequired extends ApiError<ConfirmationRequired>()("ConfirmationRequired", {
  code: "confirmation_required",
  status: 403,
  message: "Confirm first that it is you: sign in at the VA again."
}) {}
