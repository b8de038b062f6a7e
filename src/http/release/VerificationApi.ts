import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { PresentedCopy, Verification } from "../../domain/Release.ts"
import { described, guardedBy, told } from "../contract/GuardedBy.ts"
import { AddressRateLimit, BodyLimit, RateLimit, smallBody } from "../contract/RequestLimits.ts"

/** A route for anybody who was given a copy of a release. It is a POST, so that no hash reaches a log. */
export class ReleaseVerificationApi extends HttpApiGroup.make("releaseVerification")
  .add(
    HttpApiEndpoint.post("verify", "/verify", { payload: PresentedCopy, success: Verification })
      .annotateMerge(told(
        "Check whether a file is a genuine copy of a release",
        "`sha256` is of the whole file, in hex. Every other pair than a release and its copy gets the same answer."
      ))
      .annotate(RateLimit, { permits: 60, seconds: 900 })
      .annotate(BodyLimit, smallBody)
  )
  .prefix("/api/releases")
  .pipe(guardedBy(AddressRateLimit))
  .annotateMerge(described("Verification of releases", "Whether a file is what was signed."))
{}
