import { createHmac, hkdfSync, randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { developmentSecret } from "../../../src/services/platform/VariableRules.ts"
import { openApp } from "../../support/App.ts"
import { bearer, call, signInProvider, signInVeteran } from "../../support/Client.ts"

const { service } = await openApp()

const issued = {
  veteran: (await signInVeteran(service)).token,
  provider: (await signInProvider(service)).token
}

const kinds = {
  veteran: {
    key: Buffer.from(hkdfSync("sha256", developmentSecret("APP_SECRET"), "", "vrss/1/veteran-token", 32)),
    lifetime: 900
  },
  provider: { key: Buffer.from(developmentSecret("PROVIDER_JWT_SECRET")), lifetime: 3600 }
}

type Kind = keyof typeof kinds

type Claims = Record<string, unknown>

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString("base64url")

const claimsOf = (kind: Kind): Claims => JSON.parse(Buffer.from(issued[kind]!.split(".")[1]!, "base64url").toString())

/** The claims of an issued token, changed and signed with the right key. */
const signed = (kind: Kind, changes: Claims) => {
  const text = `${encode({ alg: "HS256", typ: `vrss-${kind}+jwt` })}.${encode({ ...claimsOf(kind), ...changes })}`
  return `${text}.${createHmac("sha256", kinds[kind].key).update(text).digest("base64url")}`
}

const status = async (kind: Kind, token: string) => {
  const answer = await call(service, "GET", kind === "veteran" ? "/api/veteran/me" : "/api/provider/me", {
    headers: bearer(token)
  })
  return answer.status === 200 ? 200 : `${answer.status} ${answer.json.error}`
}

const seconds = () => Math.floor(Date.now() / 1000)

describe.each(Object.keys(kinds) as Array<Kind>)("A signed token of a %s", (kind) => {
  const { lifetime } = kinds[kind]

  test("is accepted with the longest lifetime of its kind, or if its issuer's clock is 30 seconds ahead", async () => {
    const now = seconds()
    assert.strictEqual(await status(kind, signed(kind, { iat: now, exp: now + lifetime })), 200)
    assert.strictEqual(await status(kind, signed(kind, { iat: now + 30, exp: now + 90, jti: randomUUID() })), 200)
  })

  test.each<[string, (now: number) => Claims]>([
    ["was issued more than a minute from now", (now) => ({ iat: now + 120, exp: now + 180 })],
    ["lives a second longer than its kind may", (now) => ({ iat: now, exp: now + lifetime + 1 })],
    ["lives a second longer than its kind may, and was issued a minute ago", (now) => ({
      iat: now - 60,
      exp: now - 59 + lifetime
    })],
    ["ends before it was issued", (now) => ({ iat: now + 50, exp: now + 40 })],
    ["ends at a fraction of a second", (now) => ({ iat: now, exp: now + 60.5 })],
    ["was issued at a fraction of a second", (now) => ({ iat: now - 0.5, exp: now + 60 })],
    ["never ends", (now) => ({ iat: now, exp: 1e300 })],
    ["has a list with one audience", () => ({ aud: [`vrss:${kind}`] })],
    ["has a list of two audiences", () => ({ aud: [`vrss:${kind}`, "elsewhere"] })],
    ["has a number for its id", () => ({ jti: 1 })],
    ["has a list for its id", () => ({ jti: [randomUUID()] })],
    ["has a list for its subject", () => ({ sub: [claimsOf(kind)["sub"]] })]
  ])("is refused when it %s", async (_, changes) => {
    assert.strictEqual(await status(kind, signed(kind, changes(seconds()))), "401 unauthenticated")
  })

  test("is refused when its signature is another base64url spelling of the same bytes", async () => {
    for (const token of [issued[kind]!, signed(kind, { jti: randomUUID() })]) {
      // The 43rd character holds two bits beyond the 32 bytes.
      const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
      const last = alphabet.indexOf(token.at(-1)!)
      for (const bits of [1, 2, 3]) {
        const other = `${token.slice(0, -1)}${alphabet[last ^ bits]}`
        assert.deepStrictEqual(
          Buffer.from(other.split(".")[2]!, "base64url"),
          Buffer.from(token.split(".")[2]!, "base64url")
        )
        assert.strictEqual(await status(kind, other), "401 unauthenticated")
      }
      assert.strictEqual(await status(kind, token), 200)
    }
  })
})
