import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Conflict, InvalidRequest, NotFound } from "../../domain/Errors.ts"
import { Id } from "../../domain/Id.ts"
import { PageRequest } from "../../domain/Page.ts"
import { Invitation, InvitationPage, MadeInvitation, NewInvitation } from "../../domain/ProviderInvitation.ts"
import { ProviderAuthorization } from "../contract/Authorization.ts"
import { described, guardedBy, told } from "../contract/GuardedBy.ts"
import { BodyLimit, RateLimit, smallBody } from "../contract/RequestLimits.ts"

export class InvitationsApi extends HttpApiGroup.make("invitations")
  .add(
    HttpApiEndpoint.post("make", "/", {
      payload: NewInvitation,
      success: MadeInvitation.pipe(HttpApiSchema.status(201)),
      error: Conflict
    })
      .annotateMerge(told(
        "Make a code for the clinic's desk",
        "Veterans who scan or type it find this provider. It opens nothing. It is told once. A provider has at most 10 live codes."
      ))
      .annotate(BodyLimit, smallBody)
      .annotate(RateLimit, { permits: 60, seconds: 3600 }),
    HttpApiEndpoint.get("list", "/", { query: PageRequest, success: InvitationPage, error: InvalidRequest })
      .annotate(OpenApi.Summary, "List the codes, the newest first"),
    HttpApiEndpoint.post("revoke", "/:invitationId/revoke", {
      params: { invitationId: Id },
      success: Invitation,
      error: NotFound
    })
      .annotateMerge(told("Revoke a code", "Veterans who use it find nobody from now on."))
  )
  .prefix("/api/provider/invitations")
  .pipe(guardedBy(ProviderAuthorization))
  .annotateMerge(described("Desk codes", "Codes by which veterans find the signed-in provider."))
{}
