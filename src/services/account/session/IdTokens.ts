import { Context, Effect, Layer, Schema } from "effect"
import { jwtVerify } from "jose"
import { createHash } from "node:crypto"
import { InvalidIdToken } from "../../../domain/DeviceSession.ts"
import { ServiceUnavailable } from "../../../domain/Errors.ts"
import type { Account, Once } from "../../../sql/account/SignInRepository.ts"
import { Crypto } from "../../platform/Crypto.ts"
import { Settings } from "../../platform/Settings.ts"
import { KeysUnavailable, makeVaKeys } from "./VaKeys.ts"

/** Oldest token, in seconds. */
const maxAgeSeconds = 600

/** Seconds by which the VA's clock may be ahead. */
const clockSkew = 60

const maxBytes = 8192

/** A compact JWS (RFC 7515, 7.1). The library would read past blanks and padding. */
const compact = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** What a token is bound to: the challenge that it answers, and the key of the device. */
export interface Binding {
  readonly challenge: string
  readonly thumbprint: Buffer
}

export interface VerifiedIdToken extends Account, Once {
  /** When the person signed in at the VA, in seconds since the epoch. */
  readonly signedInAt: number
}

/** Checks the id_tokens by which the VA says who signed in there (OpenID Connect Core, 3.1.3.7). */
export class IdTokens extends Context.Service<IdTokens, {
  /** Does not record the token as used. `now` is the database's time, in seconds since the epoch. */
  readonly verify: (
    idToken: string,
    binding: Binding,
    now: number
  ) => Effect.Effect<VerifiedIdToken, InvalidIdToken | ServiceUnavailable>
  /** The keyed hash of an account's subject. */
  readonly subjectHash: (subject: string) => Buffer
}>()("vrss/services/account/session/IdTokens") {
  static readonly layer = Layer.effect(
    IdTokens,
    Effect.gen(function*() {
      const hash = (yield* Crypto).keyedHash("veteran-identity")
      const { va } = yield* Settings
      const subjectHash = (subject: string) => hash(subject)
      const verify = va === undefined ? undefined : verifier(va)
      return IdTokens.of({
        subjectHash,
        verify: (idToken, binding, now) =>
          Effect.tryPromise({
            try: async () => {
              if (verify === undefined) throw new InvalidIdToken()
              const { subject, ...verified } = await verify(idToken, binding, now)
              return { ...verified, subject: subjectHash(subject) }
            },
            catch: (error) => error instanceof KeysUnavailable ? new ServiceUnavailable() : new InvalidIdToken()
          })
      })
    })
  )
}

interface Issuer {
  readonly clientId: string
  readonly issuer: string
  readonly keys: string
}

/** `exp` fits into PostgreSQL's and JavaScript's times. */
const claimsFor = (clientId: string) =>
  Schema.Struct({
    iss: Schema.String,
    aud: Schema.Literal(clientId),
    azp: Schema.optionalKey(Schema.Literal(clientId)),
    sub: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(255)),
    nonce: Schema.String,
    iat: Schema.Finite,
    exp: Schema.Finite.check(Schema.isLessThan(2 ** 37)),
    auth_time: Schema.optionalKey(Schema.Finite)
  })

const verifier = ({ clientId, issuer, keys }: Issuer) => {
  const decode = Schema.decodeUnknownSync(claimsFor(clientId))
  const keyOf = makeVaKeys(keys)
  return async (idToken: string, { challenge, thumbprint }: Binding, now: number) => {
    if (idToken.length > maxBytes || !compact.test(idToken)) throw new InvalidIdToken()
    const { payload } = await jwtVerify(idToken, (header) => {
      if (typeof header.kid !== "string") throw new InvalidIdToken()
      return keyOf(header)
    }, { algorithms: ["RS256", "ES256"], issuer, audience: clientId, currentDate: new Date(now * 1000) })
    const { auth_time: signedInAt, exp, iat, iss, nonce, sub } = decode(payload)
    const expected = createHash("sha256").update(`${challenge}.${thumbprint.toString("base64url")}`).digest("base64url")
    const counts = nonce === expected && exp > now && iat <= now + clockSkew && now - iat <= maxAgeSeconds
    if (!counts) throw new InvalidIdToken()
    return {
      issuer: iss,
      subject: sub,
      // A signature has several spellings, and ECDSA has several signatures. What is signed has one.
      hash: createHash("sha256").update(idToken.slice(0, idToken.lastIndexOf("."))).digest(),
      endsAt: new Date(exp * 1000),
      signedInAt: signedInAt ?? iat
    }
  }
}
