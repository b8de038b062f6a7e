import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware, HttpApiSchema, OpenApi } from "effect/http-api"
import { NotFound } from "../../domain/Errors.ts"
import { GoogleCodeInvalid, GoogleExchange, PortalChallenge, ProviderDisabled } from "../../domain/GoogleSignIn.ts"
import { ProviderAccess } from "../../domain/Provider.ts"
import { PortalCookie } from "../contract/Authorization.ts"
import { described, guardedBy, told } from "../contract/GuardedBy.ts"
import { AddressRateLimit, BodyLimit, RateLimit, smallBody } from "../contract/RequestLimits.ts"

/** Answers 404 to every request if Google is not configured. */
export class GoogleConfigured extends HttpApiMiddleware.Service<GoogleConfigured>()("vrss/http/GoogleConfigured", {
  error: NotFound
}) {}

/** Answers refusals with a redirect to the portal: the page that began the sign-in is gone and cannot show them. */
export class BackToPortal extends HttpApiMiddleware.Service<BackToPortal>()("vrss/http/BackToPortal") {}

const limit = { permits: 30, seconds: 900 }

const redirect = (description: string) => HttpApiSchema.Empty(303).annotate({ description })

const back = "Back to the portal, with `#google_code=` or with `#google_error=` and the code of a refusal"

/** The browser navigates to these routes; no page calls them. */
export class GoogleNavigationApi extends HttpApiGroup.make("googleNavigation")
  .add(
    HttpApiEndpoint.get("start", "/start", {
      query: { challenge: PortalChallenge },
      success: redirect("To Google; or back to the portal, with `#google_error=` and the code of a refusal")
    })
      .annotateMerge(told(
        "Go to Google",
        "`challenge` is the S256 challenge of a verifier that the page keeps (RFC 7636). Google asks the person for an account."
      ))
      .annotate(RateLimit, limit),
    HttpApiEndpoint.get("callback", "/callback", {
      query: {
        state: Schema.optional(Schema.String),
        code: Schema.optional(Schema.String),
        error: Schema.optional(Schema.String)
      },
      success: redirect(back)
    })
      // Google may add parameters (RFC 6749, 4.1.2).
      .annotate(HttpApi.QueryParseOptions, { onExcessProperty: "ignore" })
      .annotate(OpenApi.Summary, "Come back from Google")
      .annotate(OpenApi.Description, "Works once, within ten minutes, and only in the browser that went to Google.")
      .annotate(RateLimit, limit)
  )
  .prefix("/api/provider/google")
  .pipe(guardedBy(AddressRateLimit))
  .middleware(BackToPortal)
  .middleware(GoogleConfigured)
  .annotateMerge(described("Provider sign-in with Google", "For navigation: refusals redirect to the portal too."))
{}

export class GoogleExchangeApi extends HttpApiGroup.make("googleExchange")
  .add(
    HttpApiEndpoint.post("exchange", "/api/provider/google/exchange", {
      payload: GoogleExchange,
      success: ProviderAccess,
      error: [GoogleCodeInvalid, ProviderDisabled]
    })
      .annotateMerge(told(
        "Exchange the one-time code for a session",
        "Works once, within 60 seconds, and only with the verifier of the first request's challenge."
      ))
      .annotate(PortalCookie, true)
      .annotate(BodyLimit, smallBody)
      .annotate(RateLimit, limit)
  )
  .pipe(guardedBy(AddressRateLimit))
  .middleware(GoogleConfigured)
  .annotateMerge(described("Provider session from Google", "The portal's page exchanges the one-time code."))
{}
