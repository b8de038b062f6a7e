import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { ConsentGrant, ConsentGrantPage, NewConsentGrant } from "../../domain/ConsentGrant.ts"
import { Conflict, InvalidRequest, NotFound } from "../../domain/Errors.ts"
import { Id, VeteranIdOrMe } from "../../domain/Id.ts"
import { PageRequest } from "../../domain/Page.ts"
import { Availability, VeteranAuthorization } from "../Authorization.ts"
import { RequestBody, RequestQuery } from "../RequestLimits.ts"

const params = { veteranId: VeteranIdOrMe }

export class ConsentApi extends HttpApiGroup.make("consent")
  .add(
    HttpApiEndpoint.get("list", "/", { params, query: PageRequest, success: ConsentGrantPage, error: InvalidRequest }),
    HttpApiEndpoint.post("give", "/", {
      params,
      payload: NewConsentGrant,
      success: ConsentGrant.pipe(HttpApiSchema.status(201)),
      error: InvalidRequest
    }),
    HttpApiEndpoint.post("revoke", "/:grantId/revoke", {
      params: { ...params, grantId: Id },
      success: ConsentGrant,
      error: [NotFound, Conflict]
    })
  )
  .prefix("/api/veteran/:veteranId/consent-grants")
  .middleware(RequestBody)
  .middleware(RequestQuery)
  .middleware(VeteranAuthorization)
  .middleware(Availability)
{}
