import { it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { decodeJwt } from "jose"
import { createHmac, hkdfSync, randomUUID } from "node:crypto"
import { assert, describe } from "vitest"
import { AccessTokens } from "../../../../src/services/account/session/AccessTokens.ts"
import { Crypto } from "../../../../src/services/platform/Crypto.ts"
import { Settings } from "../../../../src/services/platform/Settings.ts"

const secret = "a provider secret of at least 32 bytes"

const layer = (environment: Record<string, string>) =>
  AccessTokens.layer.pipe(
    Layer.provide(Crypto.layer),
    Layer.provide(Settings.layer),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ APP_ENV: "test", ...environment }))),
    Layer.fresh
  )

const appSecret = "an app secret of at least 32 bytes"

const TokensLayer = layer({ PROVIDER_JWT_SECRET: secret, APP_SECRET: appSecret })

const kinds = {
  veteran: {
    key: Buffer.from(hkdfSync("sha256", appSecret, "", "vrss/1/veteran-token", 32)),
    lifetime: 900,
    other: "provider"
  },
  provider: { key: Buffer.from(secret), lifetime: 3600, other: "veteran" }
} as const

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString("base64url")

const subject = randomUUID()

/**
 * Changes only bits that mean nothing. In base64url, the last character of 32 bytes has two such bits, which are zero
 * in the canonical spelling (RFC 4648, 3.5).
 */
const otherSpelling = (token: string) => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  return `${token.slice(0, -1)}${alphabet[alphabet.indexOf(token.at(-1)!) + 1]}`
}

describe("Access tokens", () => {
  it.effect("are valid until the second in which they expire, whether or not they were verified before", () =>
    Effect.gen(function*() {
      const tokens = yield* AccessTokens
      const known = yield* tokens.issue("veteran", subject, 900)
      const fresh = yield* tokens.issue("veteran", subject, 900)
      yield* TestClock.adjust("899 seconds")
      const { jti } = decodeJwt(known)
      assert.deepStrictEqual(
        yield* tokens.verify("veteran", known),
        Option.some({ subject, id: jti!, expiresAt: 900 })
      )
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* tokens.verify("veteran", known), Option.none())
      assert.deepStrictEqual(yield* tokens.verify("veteran", fresh), Option.none())
    }).pipe(Effect.provide(TokensLayer)))

  it.effect("are valid only for the kind of user that got them, whether or not they were verified before", () =>
    Effect.gen(function*() {
      const tokens = yield* AccessTokens
      const veteran = yield* tokens.issue("veteran", subject, 900)
      const provider = yield* tokens.issue("provider", subject, 900)
      for (const _ of ["first", "again"]) {
        assert.isTrue(Option.isNone(yield* tokens.verify("provider", veteran)))
        assert.isTrue(Option.isNone(yield* tokens.verify("veteran", provider)))
        assert.isTrue(Option.isSome(yield* tokens.verify("veteran", veteran)))
        assert.isTrue(Option.isSome(yield* tokens.verify("provider", provider)))
      }
    }).pipe(Effect.provide(TokensLayer)))

  it.effect("are refused when they come from another deployment", () =>
    Effect.gen(function*() {
      const other = layer({ PROVIDER_JWT_SECRET: "b".repeat(32), APP_SECRET: "another secret of at least 32 bytes" })
      for (const kind of ["veteran", "provider"] as const) {
        const token = yield* AccessTokens.use((tokens) => tokens.issue(kind, subject, 900)).pipe(
          Effect.provide(other)
        )
        assert.isTrue(Option.isNone(yield* AccessTokens.use((tokens) => tokens.verify(kind, token))))
      }
    }).pipe(Effect.provide(TokensLayer)))
})

describe.each(["veteran", "provider"] as const)("A token of a %s", (kind) => {
  const { key, lifetime, other } = kinds[kind]

  const sign = (header: object, claims: object, algorithm = "sha256", by = key) => {
    const signed = `${encode(header)}.${encode(claims)}`
    return `${signed}.${createHmac(algorithm, by).update(signed).digest("base64url")}`
  }

  const header = { alg: "HS256", typ: `vrss-${kind}+jwt` }

  const claims = {
    iss: "veteran-records-sharing",
    aud: `vrss:${kind}`,
    sub: subject,
    jti: randomUUID(),
    iat: 0,
    exp: 900
  }

  const without = (name: keyof typeof claims) =>
    Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))

  const accepts = (token: string) => Effect.map(AccessTokens.use((tokens) => tokens.verify(kind, token)), Option.isSome)

  it.effect("is accepted when it is signed with the configured secret and every claim is valid", () =>
    Effect.gen(function*() {
      assert.isTrue(yield* accepts(sign(header, claims)))
      assert.isTrue(yield* accepts(sign(header, { ...claims, exp: lifetime })))
      assert.isTrue(yield* accepts(sign(header, { ...claims, iat: 60, exp: 60 + lifetime })))
    }).pipe(Effect.provide(TokensLayer)))

  const good = sign(header, claims)
  it.effect.each<readonly [string, string]>([
    ["no algorithm", `${encode({ ...header, alg: "none" })}.${encode(claims)}.`],
    ["no algorithm, signed", sign({ ...header, alg: "none" }, claims)],
    ["a stronger algorithm", sign({ ...header, alg: "HS512" }, claims, "sha512")],
    ["another key", sign(header, claims, "sha256", Buffer.from("x".repeat(32)))],
    ["another kind's typ", sign({ ...header, typ: `vrss-${other}+jwt` }, claims)],
    ["a general typ", sign({ ...header, typ: "JWT" }, claims)],
    ["no typ", sign({ alg: "HS256" }, claims)],
    ["a critical extension", sign({ ...header, crit: ["future"], future: true }, claims)],
    ["another issuer", sign(header, { ...claims, iss: "elsewhere" })],
    ["another audience", sign(header, { ...claims, aud: `vrss:${other}` })],
    ["no issuer", sign(header, without("iss"))],
    ["no audience", sign(header, without("aud"))],
    ["no subject", sign(header, without("sub"))],
    ["no id", sign(header, without("jti"))],
    ["no time of issue", sign(header, without("iat"))],
    ["no expiry", sign(header, without("exp"))],
    ["an expiry that is not a number", sign(header, { ...claims, exp: "900" })],
    ["a subject that is not an id", sign(header, { ...claims, sub: kind })],
    ["a subject that is not a text", sign(header, { ...claims, sub: { id: claims.sub } })],
    ["a start in the future (nbf)", sign(header, { ...claims, nbf: 600 })],
    ["a time of issue more than a minute from now", sign(header, { ...claims, iat: 61 })],
    ["a longer life than its kind may have", sign(header, { ...claims, exp: lifetime + 1 })],
    ["a longer life that began a minute ago", sign(header, { ...claims, iat: -60, exp: lifetime - 59 })],
    ["no end in any calendar", sign(header, { ...claims, exp: 1e300 })],
    ["an expiry before its time of issue", sign(header, { ...claims, iat: 60, exp: 30 })],
    ["an expiry at a fraction of a second", sign(header, { ...claims, exp: 900.5 })],
    ["a time of issue at a fraction of a second", sign(header, { ...claims, iat: 0.5 })],
    ["a list with one audience", sign(header, { ...claims, aud: [claims.aud] })],
    ["a list of two audiences", sign(header, { ...claims, aud: [claims.aud, "elsewhere"] })],
    ["an id that is not a text", sign(header, { ...claims, jti: 1 })],
    ["an id in a list", sign(header, { ...claims, jti: [claims.jti] })],
    ["a subject in a list", sign(header, { ...claims, sub: [claims.sub] })],
    ["another spelling of the signature", otherSpelling(good)],
    ["space around it", ` ${good}`],
    ["padding", `${good}=`],
    ["a line break", `${good}\n`],
    ["one part too many", `${good}.x`],
    ["no signature", good.slice(0, good.lastIndexOf(".") + 1)],
    ["changed claims", `${encode(header)}.${encode({ ...claims, exp: 9000 })}.${good.split(".")[2]}`],
    ["nothing", ""],
    ["more than 4 KiB", sign(header, { ...claims, extra: "x".repeat(4096) })]
  ])("is refused with %s", ([, token]) =>
    Effect.gen(function*() {
      assert.isFalse(yield* accepts(token))
    }).pipe(Effect.provide(TokensLayer)))
})
