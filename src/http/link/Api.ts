import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { DeletionPending } from "../../domain/Deletion.ts"
import { StorageFull } from "../../domain/Document.ts"
import { Conflict, InvalidRequest, NotFound, SealBroken, ServiceUnavailable } from "../../domain/Errors.ts"
import { SentLinkId, VeteranIdOrMe } from "../../domain/Id.ts"
import { PageRequest } from "../../domain/Page.ts"
import { RateLimited } from "../../domain/RateLimit.ts"
import { LinkDisabled, LinkExpired } from "../../domain/SecureLink.ts"
import { CreatedLink, MailedCode, NewLink, SecureLink, SecureLinkPage } from "../../domain/VeteranLink.ts"
import { SessionInStatement, VeteranAuthorization } from "../contract/Authorization.ts"
import { described, guardedBy, told } from "../contract/GuardedBy.ts"
import { RateLimit } from "../contract/RequestLimits.ts"

const params = { veteranId: VeteranIdOrMe }

export class SecureLinksApi extends HttpApiGroup.make("secureLinks")
  .add(
    HttpApiEndpoint.get("list", "/", { params, query: PageRequest, success: SecureLinkPage, error: InvalidRequest })
      .annotate(OpenApi.Summary, "List the links")
      .annotate(SessionInStatement, true),
    HttpApiEndpoint.post("create", "/", {
      params,
      payload: NewLink,
      success: CreatedLink.pipe(HttpApiSchema.status(201)),
      error: [NotFound, Conflict, DeletionPending, RateLimited, SealBroken, ServiceUnavailable, StorageFull]
    })
      .annotateMerge(told(
        "Create a link to a release",
        "Only this answer contains the link's address. If the recipient can get no more invitations, no link is made: create " +
          "it without `notifyRecipient`."
      ))
      .annotate(RateLimit, { permits: 300, seconds: 3600 }),
    HttpApiEndpoint.post("revoke", "/:linkId/revoke", {
      params: { ...params, linkId: SentLinkId },
      success: SecureLink,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Revoke a link"),
    HttpApiEndpoint.post("code", "/:linkId/code", {
      params: { ...params, linkId: SentLinkId },
      success: MailedCode.pipe(HttpApiSchema.status(202)),
      error: [NotFound, Conflict, LinkDisabled, LinkExpired, RateLimited, ServiceUnavailable]
    })
      .annotateMerge(told(
        "Mail a code to the recipient now",
        "For a SMART Health Link whose recipient's app asks for the code first. A new code ends the older one."
      ))
  )
  .prefix("/api/veteran/:veteranId/secure-links")
  .pipe(guardedBy(VeteranAuthorization))
  .annotateMerge(described("Secure links", "One release for one recipient, by link and one-time code."))
{}
