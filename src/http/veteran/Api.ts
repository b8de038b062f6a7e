import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { InvalidRequest } from "../../services/ApiError.ts"
import { VeteranIdOrMe } from "../../services/Ids.ts"
import { PageRequest } from "../../services/Paging.ts"
import { ProviderNotePage } from "../../services/ProviderNotes.ts"
import { DirectoryPage } from "../../services/Providers.ts"
import { EmailAddress } from "../../services/Text.ts"
import { Veteran } from "../../services/Veterans.ts"
import { SessionRequest, VeteranAccess, VeteranNotFound } from "../../services/VeteranSession.ts"
import { Availability, ExchangeAuthorization, VeteranAuthorization } from "../Authorization.ts"
import { AddressRateLimit, BodyLimit, RateLimit, RequestBody, smallBody } from "../RequestLimits.ts"

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
  .middleware(VeteranAuthorization)
  .middleware(Availability)
{}
