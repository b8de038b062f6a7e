import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { DeletionPending } from "../../domain/Deletion.ts"
import { StorageFull } from "../../domain/Document.ts"
import { Conflict, InvalidRequest, NotFound, SealBroken, ServiceUnavailable } from "../../domain/Errors.ts"
import { Id, SentLinkId, VeteranIdOrMe } from "../../domain/Id.ts"
import { PageRequest } from "../../domain/Page.ts"
import { RateLimited } from "../../domain/RateLimit.ts"
import { Text } from "../../domain/Scalars.ts"
import {
  Challenge,
  CreatedLink,
  LinkDisabled,
  LinkExpired,
  LinkNotFound,
  MailedCode,
  NewLink,
  OpenedLink,
  OtpInvalid,
  SecureLink,
  SecureLinkPage,
  ViewAccess,
  ViewSessionExpired,
  ViewSessionUsed,
  ViewStatus
} from "../../domain/SecureLink.ts"
import { Availability, SessionInStatement, VeteranAuthorization } from "../contract/Authorization.ts"
import { PdfBytes } from "../contract/FileBytes.ts"
import {
  AddressRateLimit,
  BodyLimit,
  RateLimit,
  RequestBody,
  RequestQuery,
  smallBody
} from "../contract/RequestLimits.ts"

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
      .annotate(OpenApi.Summary, "Create a link to a release")
      .annotate(
        OpenApi.Description,
        "Only this answer contains the link's address. If the recipient can get no more invitations, no link is made: create " +
          "it without `notifyRecipient`."
      )
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
      .annotate(OpenApi.Summary, "Mail a code to the recipient now")
      .annotate(
        OpenApi.Description,
        "For a SMART Health Link whose recipient's app asks for the code first. A new code ends the older one."
      )
  )
  .prefix("/api/veteran/:veteranId/secure-links")
  .middleware(RequestBody)
  .middleware(RequestQuery)
  .middleware(VeteranAuthorization)
  .middleware(Availability)
  .annotate(OpenApi.Title, "Secure links")
  .annotate(OpenApi.Description, "One release for one recipient, by link and one-time code.")
{}

const token = Text(200)

const limit = { permits: 30, seconds: 900 }

const gone = [LinkNotFound, LinkDisabled, LinkExpired] as const

/** Logs keep paths and queries, so tokens are in bodies. Mail scanners follow links, so every route is a POST. */
export class LinkRecipientApi extends HttpApiGroup.make("linkRecipient")
  .add(
    HttpApiEndpoint.post("open", "/open", {
      payload: Schema.Struct({ token }),
      success: OpenedLink,
      error: [...gone]
    })
      .annotate(OpenApi.Summary, "Open a link")
      .annotate(RateLimit, limit)
      .annotate(BodyLimit, smallBody),
    HttpApiEndpoint.post("challenge", "/otp", {
      payload: Schema.Struct({ token }),
      success: Challenge.pipe(HttpApiSchema.status(202)),
      error: [...gone, RateLimited, ServiceUnavailable]
    })
      .annotate(OpenApi.Summary, "Send a code to the recipient's e-mail")
      .annotate(OpenApi.Description, "A new code ends the older one.")
      .annotate(RateLimit, limit)
      .annotate(BodyLimit, smallBody),
    HttpApiEndpoint.post("verify", "/otp/verify", {
      payload: Schema.Struct({ token, challengeId: Id, code: Text(40) }),
      success: ViewAccess,
      error: [...gone, OtpInvalid]
    })
      .annotate(OpenApi.Summary, "Exchange the code for a view session")
      .annotate(RateLimit, limit)
      .annotate(BodyLimit, smallBody),
    HttpApiEndpoint.post("view", "/view", {
      payload: Schema.Struct({
        viewSession: Text(200),
        /** The number of bytes that arrived before the transfer broke. The answer begins after them. */
        offset: Schema.optional(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))
      }),
      success: [PdfBytes, PdfBytes.annotate({ description: "The rest of it" }).pipe(HttpApiSchema.status(206))],
      error: [
        InvalidRequest,
        LinkDisabled,
        LinkExpired,
        ViewSessionUsed,
        ViewSessionExpired,
        SealBroken,
        ServiceUnavailable
      ]
    })
      .annotate(OpenApi.Summary, "Download the release")
      .annotate(OpenApi.Description, "Once. With `offset`, the rest of a transfer that broke.")
      .annotate(RateLimit, limit)
      .annotate(BodyLimit, smallBody),
    // Clients poll this while they show the document, and many share an address, so the higher default limit applies.
    HttpApiEndpoint.post("status", "/status", {
      payload: Schema.Struct({ viewSession: Text(200) }),
      success: ViewStatus,
      error: [LinkDisabled, LinkExpired, ViewSessionExpired]
    })
      .annotate(OpenApi.Summary, "Ask whether the release may still be shown")
      .annotate(
        OpenApi.Description,
        "For polling every 20 seconds while it is shown. It uses nothing up and is not recorded."
      )
      .annotate(BodyLimit, smallBody)
  )
  .prefix("/api/secure-links")
  .middleware(RequestBody)
  .middleware(RequestQuery)
  .middleware(AddressRateLimit)
  .middleware(Availability)
  .annotate(OpenApi.Title, "Secure link recipients")
  .annotate(OpenApi.Description, "The requests of a link's page. The token is never part of a path.")
{}
