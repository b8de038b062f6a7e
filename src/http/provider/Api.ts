import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { ServiceUnavailable, Unauthenticated } from "../../services/ApiError.ts"
import { InvalidCredentials, LoginRequest, ProviderAccess } from "../../services/ProviderAuth.ts"
import { Provider } from "../../services/Providers.ts"
import { RateLimited } from "../../services/RateLimits.ts"
import { Availability, ProviderAuthorization } from "../Authorization.ts"
import { AddressRateLimit, BodyLimit, RateLimit, RequestBody, smallBody } from "../RequestLimits.ts"

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
  .middleware(ProviderAuthorization)
  .middleware(Availability)
{}
