import { ApiError } from "./Errors.ts"
import { Count } from "./Scalars.ts"

export class RateLimited extends ApiError<RateLimited>()("RateLimited", {
  code: "rate_limited",
  status: 429,
  message: "Too many requests: wait as many seconds as 'retryAfterSeconds' says.",
  fields: { retryAfterSeconds: Count }
}) {}

export interface Limit {
  readonly permits: number
  /** Length of the sliding window. No span of this length ever holds more than `permits`. */
  readonly seconds: number
  /** For limits far above what a person does: take several permits at a time and spend them in this process. */
  readonly leased?: boolean
}
