import { Clock, Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { type JWTPayload, jwtVerify, SignJWT } from "jose"
import { createSecretKey, type KeyObject } from "node:crypto"
import { ClientId, GrantId, uuid, VeteranId } from "../../../domain/Id.ts"
import { Crypto } from "../../platform/Crypto.ts"
import { newId } from "../../platform/Ids.ts"
import { Settings } from "../../platform/Settings.ts"

export type TokenKind = "veteran" | "provider"

export interface Claims {
  /** The id of the veteran or of the provider's session. */
  readonly subject: string
  readonly id: string
  /** In seconds since the epoch. */
  readonly expiresAt: number
  /** The session of the veteran's app, if the token belongs to one. */
  readonly sid?: string
  /** When all of the veteran's tokens had been ended last, in milliseconds since the epoch, if they ever were. */
  readonly tnb?: number
}

/** The claims of an app's token (RFC 9068). Its grant is read with each request, and decides about access. */
export interface AppClaims {
  readonly veteranId: VeteranId
  readonly clientId: ClientId
  readonly grantId: GrantId
  readonly scope: string
  /** In seconds since the epoch, like `expiresAt`. */
  readonly issuedAt: number
  readonly expiresAt: number
}

export const appTokenSeconds = 600

export const maxLifetimeSeconds: Record<TokenKind, number> = { veteran: 900, provider: 3600 }

/** Seconds by which the clock of the issuing process may be ahead. */
const clockSkew = 60

/** The claims of every token. JWT allows lists and fractions in some of them; we issue single values and integers. */
const IssuedClaims = Schema.Struct({
  aud: Schema.String,
  sub: Schema.String.check(Schema.isPattern(uuid)),
  jti: Schema.NonEmptyString,
  iat: Schema.Int,
  exp: Schema.Int
})

const decodeClaims = Schema.decodeUnknownOption(Schema.Struct({
  ...IssuedClaims.fields,
  sid: Schema.optionalKey(Schema.String.check(Schema.isPattern(uuid))),
  tnb: Schema.optionalKey(Schema.Int)
}))

const IssuedAppClaims = Schema.Struct({
  ...IssuedClaims.fields,
  client_id: Schema.String.check(Schema.isPattern(uuid)),
  gid: Schema.String.check(Schema.isPattern(uuid)),
  scope: Schema.NonEmptyString
})

const decodeAppClaims = Schema.decodeUnknownOption(IssuedAppClaims)

/** Access tokens are JWTs (RFC 7519). Each kind has its own key, `typ` and `aud` (RFC 8725, 3.11–3.12). */
export class AccessTokens extends Context.Service<AccessTokens, {
  /** `lifetime` is in seconds, and at most `maxLifetimeSeconds` of its kind. */
  readonly issue: (
    kind: TokenKind,
    subject: string,
    lifetime: number,
    claims?: Pick<Claims, "sid" | "tnb">
  ) => Effect.Effect<string>
  /** Returns None if the token is malformed, expired, wrongly signed, or of another kind. */
  readonly verify: (kind: TokenKind, token: string) => Effect.Effect<Option.Option<Claims>>
  /** The audience of an app's token is the FHIR base. A valid token does not prove that its grant is still active. */
  readonly issueApp: (app: Omit<AppClaims, "issuedAt" | "expiresAt">) => Effect.Effect<string>
  readonly verifyApp: (token: string) => Effect.Effect<Option.Option<AppClaims>>
}>()("vrss/services/account/session/AccessTokens") {
  static readonly layer = Layer.effect(
    AccessTokens,
    Effect.gen(function*() {
      const crypto = yield* Crypto
      const { fhirBase, oauthIssuer, oauthJwtSecret, providerJwtSecret } = yield* Settings
      const profiles: Record<TokenKind | "app", Profile> = {
        veteran: profile("veteran", crypto.derivedKey("veteran-token")),
        provider: profile("provider", keyOf(providerJwtSecret)),
        app: {
          typ: "at+jwt",
          issuer: oauthIssuer,
          audience: fhirBase,
          maxSeconds: appTokenSeconds,
          key: keyOf(oauthJwtSecret)
        }
      }
      const verified = makeVerified<Claims>()
      const verifiedApps = makeVerified<AppClaims>()

      const sign = Effect.fnUntraced(
        function*(kind: keyof typeof profiles, subject: string, lifetime: number, claims: JWTPayload = {}) {
          const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
          const { audience, issuer, key, typ } = profiles[kind]
          return yield* Effect.promise(() =>
            new SignJWT(claims)
              .setProtectedHeader({ alg: "HS256", typ })
              .setIssuer(issuer)
              .setAudience(audience)
              .setSubject(subject)
              .setJti(newId())
              .setIssuedAt(now)
              .setExpirationTime(now + lifetime)
              .sign(key)
          )
        }
      )

      const check = <A extends typeof IssuedClaims.Type>(
        kind: keyof typeof profiles,
        token: string,
        now: number,
        decode: (payload: JWTPayload) => Option.Option<A>
      ) => {
        const { audience, issuer, key, maxSeconds, typ } = profiles[kind]
        return Effect.tryPromise(() =>
          jwtVerify(token, key, {
            algorithms: ["HS256"],
            issuer,
            audience,
            typ,
            requiredClaims: ["sub", "jti", "iat", "exp"],
            currentDate: new Date(now)
          })
        ).pipe(
          Effect.option,
          Effect.map(Option.flatMap(({ payload }) => decode(payload))),
          Effect.map(
            Option.filter(({ exp, iat }) => iat <= now / 1000 + clockSkew && iat < exp && exp - iat <= maxSeconds)
          )
        )
      }

      const verify: AccessTokens["Service"]["verify"] = (kind, token) =>
        verified(kind, token, (now) =>
          Effect.map(
            check(kind, token, now, decodeClaims),
            Option.map(({ aud: _, exp, iat: __, jti, sub, ...session }) => ({
              subject: sub,
              id: jti,
              expiresAt: exp,
              ...session
            }))
          ))

      const verifyApp: AccessTokens["Service"]["verifyApp"] = (token) =>
        verifiedApps("app", token, (now) =>
          Effect.map(
            check("app", token, now, decodeAppClaims),
            Option.map(({ client_id, exp, gid, iat, scope, sub }) => ({
              veteranId: VeteranId.make(sub),
              clientId: ClientId.make(client_id),
              grantId: GrantId.make(gid),
              scope,
              issuedAt: iat,
              expiresAt: exp
            }))
          ))

      return AccessTokens.of({
        issue: sign,
        verify,
        issueApp: ({ clientId, grantId, scope, veteranId }) =>
          sign("app", veteranId, appTokenSeconds, { client_id: clientId, gid: grantId, scope }),
        verifyApp
      })
    })
  )
}

interface Profile {
  readonly typ: string
  readonly issuer: string
  readonly audience: string
  readonly maxSeconds: number
  readonly key: KeyObject
}

/** The profile of tokens that only this service reads. */
const profile = (kind: TokenKind, key: KeyObject): Profile => ({
  typ: `vrss-${kind}+jwt`,
  issuer: "veteran-records-sharing",
  audience: `vrss:${kind}`,
  maxSeconds: maxLifetimeSeconds[kind],
  key
})

const keyOf = (secret: Redacted.Redacted) => createSecretKey(Buffer.from(Redacted.value(secret)))

/** Caches verified tokens: verifying costs more than the rest of a small read. A hit checks only kind and expiry. */
const makeVerified = <A extends { readonly expiresAt: number }>() => {
  const verified = new Map<
    string,
    { readonly kind: string; readonly expiresAt: number; readonly claims: Verification<A> }
  >()

  const verify = Effect.fnUntraced(
    function*(kind: string, token: string, now: number, check: (now: number) => Verification<A>) {
      if (token.length > 4096 || !isCanonical(token)) return Option.none()
      const claims = yield* check(now)
      if (Option.isSome(claims)) {
        if (verified.size >= 10_000) verified.delete(verified.keys().next().value!)
        verified.set(token, { kind, expiresAt: claims.value.expiresAt, claims: Effect.succeed(claims) })
      }
      return claims
    }
  )

  return (kind: string, token: string, check: (now: number) => Verification<A>): Verification<A> =>
    Effect.withFiber((fiber) => {
      const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
      const entry = verified.get(token)
      if (entry === undefined) return verify(kind, token, now, check)
      return entry.kind === kind && entry.expiresAt * 1000 > now ? entry.claims : Effect.succeedNone
    })
}

type Verification<A> = Effect.Effect<Option.Option<A>>

/** Several base64url texts decode to the same signature. Only the canonical one is accepted (RFC 4648, 3.5). */
const isCanonical = (token: string) => {
  const [, signature] = /^[\w-]+\.[\w-]+\.([\w-]+)$/.exec(token) ?? []
  return signature !== undefined && Buffer.from(signature, "base64url").toString("base64url") === signature
}
