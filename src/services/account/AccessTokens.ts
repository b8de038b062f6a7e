import { Clock, Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { jwtVerify, SignJWT } from "jose"
import { createSecretKey, type KeyObject } from "node:crypto"
import { uuid } from "../../domain/Id.ts"
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

/** No token of a kind lives longer than this many seconds. */
export const longestLifetime: Record<TokenKind, number> = { veteran: 900, provider: 3600 }

/** A token may come from a process whose clock is ahead by this many seconds. */
const clockSkew = 60

const issuer = "veteran-records-sharing"

/** The claims that every token has, each of one type: where the JWT allows a list or a fraction too, only one value is issued. */
const IssuedClaims = Schema.Struct({
  aud: Schema.String,
  sub: Schema.String.check(Schema.isPattern(uuid)),
  jti: Schema.NonEmptyString,
  iat: Schema.Int,
  exp: Schema.Int
})

const decodeClaims = Schema.decodeUnknownOption(IssuedClaims)

/**
 * Access tokens are JWTs (RFC 7519), HS256 alone, each kind with its own key, `typ` and `aud` (RFC 8725, 3.11–3.12).
 * They hold no personal data.
 */
export class AccessTokens extends Context.Service<AccessTokens, {
  /** `lifetime` is in seconds, and at most the longest of its kind. */
  readonly issue: (kind: TokenKind, subject: string, lifetime: number) => Effect.Effect<string>
  /** Answers none for a token that is malformed, expired, wrongly signed, or of another kind. */
  readonly verify: (kind: TokenKind, token: string) => Effect.Effect<Option.Option<Claims>>
}>()("vrss/AccessTokens") {
  static readonly layer = Layer.effect(
    AccessTokens,
    Effect.gen(function*() {
      const crypto = yield* Crypto
      const { providerJwtSecret } = yield* Settings
      const keys: Record<TokenKind, KeyObject> = {
        veteran: crypto.derivedKey("veteran-token"),
        provider: createSecretKey(Buffer.from(Redacted.value(providerJwtSecret)))
      }
      // Verifying costs more than the rest of a small read; a token that was verified only needs its end checked again.
      const verified = new Map<string, { readonly kind: TokenKind; readonly claims: Claims }>()

      const issue = Effect.fnUntraced(function*(kind: TokenKind, subject: string, lifetime: number) {
        const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        return yield* Effect.promise(() =>
          new SignJWT()
            .setProtectedHeader({ alg: "HS256", typ: typeOf(kind) })
            .setIssuer(issuer)
            .setAudience(audienceOf(kind))
            .setSubject(subject)
            .setJti(newId())
            .setIssuedAt(now)
            .setExpirationTime(now + lifetime)
            .sign(keys[kind])
        )
      })

      const check = (kind: TokenKind, token: string, now: number) =>
        Effect.tryPromise(() =>
          jwtVerify(token, keys[kind], {
            algorithms: ["HS256"],
            issuer,
            audience: audienceOf(kind),
            typ: typeOf(kind),
            requiredClaims: ["sub", "jti", "iat", "exp"],
            currentDate: new Date(now)
          })
        ).pipe(
          Effect.option,
          Effect.map(Option.flatMap(({ payload }) => decodeClaims(payload))),
          Effect.map(
            Option.filter(({ exp, iat }) =>
              iat <= now / 1000 + clockSkew && iat < exp && exp - iat <= longestLifetime[kind]
            )
          ),
          Effect.map(Option.map(({ exp, jti, sub }): Claims => ({ subject: sub, id: jti, expiresAt: exp })))
        )

      const verify = Effect.fnUntraced(function*(kind: TokenKind, token: string) {
        const now = yield* Clock.currentTimeMillis
        const known = verified.get(token)
        if (known !== undefined) {
          return known.kind === kind && known.claims.expiresAt * 1000 > now ? Option.some(known.claims) : Option.none()
        }
        if (token.length > 4096 || !isCanonical(token)) return Option.none()
        const claims = yield* check(kind, token, now)
        if (Option.isSome(claims)) {
          if (verified.size >= 10_000) verified.delete(verified.keys().next().value!)
          verified.set(token, { kind, claims: claims.value })
        }
        return claims
      })

      return AccessTokens.of({ issue, verify })
    })
  )
}

/** Three parts in base64url, the last in its one canonical spelling (RFC 4648, 3.5): the signature covers the other two alone. */
const isCanonical = (token: string) => {
  const [, signature] = /^[\w-]+\.[\w-]+\.([\w-]+)$/.exec(token) ?? []
  return signature !== undefined && Buffer.from(signature, "base64url").toString("base64url") === signature
}

const typeOf = (kind: TokenKind) => `vrss-${kind}+jwt`

const audienceOf = (kind: TokenKind) => `vrss:${kind}`
