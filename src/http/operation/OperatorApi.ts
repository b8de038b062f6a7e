import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Conflict, InvalidRequest, NotFound, ServiceUnavailable } from "../../domain/Errors.ts"
import { SentProviderId } from "../../domain/Id.ts"
import { PageRequest } from "../../domain/Page.ts"
import { AdministeredProvider, NewProvider, ProviderPage } from "../../domain/Provider.ts"
import { NewVeteran, Veteran, VeteranPage } from "../../domain/Veteran.ts"
import { SignupPage } from "../../domain/WaitlistSignup.ts"
import { AdminAuthorization, Availability } from "../contract/Authorization.ts"
import { RequestBody, RequestQuery } from "../contract/RequestLimits.ts"

export class AdminApi extends HttpApiGroup.make("admin")
  .add(
    HttpApiEndpoint.post("registerVeteran", "/veterans", {
      payload: NewVeteran,
      success: Veteran.pipe(HttpApiSchema.status(201)),
      error: Conflict
    })
      .annotate(OpenApi.Summary, "Register a veteran"),
    HttpApiEndpoint.get("veterans", "/veterans", { query: PageRequest, success: VeteranPage, error: InvalidRequest })
      .annotate(OpenApi.Summary, "List the veterans"),
    HttpApiEndpoint.post("registerProvider", "/providers", {
      payload: NewProvider,
      success: AdministeredProvider.pipe(HttpApiSchema.status(201)),
      error: [Conflict, ServiceUnavailable]
    })
      .annotate(OpenApi.Summary, "Register a provider"),
    HttpApiEndpoint.get("providers", "/providers", {
      query: PageRequest,
      success: ProviderPage,
      error: InvalidRequest
    })
      .annotate(OpenApi.Summary, "List the providers"),
    HttpApiEndpoint.post("disableProvider", "/providers/:providerId/disable", {
      params: { providerId: SentProviderId },
      success: AdministeredProvider,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Disable a provider")
      .annotate(OpenApi.Description, "Ends the provider's sessions at once."),
    HttpApiEndpoint.get("waitlist", "/waitlist", { query: PageRequest, success: SignupPage, error: InvalidRequest })
      .annotate(OpenApi.Summary, "List the waitlist"),
    HttpApiEndpoint.get("metrics", "/metrics", {
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/plain; version=0.0.4; charset=utf-8" }))
    })
      .annotate(OpenApi.Summary, "Read the metrics, for Prometheus")
  )
  .prefix("/api/admin")
  .middleware(RequestBody)
  .middleware(RequestQuery)
  .middleware(AdminAuthorization)
  .middleware(Availability)
  .annotate(OpenApi.Title, "Operator")
  .annotate(OpenApi.Description, "For the operator of the service.")
{}
