import { Schema } from "effect"
import { ApiError } from "./Errors.ts"
import { Text } from "./Scalars.ts"

/** Codes of failed Google sign-ins. The service redirects to the portal with a code, and the portal explains it. */
export const googleRefusals = [
  "google_cancelled",
  "google_account_unknown",
  "google_email_unverified",
  "provider_disabled",
  "google_account_changed",
  "google_sign_in_over",
  "google_unavailable",
  "google_answer_invalid"
] as const

export type GoogleRefusal = typeof googleRefusals[number]

/** The S256 challenge of RFC 7636, 4.2. Only the portal's page has the verifier, which the one-time code requires. */
export const PortalChallenge = Schema.String.check(Schema.isPattern(/^[\w-]{43}$/))

export const GoogleExchange = Schema.Struct({ code: Text(200), verifier: Text(200) }).annotate({
  identifier: "GoogleExchange"
})

export class GoogleCodeInvalid extends ApiError<GoogleCodeInvalid>()("GoogleCodeInvalid", {
  code: "google_code_invalid",
  status: 401,
  message: "This sign-in with Google has ended, or it began in another browser. Start again."
}) {}

export class ProviderDisabled extends ApiError<ProviderDisabled>()("ProviderDisabled", {
  code: "provider_disabled",
  status: 403,
  message: "This provider's account is turned off."
}) {}
