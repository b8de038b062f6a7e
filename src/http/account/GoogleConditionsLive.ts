import { Cause, Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { NotFound } from "../../domain/Errors.ts"
import { Settings } from "../../services/platform/Settings.ts"
import { BackToPortal, GoogleConfigured } from "./GoogleApi.ts"
import { portalAddress } from "./PortalAddress.ts"

const GoogleConfiguredLive = Layer.effect(
  GoogleConfigured,
  Effect.map(Settings, ({ google }) => (httpEffect) => google === undefined ? Effect.fail(new NotFound()) : httpEffect)
)

/** Returns the portal's parameters for a request that was refused before its handler ran, or whose handler failed. */
const problemOf = (cause: Cause.Cause<unknown>): Record<string, string> => {
  const { _tag, retryAfterSeconds } = Cause.squash(cause) as {
    readonly _tag?: string
    readonly retryAfterSeconds?: number
  }
  if (Cause.hasDies(cause)) return { google_error: "internal_error" }
  if (_tag === "ServiceUnavailable") return { google_error: "service_unavailable" }
  return _tag === "RateLimited"
    ? { google_error: "rate_limited", retry_after: `${retryAfterSeconds}` }
    : { google_error: "google_sign_in_over" }
}

const BackToPortalLive = Layer.effect(
  BackToPortal,
  Effect.map(
    Settings,
    ({ portalUrl }) => (httpEffect) =>
      Effect.catchCauseIf(httpEffect, (cause) => !Cause.hasInterrupts(cause), (cause) =>
        Effect.as(
          Cause.hasDies(cause) ? Effect.logError("Google sign-in: failed", cause) : Effect.void,
          HttpServerResponse.redirect(portalAddress(portalUrl, problemOf(cause)), { status: 303 })
        ))
  )
)

export const GoogleConditionsLive = Layer.mergeAll(GoogleConfiguredLive, BackToPortalLive)
