import { Clock, Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { type JWTPayload, jwtVerify, SignJWT } from "jose"
import { createSecretKey, type KeyObject } from "node:crypto"
import { ClientId, GrantId, uuid, VeteranId } from "../../domain/Id.ts"
import { Crypto } from "../platform/Crypto.ts"
import { newId } from "../platform/Ids.ts"
import { Settings } from "../platform/Settings.ts"

export type TokenKind = "veteran" | "provider"

export interface Claims {
  /** This is the veteran's id, or the provider session's. */
  readonly subject: string
  /** This is the token's own id (`jti`). */
  readonly id: string
  /** The token ends at this second since the epoch. */
  readonly expiresAt: number
}

/** What an app's token says (RFC 9068): its grant decides, and is read with each request. */
export interface AppClaims {
  readonly veteranId: VeteranId
  readonly clientId: ClientId
  readonly grantId: GrantId
  readonly scope: string
  /** These are seconds since the epoch. */
  readonly issuedAt: number
  readonly expiresAt: number
}

/** An app's token lives for so many seconds. */
export const appTokenSeconds = 600

/** No token of a kind lives longer than this many seconds. */
export const maxLifetimeSeconds: Record<TokenKind, number> = { veteran: 900, provider: 3600 }

/** A token may come from a process whose clock is ahead by this many seconds. */
const clockSkew = 60

/** The claims that every token has, each of one type: where the JWT allows a list or a fraction too, only one value is issued. */
const IssuedClaims = Schema.Struct({
  aud: Schema.String,
  sub: Schema.String.check(Schema.isPattern(uuid)),
  jti: Schema.NonEmptyString,
  iat: Schema.Int,
  exp: Schema.Int
})

const decodeClaims = Schema.decodeUnknownOption(IssuedClaims)

const IssuedAppClaims = Schema.Struct({
  ...IssuedClaims.fields,
  client_id: Schema.String.check(Schema.isPattern(uuid)),
  gid: Schema.String.check(Schema.isPattern(uuid)),
  scope: Schema.NonEmptyString
})

const decodeAppClaims = Schema.decodeUnknownOption(IssuedAppClaims)

/**
 * Access tokens are JWTs (RFC 7519), HS256 alone, each kind with its own key, `typ` and `aud` (RFC 8725, 3.11–3.12).
 * They hold no personal data.
 */
export class AccessTokens extends Context.Service<AccessTokens, {
  /** `lifetime` is in seconds, and at most the longest of its kind. */
  readonly issue: (kind: TokenKind, subject: string, lifetime: number) => Effect.Effect<string>
  /** Answers none for a token that is malformed, expired, wrongly signed, or of another kind. */
  readonly verify: (kind: TokenKind, token: string) => Effect.Effect<Option.Option<Claims>>
  /** An app's token is for the FHIR base alone, and says nothing of whether its grant is still good. */
  readonly issueApp: (app: Omit<AppClaims, "issuedAt" | "expiresAt">) => Effect.Effect<string>
  readonly verifyApp: (token: string) => Effect.Effect<Option.Option<AppClaims>>
}>()("vrss/AccessTokens") {
  static readonly layer = Layer.effect(
    AccessTokens,
    Effect.gen(function*() {
      const crypto = yield* Crypto
      const { fhirBase, oauthIssuer, oauthJwtSecret, providerJwtSecret } = yield* Settings
      const profiles: Record<TokenKind | "app", Profile> = {
        veteran: own("veteran", crypto.derivedKey("veteran-token")),
        provider: own("provider", keyOf(providerJwtSecret)),
        app: {
          typ: "at+jwt",
          issuer: oauthIssuer,
          audience: fhirBase,
          longest: appTokenSeconds,
          key: keyOf(oauthJwtSecret)
        }
      }
      const verified = makeVerified<Claims>()
      const verifiedApps = makeVerified<AppClaims>()

      const sign = Effect.fnUntraced(
        function*(kind: keyof typeof profiles, subject: string, lifetime: number, besides: JWTPayload = {}) {
          const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
          const { audience, issuer, key, typ } = profiles[kind]
          return yield* Effect.promise(() =>
            new SignJWT(besides)
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
        const { audience, issuer, key, longest, typ } = profiles[kind]
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
            Option.filter(({ exp, iat }) => iat <= now / 1000 + clockSkew && iat < exp && exp - iat <= longest)
          )
        )
      }

      const verify: AccessTokens["Service"]["verify"] = (kind, token) =>
        verified(kind, token, (now) =>
          Effect.map(
            check(kind, token, now, decodeClaims),
            Option.map(({ exp, jti, sub }) => ({ subject: sub, id: jti, expiresAt: exp }))
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

/** What tokens of a kind have in common. `longest` is the longest lifetime, in seconds. */
interface Profile {
  readonly typ: string
  readonly issuer: string
  readonly audience: string
  readonly longest: number
  readonly key: KeyObject
}

/** The tokens that this service gives to itself by way of its clients. */
const own = (kind: TokenKind, key: KeyObject): Profile => ({
  typ: `vrss-${kind}+jwt`,
  issuer: "veteran-records-sharing",
  audience: `vrss:${kind}`,
  longest: maxLifetimeSeconds[kind],
  key
})

const keyOf = (secret: Redacted.Redacted) => createSecretKey(Buffer.from(Redacted.value(secret)))

/** Verifying costs more than the rest of a small read; a token that was verified only needs its end checked again. */
const makeVerified = <A extends { readonly expiresAt: number }>() => {
  const known = new Map<string, { readonly kind: string; readonly expiresAt: number; readonly claims: Found<A> }>()

  const verify = Effect.fnUntraced(
    function*(kind: string, token: string, now: number, check: (now: number) => Found<A>) {
      if (token.length > 4096 || !isCanonical(token)) return Option.none()
      const claims = yield* check(now)
      if (Option.isSome(claims)) {
        if (known.size >= 10_000) known.delete(known.keys().next().value!)
        known.set(token, { kind, expiresAt: claims.value.expiresAt, claims: Effect.succeed(claims) })
      }
      return claims
    }
  )

  return (kind: string, token: string, check: (now: number) => Found<A>): Found<A> =>
    Effect.withFiber((fiber) => {
      const now = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
      const found = known.get(token)
      if (found === undefined) return verify(kind, token, now, check)
      return found.kind === kind && found.expiresAt * 1000 > now ? found.claims : Effect.succeedNone
    })
}

type Found<A> = Effect.Effect<Option.Option<A>>

/** Three parts in base64url, the last in its one canonical spelling (RFC 4648, 3.5): the signature covers the other two alone. */
const isCanonical = (token: string) => {
  const [, signature] = /^[\w-]+\.[\w-]+\.([\w-]+)$/.exec(token) ?? []
  return signature !== undefined && Buffer.from(signature, "base64url").toString("base64url") === signature
}
