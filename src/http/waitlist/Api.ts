import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { NewSignup } from "../../services/Waitlist.ts"
import { Availability } from "../Authorization.ts"
import { AddressRateLimit, BodyLimit, RateLimit, RequestBody, smallBody } from "../RequestLimits.ts"

export class WaitlistApi extends HttpApiGroup.make("waitlist")
  .add(
    HttpApiEndpoint.post("join", "/api/waitlist", {
      payload: NewSignup,
      success: Schema.Struct({ status: Schema.Literal("accepted") }).pipe(HttpApiSchema.status(202))
    })
      .annotate(BodyLimit, smallBody)
      .annotate(RateLimit, { permits: 5, seconds: 3600 })
  )
  .middleware(RequestBody)
  .middleware(AddressRateLimit)
  .middleware(Availability)
{}
