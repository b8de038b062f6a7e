import type { Problem } from "../../shared/Problem.ts"
import { problemText } from "../../shared/Words.ts"

const unchecked = "That sign-in could not be checked. Start again."

const notSetUp = "This service is not connected to VA yet. Tell the people who run it."

const words: Readonly<Record<string, string>> = {
  va_denied: "You chose not to connect. Nothing was saved.",
  va_foreign: "That sign-in did not start here. Start again.",
  va_unfinished: "VA did not finish. Start again.",
  va_nobody: "VA did not say whose record this is. Call VA 800-698-2411.",
  va_missing: notSetUp,
  not_found: notSetUp,
  key_unkept: "This browser can't keep the key that signs you in. Use a window that is not private.",
  invalid_id_token: unchecked,
  invalid_challenge: unchecked,
  unauthenticated: unchecked,
  invalid_device_proof: `${unchecked} If this happens again, check the clock of this device.`,
  identity_changed: "VA's number for you has changed. Call us: we will look."
}

/** Why a sign-in at the VA failed. */
export const connectWords = (problem: Problem) =>
  Object.hasOwn(words, problem.error) ? words[problem.error]! : problemText(problem)
