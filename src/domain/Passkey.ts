import { Schema } from "effect"
import { ApiError } from "./Errors.ts"
import { AnsweredId } from "./Id.ts"
import { PageOf } from "./Page.ts"
import { perDay } from "./RateLimit.ts"
import { Instant, Text } from "./Scalars.ts"

/** Passkeys of one veteran. */
export const maxPasskeys = 5

/** Passkeys that one veteran adds, those that are removed again too. Each is mailed. */
export const passkeysAdded = perDay(10)

/** What is no base64url, or too long, gets the answer of the check and not of the schema. */
const Base64Url = Schema.String.annotate({ description: "base64url without padding" })

/** A browser's answer to `navigator.credentials.get` (Web Authentication, 5.2.2), and the challenge that it answers. */
export const PasskeyAnswer = Schema.Struct({
  challenge: Schema.String,
  credential: Schema.Struct({
    id: Base64Url,
    authenticatorData: Base64Url,
    clientDataJSON: Base64Url,
    signature: Base64Url,
    userHandle: Base64Url
  })
}).annotate({ identifier: "PasskeyAnswer" })

export type PasskeyAnswer = typeof PasskeyAnswer.Type

/** What a browser needs to make a passkey. */
export const PasskeyChallenge = Schema.Struct({
  challenge: Schema.String,
  userHandle: Base64Url,
  rpId: Schema.String.annotate({ description: "The host of the veteran's app" }),
  exclude: Schema.Array(Base64Url).annotate({ description: "Ids of the credentials that are there already" })
}).annotate({ identifier: "PasskeyChallenge" })

/** A browser's answer to `navigator.credentials.create` (Web Authentication, 5.2.1), and its challenge. */
export const NewPasskey = Schema.Struct({
  challenge: Schema.String,
  name: Text(60),
  credentialId: Base64Url,
  publicKey: Base64Url.annotate({ description: "SubjectPublicKeyInfo in DER, as base64url" }),
  algorithm: Schema.Literals([-7, -257]).annotate({ description: "ES256 or RS256 (COSE)" }),
  clientDataJSON: Base64Url,
  authenticatorData: Base64Url
}).annotate({ identifier: "NewPasskey" })

export type NewPasskey = typeof NewPasskey.Type

export const Passkey = Schema.Struct({
  id: AnsweredId,
  name: Schema.NullOr(Schema.String).annotate({ description: "Null if it can no longer be opened" }),
  createdAt: Instant,
  lastUsedAt: Schema.NullOr(Instant)
}).annotate({ identifier: "Passkey" })

export type Passkey = typeof Passkey.Type

export const PasskeyList = PageOf(Passkey)

export class InvalidPasskey extends ApiError<InvalidPasskey>()("InvalidPasskey", {
  code: "invalid_passkey",
  status: 401,
  message: "The passkey could not be checked, or is not known here any more: sign in at the VA."
}) {}
