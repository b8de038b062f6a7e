import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { NotFound, SealBroken, ServiceUnavailable } from "../../domain/Errors.ts"
import { ManifestRequest, PasscodeInvalid, ShlManifest } from "../../domain/SmartHealthLink.ts"
import { AnyOrigin } from "../contract/Authorization.ts"
import { JoseBytes } from "../contract/FileBytes.ts"
import { described, guardedBy, told } from "../contract/GuardedBy.ts"
import { AddressRateLimit, BodyLimit, RateLimit, smallBody } from "../contract/RequestLimits.ts"

const limit = { permits: 30, seconds: 900 }

/** What a health app does with a SMART Health Link. The path opens nothing without the mailed code. */
export class SmartHealthLinksApi extends HttpApiGroup.make("smartHealthLinks")
  .add(
    HttpApiEndpoint.post("manifest", "/:manifestId", {
      params: { manifestId: Schema.String },
      payload: ManifestRequest,
      success: ShlManifest,
      error: [NotFound, PasscodeInvalid, SealBroken, ServiceUnavailable]
    })
      .annotateMerge(told(
        "Open a SMART Health Link with the mailed code",
        "If no code is out, one is mailed to the recipient and the answer is 401. A code opens the link once. A link that " +
          "never was, and one that ended, are 404."
      ))
      .annotate(HttpApi.PayloadParseOptions, { onExcessProperty: "ignore" })
      .annotate(RateLimit, limit)
      .annotate(BodyLimit, smallBody),
    HttpApiEndpoint.get("file", "/:manifestId/files/:ticket", {
      params: { manifestId: Schema.String, ticket: Schema.String },
      success: JoseBytes,
      error: [NotFound, SealBroken, ServiceUnavailable]
    })
      .annotateMerge(told("Download the file that a manifest named", "Once, within 5 minutes."))
      .annotate(RateLimit, limit)
  )
  .prefix("/api/shl")
  .pipe(guardedBy(AddressRateLimit))
  .annotateEndpoints(AnyOrigin, true)
  .annotateMerge(described("SMART Health Links", "For health apps. The link's key never reaches the service again."))
{}
