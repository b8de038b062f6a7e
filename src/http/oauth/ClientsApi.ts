import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Conflict, InvalidRequest, NotFound } from "../../domain/Errors.ts"
import { SentClientId } from "../../domain/Id.ts"
import { NewOAuthClient, OAuthClient, OAuthClientPage, RegisteredOAuthClient } from "../../domain/OAuthClient.ts"
import { PageRequest } from "../../domain/Page.ts"
import { AdminAuthorization, Availability } from "../Authorization.ts"
import { RequestBody, RequestQuery } from "../RequestLimits.ts"

const params = { clientId: SentClientId }

export class OAuthClientsApi extends HttpApiGroup.make("oauthClients")
  .add(
    HttpApiEndpoint.post("register", "/", {
      payload: NewOAuthClient,
      success: RegisteredOAuthClient.pipe(HttpApiSchema.status(201))
    })
      .annotate(OpenApi.Summary, "Register an app")
      .annotate(OpenApi.Description, "The secrets are told in this answer alone."),
    HttpApiEndpoint.get("clients", "/", { query: PageRequest, success: OAuthClientPage, error: InvalidRequest })
      .annotate(OpenApi.Summary, "List the apps"),
    HttpApiEndpoint.post("disable", "/:clientId/disable", { params, success: OAuthClient, error: NotFound })
      .annotate(OpenApi.Summary, "Disable an app")
      .annotate(OpenApi.Description, "Its tokens read nothing from then on."),
    HttpApiEndpoint.post("rotateSecret", "/:clientId/rotate-secret", {
      params,
      success: RegisteredOAuthClient,
      error: [NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Give an app another secret")
      .annotate(OpenApi.Description, "The secret before it opens nothing from then on.")
  )
  .prefix("/api/admin/oauth-clients")
  .middleware(RequestBody)
  .middleware(RequestQuery)
  .middleware(AdminAuthorization)
  .middleware(Availability)
  .annotate(OpenApi.Title, "Apps")
  .annotate(OpenApi.Description, "For whoever runs the service: the apps to which veterans may connect.")
{}
