import { Schema } from "effect"
import { ApiError } from "./Errors.ts"
import { ProviderId } from "./Id.ts"
import { PageOf, PageRequest } from "./Page.ts"
import { AnsweredEmail, EmailAddress, Instant, isStorable, Seconds, Text } from "./Scalars.ts"

/** OWASP ASVS 5.0, 6.2.1 and 6.2.9: at least 8 characters, no composition rules, no truncation of long passwords. */
export const NewPassword = Schema.String.check(
  // Without this, Effect would document a minimum of 4 code points, as 4 surrogate pairs have 8 UTF-16 units.
  Schema.isMinLength(8, { toJsonSchema: () => ({ minLength: 8 }) }),
  Schema.isMaxLength(256),
  Schema.makeFilter((text: string) => isStorable(text) || "Expected text without NUL and lone surrogates")
)

/** National Provider Identifier: nine digits, and a Luhn check digit over 80840 and these nine (45 CFR 162.406). */
export const Npi = Schema.String.check(
  Schema.makeFilter(
    (npi: string) => /^\d{10}$/.test(npi) && luhn(`80840${npi}`) || "Expected a valid NPI (10 digits)",
    { toJsonSchema: () => ({ pattern: "^\\d{10}$" }) }
  )
)

export const NewProvider = Schema.Struct({
  email: EmailAddress,
  password: Schema.optional(NewPassword.annotate({
    description: "If it is missing, the provider is mailed a link to choose one."
  })),
  displayName: Text(200),
  organization: Text(200),
  npi: Schema.optional(Schema.NullOr(Npi))
}).annotate({ identifier: "NewProvider" })

/** A member that is not sent stays as it is. With an `npi` of null, the provider has none from then on. */
export const ProviderChange = Schema.Struct({
  email: Schema.optionalKey(EmailAddress),
  displayName: Schema.optionalKey(Text(200)),
  organization: Schema.optionalKey(Text(200)),
  npi: Schema.optionalKey(Schema.NullOr(Npi))
}).annotate({ identifier: "ProviderChange" })

/** The operator finds a person by what identifies them, and by nothing else. */
const filter = { email: Schema.optional(EmailAddress), npi: Schema.optional(Npi) }

export const ProviderQuery = { ...PageRequest, ...filter }

export interface ProviderFilter extends Schema.Struct.Type<typeof filter> {}

export const Provider = Schema.Struct({
  id: ProviderId,
  email: AnsweredEmail,
  displayName: Schema.String,
  organization: Schema.String,
  npi: Schema.NullOr(Schema.String),
  createdAt: Instant
}).annotate({ identifier: "Provider" })

export type Provider = typeof Provider.Type

export const AdministeredProvider = Schema.Struct({
  ...Provider.fields,
  disabledAt: Schema.NullOr(Instant)
}).annotate({ identifier: "AdministeredProvider" })

export type AdministeredProvider = typeof AdministeredProvider.Type

export const ProviderPage = PageOf(AdministeredProvider)

/** The data of a provider that a veteran may see before sharing with this provider. */
export const DirectoryEntry = Schema.Struct({
  id: ProviderId,
  email: AnsweredEmail,
  displayName: Schema.String,
  organization: Schema.String,
  npi: Schema.NullOr(Schema.String)
}).annotate({ identifier: "DirectoryEntry" })

export const DirectoryPage = PageOf(DirectoryEntry)

/** A provider is found by exactly one of these. An invitation is the code that a clinic's desk shows. */
export const DirectoryQuery = {
  email: Schema.optional(EmailAddress),
  npi: Schema.optional(Npi),
  invitation: Schema.optional(Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(40)))
}

export const luhn = (digits: string) =>
  [...digits].reverse().reduce((sum, digit, index) => {
        const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
        return sum + (value > 9 ? value - 9 : value)
      }, 0) % 10 === 0

export class InvalidCredentials extends ApiError<InvalidCredentials>()("InvalidCredentials", {
  code: "invalid_credentials",
  status: 401,
  message: "The e-mail or the password is wrong."
}) {}

/** Any text is accepted as an e-mail address. A malformed address gets the same answer as a wrong password. */
export const LoginRequest = Schema.Struct({
  email: Schema.String.check(Schema.isMaxLength(320)),
  password: Schema.String.check(Schema.isMaxLength(1024))
}).annotate({ identifier: "LoginRequest" })

export const ProviderAccess = Schema.Struct({
  accessToken: Schema.String,
  tokenType: Schema.Literal("Bearer"),
  expiresIn: Seconds,
  provider: Provider
}).annotate({ identifier: "ProviderAccess" })

export type ProviderAccess = typeof ProviderAccess.Type

export interface ProviderSession {
  readonly sessionId: string
  readonly expiresAt: Date
  readonly provider: Provider
}
