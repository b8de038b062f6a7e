import { ApiError } from "./Errors.ts"
import { Count } from "./Scalars.ts"

export class RateLimited extends ApiError<RateLimited>()("RateLimited", {
  code: "rate_limited",
  status: 429,
  message: "Too many requests: wait as many seconds as 'retryAfterSeconds' says.",
  fields: { retryAfterSeconds: Count }
}) {}

/** Times in any 24 hours. It bounds an act that is mailed or leaves a row, and can be undone and done again. */
export const perDay = (permits: number): Limit => ({ permits, seconds: 86_400 })

export interface Limit {
  readonly permits: number
  /** Length of the sliding window, in seconds. No span of this length ever holds more than `permits`. */
  readonly seconds: number
  /** True for limits far above a person's use: a process takes several permits together and spends them locally. */
  readonly leased?: boolean
  /** The setting that holds the permits instead, if an operator may choose them. */
  readonly permitsBy?: "sessionExchangePerMinute"
}
