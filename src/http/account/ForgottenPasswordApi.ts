import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { InvalidRequest, ServiceUnavailable } from "../../domain/Errors.ts"
import {
  ForgottenPassword,
  passwordLimits,
  PasswordLinkExpired,
  PasswordSetting
} from "../../domain/ProviderPassword.ts"
import { Accepted } from "../contract/Accepted.ts"
import { guardedBy } from "../contract/GuardedBy.ts"
import { AddressRateLimit, BodyLimit, loginLimit, RateLimit, smallBody } from "../contract/RequestLimits.ts"

/** For a provider who cannot sign in. No token is in a path or a query, because those reach logs. */
export class ForgottenPasswordApi extends HttpApiGroup.make("forgottenPassword")
  .add(
    HttpApiEndpoint.post("forgot", "/forgot", {
      payload: ForgottenPassword,
      success: Accepted
    })
      .annotate(OpenApi.Summary, "Ask for a link by which a provider chooses a new password")
      .annotate(
        OpenApi.Description,
        `The answer is the same for everybody. A known provider gets a mail, at most ${passwordLimits.linksPerDay} in a day.`
      )
      .annotate(BodyLimit, smallBody)
      .annotate(RateLimit, loginLimit),
    HttpApiEndpoint.post("set", "/set", {
      payload: PasswordSetting,
      success: HttpApiSchema.NoContent.annotate({ description: "The password is set" }),
      error: [InvalidRequest, PasswordLinkExpired, ServiceUnavailable]
    })
      .annotate(OpenApi.Summary, "Choose a password by a mailed link")
      .annotate(
        OpenApi.Description,
        "The token is what follows the # of the link. It works once. All sessions of the provider end."
      )
      .annotate(BodyLimit, smallBody)
      .annotate(RateLimit, loginLimit)
  )
  .prefix("/api/provider/password")
  .pipe(guardedBy(AddressRateLimit))
  .annotate(OpenApi.Title, "Forgotten password")
  .annotate(OpenApi.Description, "For a provider who has no password, or has forgotten it.")
{}
