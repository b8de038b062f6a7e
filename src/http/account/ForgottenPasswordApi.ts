import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { InvalidRequest, ServiceUnavailable } from "../../domain/Errors.ts"
import {
  ForgottenPassword,
  passwordLimits,
  PasswordLinkExpired,
  PasswordSetting
} from "../../domain/ProviderPassword.ts"
import { Accepted } from "../contract/Accepted.ts"
import { described, guardedBy, told } from "../contract/GuardedBy.ts"
import { AddressRateLimit, BodyLimit, loginLimit, RateLimit, smallBody } from "../contract/RequestLimits.ts"

/** For a provider who cannot sign in. No token is in a path or a query, because those reach logs. */
export class ForgottenPasswordApi extends HttpApiGroup.make("forgottenPassword")
  .add(
    HttpApiEndpoint.post("forgot", "/forgot", {
      payload: ForgottenPassword,
      success: Accepted
    })
      .annotateMerge(told(
        "Ask for a link by which a provider chooses a new password",
        `The answer is the same for everybody. A known provider gets a mail, at most ${passwordLimits.linksPerDay} in a day.`
      ))
      .annotate(BodyLimit, smallBody)
      .annotate(RateLimit, loginLimit),
    HttpApiEndpoint.post("set", "/set", {
      payload: PasswordSetting,
      success: HttpApiSchema.NoContent.annotate({ description: "The password is set" }),
      error: [InvalidRequest, PasswordLinkExpired, ServiceUnavailable]
    })
      .annotateMerge(told(
        "Choose a password by a mailed link",
        "The token is what follows the # of the link. It works once. All sessions of the provider end."
      ))
      .annotate(BodyLimit, smallBody)
      .annotate(RateLimit, loginLimit)
  )
  .prefix("/api/provider/password")
  .pipe(guardedBy(AddressRateLimit))
  .annotateMerge(described("Forgotten password", "For a provider who has no password, or has forgotten it."))
{}
