import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { InvalidRequest, SealBroken, ServiceUnavailable } from "../../domain/Errors.ts"
import { Id } from "../../domain/Id.ts"
import { RateLimited } from "../../domain/RateLimit.ts"
import { Text } from "../../domain/Scalars.ts"
import {
  Challenge,
  LinkDisabled,
  LinkExpired,
  LinkNotFound,
  OpenedLink,
  OtpInvalid,
  ViewAccess,
  ViewSessionExpired,
  ViewSessionUsed,
  ViewStatus
} from "../../domain/SecureLink.ts"
import { PdfBytes } from "../contract/FileBytes.ts"
import { described, guardedBy, told } from "../contract/GuardedBy.ts"
import { AddressRateLimit, BodyLimit, RateLimit, smallBody } from "../contract/RequestLimits.ts"

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
      .annotateMerge(told("Send a code to the recipient's e-mail", "A new code ends the older one."))
      .annotate(RateLimit, limit)
      .annotate(BodyLimit, smallBody),
    HttpApiEndpoint.post("verify", "/otp/verify", {
      payload: Schema.Struct({ token, challengeId: Schema.optional(Id), code: Text(40) }),
      success: ViewAccess,
      error: [...gone, InvalidRequest, OtpInvalid]
    })
      .annotateMerge(told(
        "Exchange the code for a view session",
        "Only a SMART Health Link needs no `challengeId`: without it, the code that is out counts, also one for an app."
      ))
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
      .annotateMerge(told("Download the release", "Once. With `offset`, the rest of a transfer that broke."))
      .annotate(RateLimit, limit)
      .annotate(BodyLimit, smallBody),
    // Clients poll this while they show the document, and many share an address, so the higher default limit applies.
    HttpApiEndpoint.post("status", "/status", {
      payload: Schema.Struct({ viewSession: Text(200) }),
      success: ViewStatus,
      error: [LinkDisabled, LinkExpired, ViewSessionExpired]
    })
      .annotateMerge(told(
        "Ask whether the release may still be shown",
        "For polling every 20 seconds while it is shown. It uses nothing up and is not recorded."
      ))
      .annotate(BodyLimit, smallBody)
  )
  .prefix("/api/secure-links")
  .pipe(guardedBy(AddressRateLimit))
  .annotateMerge(
    described("Secure link recipients", "The requests of a link's page. The token is never part of a path.")
  )
{}
