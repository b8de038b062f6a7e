import { SignJWT } from "jose"
import { createHmac, hkdfSync } from "node:crypto"
import { developmentSecret } from "../../src/services/platform/VariableRules.ts"
import { nobody } from "./Formats.ts"
import { decodePart } from "./Jwt.ts"

/** The keys of a service that runs outside production with the default secrets. It accepts what they sign. */
const keys = {
  veteran: Buffer.from(hkdfSync("sha256", developmentSecret("APP_SECRET"), "", "vrss/1/veteran-token", 32)),
  provider: Buffer.from(developmentSecret("PROVIDER_JWT_SECRET"))
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

/** Copies a token with other claims, another header or another key, and signs the copy. */
export const forge = (
  kind: keyof typeof keys,
  token: string,
  { claims = {}, header = {}, key = keys[kind] }: { claims?: object; header?: object; key?: Buffer } = {}
) =>
  new SignJWT({ ...decodePart(token, 1), ...claims }).setProtectedHeader({ ...decodePart(token, 0), ...header }).sign(
    key
  )

/** Returns each forgery of a token with what is wrong with it. */
export const forgeries = async (
  kind: keyof typeof keys,
  token: string
): Promise<ReadonlyArray<readonly [string, string]>> => {
  const now = Math.floor(Date.now() / 1000)
  const [header, payload, signature] = token.split(".")
  const other = kind === "veteran" ? "provider" : "veteran"
  const unsigned = (alg: string) => `${encode({ ...decodePart(token, 0), alg })}.${payload}.`
  /** Signs with the right key, even if the header names another `alg`. */
  const signed = (alg: string, hash = "sha256", more: object = {}) => {
    const head = `${encode({ ...decodePart(token, 0), alg, ...more })}.${payload}`
    return `${head}.${createHmac(hash, keys[kind]).update(head).digest("base64url")}`
  }
  return [
    ["expired", await forge(kind, token, { claims: { iat: now - 901, exp: now - 1 } })],
    ["without an end", await forge(kind, token, { claims: { exp: undefined } })],
    ["without a subject", await forge(kind, token, { claims: { sub: undefined } })],
    ["without an id", await forge(kind, token, { claims: { jti: undefined } })],
    ["without a time of issue", await forge(kind, token, { claims: { iat: undefined } })],
    ["for another audience", await forge(kind, token, { claims: { aud: `vrss:${other}` } })],
    ["of another issuer", await forge(kind, token, { claims: { iss: "another" } })],
    ["of another type", await forge(kind, token, { header: { typ: "JWT" } })],
    ["of the other kind's type", await forge(kind, token, { header: { typ: `vrss-${other}+jwt` } })],
    ["signed with the other kind's key", await forge(kind, token, { key: keys[other] })],
    ["signed with HS512", signed("HS512", "sha512")],
    ["signed with HS384", signed("HS384", "sha384")],
    ["signed with no algorithm", unsigned("none")],
    ["signed with no algorithm in capitals", unsigned("NONE")],
    ["said to be RS256", signed("RS256")],
    ["with a critical header", signed("HS256", "sha256", { crit: ["x"], x: 1 })],
    ["with another payload", `${header}.${encode({ ...decodePart(token, 1), sub: nobody })}.${signature}`],
    ["cut short", token.slice(0, -1)],
    ["with a padded signature", `${token}=`],
    ["without its signature", `${header}.${payload}.`]
  ]
}
