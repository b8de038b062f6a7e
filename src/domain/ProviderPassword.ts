import { Schema } from "effect"
import { ApiError } from "./Errors.ts"
import { LoginRequest, NewPassword } from "./Provider.ts"
import { perDay } from "./RateLimit.ts"

export const passwordLimits = {
  /** A link that is mailed works for this long. */
  linkSeconds: 3600,
  /** Links that are mailed to one address in a day because somebody asked for them. */
  linksPerDay: 5
} as const

/** Passwords that a signed-in provider chooses. Each is mailed. */
export const passwordsChanged = perDay(10)

/** Any text is accepted as an e-mail address, as in a sign-in: the answer is the same for everybody. */
export const ForgottenPassword = Schema.Struct({ email: LoginRequest.fields.email }).annotate({
  identifier: "ForgottenPassword"
})

/** Any text is accepted as a token. A malformed one gets the same answer as one that has expired. */
export const PasswordSetting = Schema.Struct({ token: Schema.String, password: NewPassword }).annotate({
  identifier: "PasswordSetting"
})

export const PasswordChange = Schema.Struct({
  password: LoginRequest.fields.password,
  newPassword: NewPassword
}).annotate({ identifier: "PasswordChange" })

/** The token is malformed or unknown, was used, has expired, or is not the newest; or the provider is disabled. */
export class PasswordLinkExpired extends ApiError<PasswordLinkExpired>()("PasswordLinkExpired", {
  code: "link_expired",
  status: 410,
  message: "This link no longer works. Ask for a new one on the sign-in page."
}) {}
