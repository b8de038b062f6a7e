import { Context, type Effect } from "effect"
import { ApiError } from "./ApiError.ts"
import type { SealingIdentity } from "./PdfSeal.ts"

export class SigningNotConfigured extends ApiError<SigningNotConfigured>()("SigningNotConfigured", {
  code: "service_unavailable",
  status: 503,
  message: "This server has no certificate to sign releases with: ROI_SIGNING_CERTIFICATE and ROI_SIGNING_KEY."
}) {}

/** The service's certificate and key, with which it seals documents; production may be without. */
export class SigningIdentity extends Context.Service<SigningIdentity, {
  readonly identity: Effect.Effect<SealingIdentity, SigningNotConfigured>
}>()("vrss/SigningIdentity") {}
