import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { InvalidRequest, ServiceUnavailable, Unauthenticated } from "../../domain/Errors.ts"
import { VeteranIdOrMe } from "../../domain/Id.ts"
import { PageRequest } from "../../domain/Page.ts"
import { DirectoryPage, InvalidCredentials, LoginRequest, Provider, ProviderAccess } from "../../domain/Provider.ts"
import { ProviderNotePage } from "../../domain/ProviderNote.ts"
import { RateLimited } from "../../domain/RateLimit.ts"
import { EmailAddress } from "../../domain/Scalars.ts"
import { SessionRequest, Veteran, VeteranAccess, VeteranNotFound } from "../../domain/Veteran.ts"
import { NewSignup } from "../../domain/WaitlistSignup.ts"
import { Availability, ExchangeAuthorization, ProviderAuthorization, VeteranAuthorization } from "../Authorization.ts"
import { AddressRateLimit, BodyLimit, RateLimit, RequestBody, RequestQuery, smallBody } from "../RequestLimits.ts"

const params = { veteranId: VeteranIdOrMe }

export class VeteranSessionApi extends HttpApiGroup.make("veteranSession")
  .add(
    HttpApiEndpoint.post("exchange", "/api/auth/veteran/session", {
      payload: SessionRequest,
      success: VeteranAccess,
      error: VeteranNotFound
    })
      .annotate(BodyLimit, smallBody)
      .annotate(RateLimit, { permits: 20, seconds: 60 })
  )
  .middleware(RequestBody)
  .middleware(RequestQuery)
  .middleware(ExchangeAuthorization)
  .middleware(AddressRateLimit)
{}

export class VeteranApi extends HttpApiGroup.make("veteran")
  .add(
    HttpApiEndpoint.get("me", "/:veteranId", { params, success: Veteran }),
    HttpApiEndpoint.get("providerNotes", "/:veteranId/provider-notes", {
      params,
      query: PageRequest,
      success: ProviderNotePage,
      error: InvalidRequest
    }),
    HttpApiEndpoint.get("providerDirectory", "/:veteranId/provider-directory", {
      params,
      query: { email: EmailAddress },
      success: DirectoryPage
    })
  )
  .prefix("/api/veteran")
  .middleware(RequestBody)
  .middleware(RequestQuery)
  .middleware(VeteranAuthorization)
  .middleware(Availability)
{}

export class ProviderLoginApi extends HttpApiGroup.make("providerLogin")
  .add(
    HttpApiEndpoint.post("login", "/api/provider/login", {
      payload: LoginRequest,
      success: ProviderAccess,
      error: [InvalidCredentials, RateLimited, ServiceUnavailable]
    })
      .annotate(BodyLimit, smallBody)
      .annotate(RateLimit, { permits: 30, seconds: 15 * 60 })
  )
  .middleware(RequestBody)
  .middleware(RequestQuery)
  .middleware(AddressRateLimit)
  .middleware(Availability)
{}

export class ProviderSessionApi extends HttpApiGroup.make("providerSession")
  .add(
    HttpApiEndpoint.post("logout", "/logout", { success: HttpApiSchema.NoContent }),
    HttpApiEndpoint.post("refresh", "/session/refresh", { success: ProviderAccess, error: Unauthenticated }),
    HttpApiEndpoint.get("me", "/me", { success: Provider })
  )
  .prefix("/api/provider")
  .middleware(RequestBody)
  .middleware(RequestQuery)
  .middleware(ProviderAuthorization)
  .middleware(Availability)
{}

export class WaitlistApi extends HttpApiGroup.make("waitlist")
  .add(
    HttpApiEndpoint.post("join", "/api/waitlist", {
      payload: NewSignup,
      success: Schema.Struct({ status: Schema.Literal("accepted") }).pipe(HttpApiSchema.status(202))
    })
      .annotate(BodyLimit, smallBody)
      .annotate(RateLimit, { permits: 5, seconds: 3600 })
  )
  .middleware(RequestBody)
  .middleware(RequestQuery)
  .middleware(AddressRateLimit)
  .middleware(Availability)
{}
