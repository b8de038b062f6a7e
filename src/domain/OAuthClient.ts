import { Option, Schema } from "effect"
import { ClientId } from "./Id.ts"
import { PageOf } from "./Page.ts"
import { RedirectUri } from "./RedirectUri.ts"
import { Instant, Text } from "./Scalars.ts"
import { parseScope } from "./SmartScope.ts"

/** One well-formed scope. A scope that the service does not offer may be registered, but gives no access. */
const RegisteredScope = Schema.String.check(
  Schema.isMaxLength(500),
  Schema.makeFilter((text: string) =>
    !/\s/.test(text) && Option.isSome(parseScope(text)) || "Expected one scope of SMART App Launch, or record:read"
  )
)

const HttpsUrl = Schema.String.check(
  Schema.isMaxLength(2000),
  Schema.makeFilter((text: string) => isHttps(text) || "Expected an https URL without a user or a fragment")
)

const isHttps = (text: string) => {
  if (!/^https:\/\/[\x21-\x7e]+$/.test(text) || text.includes("#") || !URL.canParse(text)) return false
  const { password, username } = new URL(text)
  return username === "" && password === ""
}

/** An app that the operator registers (RFC 6749, 2). */
export const NewOAuthClient = Schema.Struct({
  name: Text(200),
  redirectUris: Schema.Array(RedirectUri).check(Schema.isMinLength(1), Schema.isMaxLength(10)),
  scopes: Schema.Array(RegisteredScope).check(Schema.isMinLength(1), Schema.isMaxLength(100)),
  confidential: Schema.optional(Schema.Boolean).annotate({ description: "True: it keeps a secret on a server" }),
  privacyUrl: Schema.optional(HttpsUrl),
  webhookUrl: Schema.optional(HttpsUrl).annotate({ description: "On the public Internet" })
}).annotate({ identifier: "NewOAuthClient" })

export const OAuthClient = Schema.Struct({
  clientId: ClientId,
  name: Schema.String,
  redirectUris: Schema.Array(Schema.String),
  scopes: Schema.Array(Schema.String),
  confidential: Schema.Boolean,
  createdAt: Instant,
  disabledAt: Schema.NullOr(Instant)
}).annotate({ identifier: "OAuthClient" })

export type OAuthClient = typeof OAuthClient.Type

const toldOnce = Schema.NullOr(Schema.String).annotate({ description: "Told once" })

/** The response to a registration. It alone contains the client's secrets. */
export const RegisteredOAuthClient = Schema.Struct({
  ...OAuthClient.fields,
  clientSecret: toldOnce,
  webhookSecret: toldOnce
}).annotate({ identifier: "RegisteredOAuthClient" })

export type RegisteredOAuthClient = typeof RegisteredOAuthClient.Type

export const OAuthClientPage = PageOf(OAuthClient)
