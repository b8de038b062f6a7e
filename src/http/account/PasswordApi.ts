import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { InvalidRequest, ServiceUnavailable } from "../../domain/Errors.ts"
import { InvalidCredentials } from "../../domain/Provider.ts"
import { PasswordChange } from "../../domain/ProviderPassword.ts"
import { RateLimited } from "../../domain/RateLimit.ts"
import { Availability, ProviderAuthorization } from "../contract/Authorization.ts"
import { described, told } from "../contract/GuardedBy.ts"
import {
  AddressRateLimit,
  BodyLimit,
  LimitShared,
  loginLimit,
  QueryAndBody,
  RateLimit,
  smallBody
} from "../contract/RequestLimits.ts"

export class PasswordApi extends HttpApiGroup.make("password")
  .add(
    HttpApiEndpoint.post("change", "/api/provider/password", {
      payload: PasswordChange,
      success: HttpApiSchema.NoContent.annotate({ description: "The password is changed" }),
      error: [InvalidCredentials, InvalidRequest, RateLimited, ServiceUnavailable]
    })
      .annotateMerge(told(
        "Change the password",
        "The provider's other sessions end. A try of the present password counts as a sign-in."
      ))
      .annotate(BodyLimit, smallBody)
      .annotate(RateLimit, loginLimit)
      .annotate(LimitShared, "POST /api/provider/login")
  )
  .middleware(QueryAndBody)
  .middleware(AddressRateLimit)
  .middleware(ProviderAuthorization)
  .middleware(Availability)
  .annotateMerge(described("Password", "The signed-in provider's password."))
{}
