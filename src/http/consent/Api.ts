import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ConsentGrant, ConsentGrantPage, grantLimits, grantsGiven, NewConsentGrant } from "../../domain/ConsentGrant.ts"
import { DeletionPending } from "../../domain/Deletion.ts"
import { Conflict, InvalidRequest, NotFound } from "../../domain/Errors.ts"
import { SentGrantId, VeteranIdOrMe } from "../../domain/Id.ts"
import { PageRequest } from "../../domain/Page.ts"
import { RateLimited } from "../../domain/RateLimit.ts"
import { SessionInStatement, VeteranAuthorization } from "../contract/Authorization.ts"
import { guardedBy } from "../contract/GuardedBy.ts"
import { CompressedAnswer } from "../contract/RequestLimits.ts"

const params = { veteranId: VeteranIdOrMe }

export class ConsentApi extends HttpApiGroup.make("consent")
  .add(
    HttpApiEndpoint.get("list", "/", { params, query: PageRequest, success: ConsentGrantPage, error: InvalidRequest })
      .annotate(OpenApi.Summary, "List the consent grants")
      .annotate(OpenApi.Description, `Those that are active, and the newest ${grantLimits.endedShown} that have ended.`)
      .annotate(SessionInStatement, true),
    HttpApiEndpoint.post("give", "/", {
      params,
      payload: NewConsentGrant,
      success: ConsentGrant.pipe(HttpApiSchema.status(201)),
      error: [InvalidRequest, Conflict, DeletionPending, RateLimited]
    })
      .annotate(OpenApi.Summary, "Let a provider read")
      .annotate(CompressedAnswer, true)
      .annotate(
        OpenApi.Description,
        `${grantLimits.perVeteran} grants may be active, ${grantLimits.perProvider} of them for one provider. ` +
          `At most ${grantsGiven.permits} are given in a day.`
      ),
    HttpApiEndpoint.post("revoke", "/:grantId/revoke", {
      params: { ...params, grantId: SentGrantId },
      success: ConsentGrant,
      error: [NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Revoke a consent grant")
      .annotate(CompressedAnswer, true)
  )
  .prefix("/api/veteran/:veteranId/consent-grants")
  .pipe(guardedBy(VeteranAuthorization))
  .annotate(OpenApi.Title, "Consent grants")
  .annotate(
    OpenApi.Description,
    "What a provider or an app may read, and until when. Apps ask for their grants on the authorization server's pages."
  )
{}
