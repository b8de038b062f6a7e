import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { InvalidRequest, ServiceUnavailable, Unauthenticated } from "../../domain/Errors.ts"
import { VeteranIdOrMe } from "../../domain/Id.ts"
import { PageRequest } from "../../domain/Page.ts"
import {
  DirectoryPage,
  DirectoryQuery,
  InvalidCredentials,
  LoginRequest,
  Provider,
  ProviderAccess
} from "../../domain/Provider.ts"
import { ProviderNotePage } from "../../domain/ProviderNote.ts"
import { RateLimited } from "../../domain/RateLimit.ts"
import {
  IdentityAssertionRequired,
  InvalidIdentityAssertion,
  SessionRequest,
  Veteran,
  VeteranAccess,
  VeteranNotFound
} from "../../domain/Veteran.ts"
import { NewSignup } from "../../domain/WaitlistSignup.ts"
import { Accepted } from "../contract/Accepted.ts"
import {
  Availability,
  ExchangeAuthorization,
  PortalCookie,
  ProviderAuthorization,
  ResumeAuthorization,
  SessionInStatement,
  VeteranAuthorization
} from "../contract/Authorization.ts"
import { described, guardedBy, told } from "../contract/GuardedBy.ts"
import {
  AddressRateLimit,
  BodyLimit,
  LargeAnswer,
  loginLimit,
  QueryAndBody,
  RateLimit,
  smallBody
} from "../contract/RequestLimits.ts"

const params = { veteranId: VeteranIdOrMe }

export class VeteranSessionApi extends HttpApiGroup.make("veteranSession")
  .add(
    HttpApiEndpoint.post("exchange", "/api/auth/veteran/session", {
      payload: SessionRequest,
      success: VeteranAccess,
      error: [VeteranNotFound, InvalidIdentityAssertion, IdentityAssertionRequired]
    })
      .annotate(OpenApi.Summary, "Sign a veteran in")
      .annotate(OpenApi.Description, "For the server of the veteran's app, after it has signed the veteran in with VA.")
      .annotate(BodyLimit, smallBody)
      .annotate(RateLimit, { permits: 20, seconds: 60, permitsBy: "sessionExchangePerMinute" })
  )
  .middleware(QueryAndBody)
  .middleware(ExchangeAuthorization)
  .middleware(AddressRateLimit)
  .annotateMerge(described("Veteran sign-in", "Exchanges the exchange secret for a veteran's access token."))
{}

export class VeteranApi extends HttpApiGroup.make("veteran")
  .add(
    HttpApiEndpoint.get("me", "/:veteranId", { params, success: Veteran })
      .annotate(OpenApi.Summary, "Read the veteran")
      .annotate(SessionInStatement, true),
    HttpApiEndpoint.get("providerNotes", "/:veteranId/provider-notes", {
      params,
      query: PageRequest,
      success: ProviderNotePage,
      error: InvalidRequest
    })
      .annotate(OpenApi.Summary, "List the notes of providers")
      .annotate(SessionInStatement, true)
      .annotate(LargeAnswer, true),
    HttpApiEndpoint.get("providerDirectory", "/:veteranId/provider-directory", {
      params,
      query: DirectoryQuery,
      success: DirectoryPage,
      error: InvalidRequest
    })
      .annotateMerge(told(
        "Find a provider",
        "By exactly one of: the whole e-mail address, the National Provider Identifier, the code that a clinic's desk shows. " +
          "The list is empty if nobody has it. An identifier may find up to 5 providers."
      ))
      .annotate(RateLimit, { permits: 60, seconds: 15 * 60 })
  )
  .prefix("/api/veteran")
  .pipe(guardedBy(VeteranAuthorization))
  .annotateMerge(described("Veteran", "The signed-in veteran. `me` stands for the id of the token's own veteran."))
{}

export class ProviderLoginApi extends HttpApiGroup.make("providerLogin")
  .add(
    HttpApiEndpoint.post("login", "/api/provider/login", {
      payload: LoginRequest,
      success: ProviderAccess,
      error: [InvalidCredentials, RateLimited, ServiceUnavailable]
    })
      .annotate(OpenApi.Summary, "Sign a provider in")
      .annotate(PortalCookie, true)
      .annotate(BodyLimit, smallBody)
      .annotate(RateLimit, loginLimit)
  )
  .pipe(guardedBy(AddressRateLimit))
  .annotateMerge(described("Provider sign-in", "Exchanges e-mail and password for a provider's access token."))
{}

export class ProviderResumptionApi extends HttpApiGroup.make("providerResumption")
  .add(
    HttpApiEndpoint.post("resume", "/api/provider/session/resume", { success: ProviderAccess })
      .annotateMerge(told(
        "Continue a session after a reload",
        "For a page of the portal, which keeps its token in memory only. The cookie of the sign-in identifies the session."
      ))
      .annotate(PortalCookie, true)
      .annotate(BodyLimit, smallBody)
      // Nobody can guess a cookie, so this limits only load. It is high, because a clinic may have only one address.
      .annotate(RateLimit, { permits: 300, seconds: 60, leased: true })
  )
  .middleware(QueryAndBody)
  .middleware(ResumeAuthorization)
  .middleware(AddressRateLimit)
  .middleware(Availability)
  .annotateMerge(described("Provider's return", "Exchanges the portal's cookie for a provider's access token."))
{}

export class ProviderSessionApi extends HttpApiGroup.make("providerSession")
  .add(
    HttpApiEndpoint.post("logout", "/logout", {
      success: HttpApiSchema.NoContent.annotate({ description: "Signed out" })
    })
      .annotate(OpenApi.Summary, "Sign the provider out")
      .annotate(PortalCookie, true),
    HttpApiEndpoint.post("refresh", "/session/refresh", { success: ProviderAccess, error: Unauthenticated })
      .annotate(OpenApi.Summary, "Get a new access token for the same session")
      .annotate(PortalCookie, true),
    HttpApiEndpoint.get("me", "/me", { success: Provider })
      .annotate(OpenApi.Summary, "Read the provider")
  )
  .prefix("/api/provider")
  .pipe(guardedBy(ProviderAuthorization))
  .annotateMerge(described("Provider session", "The signed-in provider."))
{}

export class WaitlistApi extends HttpApiGroup.make("waitlist")
  .add(
    HttpApiEndpoint.post("join", "/api/waitlist", {
      payload: NewSignup,
      success: Accepted
    })
      .annotateMerge(told("Join the waitlist", "A known e-mail gets the same answer."))
      .annotate(BodyLimit, smallBody)
      .annotate(RateLimit, { permits: 5, seconds: 3600 })
  )
  .pipe(guardedBy(AddressRateLimit))
  .annotateMerge(described("Waitlist", "For people who want to take part."))
{}
