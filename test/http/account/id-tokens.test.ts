import { SignJWT, UnsecuredJWT } from "jose"
import { createHmac } from "node:crypto"
import { assert, describe, test } from "vitest"
import type { Answer } from "../../support/Client.ts"
import { askChallenge, newDevice, prove, registerPerson, signInDevice, signInPath } from "../../support/Device.ts"
import { openVaApp } from "../../support/VaApp.ts"
import { nonceOf, type Signing } from "../../support/VaIssuer.ts"

const { database, service, va } = await openVaApp()

const superuser = await database.connect("superuser")

const path = `${signInPath}/session`

const { device, person } = await signInDevice(service, va)

/** Sends an id_token for the paired person's device, and everything beside it as it should be. */
const send = async (make: (claims: Record<string, unknown>) => string | Promise<string>) => {
  const challenge = await askChallenge(service)
  const idToken = await make({ sub: person.subject, nonce: nonceOf(challenge, device.thumbprint) })
  return prove(service, device, path, challenge, { idToken, challenge, vaPatientId: person.vaPatientId })
}

const told = ({ json: { requestId: _, ...json }, status }: Answer) => [status, json]

const refused = [401, {
  error: "invalid_id_token",
  message: "The 'idToken' could not be checked: sign in at the VA again."
}]

const now = () => Math.floor(Date.now() / 1000)

const signed = (claims: Record<string, unknown>, signing?: Signing) => (right: Record<string, unknown>) =>
  va.idToken({ ...right, ...claims }, signing)

const otherNonce = nonceOf("another challenge", device.thumbprint)

const forgeries: Record<string, (right: Record<string, unknown>) => string | Promise<string>> = {
  "for two audiences": signed({ aud: [va.clientId, "another"] }),
  "for a list of our audience alone": signed({ aud: [va.clientId] }),
  "for another audience": signed({ aud: "another" }),
  "without an audience": signed({ aud: undefined }),
  "that another client asked for (azp)": signed({ azp: "another" }),
  "of another issuer": signed({ iss: "https://another.example" }),
  "of an issuer with a slash at its end": signed({ iss: `${va.issuer}/` }),
  "without an issuer": signed({ iss: undefined }),
  "without a subject": signed({ sub: undefined }),
  "with an empty subject": signed({ sub: "" }),
  "with a subject that is no text": signed({ sub: 1 }),
  "with a subject of 256 characters": signed({ sub: "s".repeat(256) }),
  "without an end": signed({ exp: undefined }),
  "that has ended": signed({ iat: now() - 300, exp: now() - 1 }),
  "that ends beyond every calendar": signed({ exp: 1e15 }),
  "without a time of issue": signed({ iat: undefined }),
  "from two minutes ahead": signed({ iat: now() + 120 }),
  "that is 11 minutes old": signed({ iat: now() - 660 }),
  "without a nonce": signed({ nonce: undefined }),
  "with the nonce of another challenge": signed({ nonce: otherNonce }),
  "signed by another key under a known kid": signed({}, { stranger: true, kid: "rsa" }),
  "with an unknown kid": signed({}, { kid: "unknown" }),
  "with the kid of a key for another algorithm": signed({}, { kid: "ec" }),
  "signed with HS256 and a published key as the secret": signed({}, { alg: "HS256", kid: "rsa" }),
  "signed with no algorithm": (right) =>
    new UnsecuredJWT({ ...right, iss: va.issuer, aud: va.clientId, iat: now(), exp: now() + 300 }).encode(),
  "of more than 8 KiB": signed({ more: "m".repeat(8_000) }),
  "that is garbage": () => "a.b.c",
  "that is empty": () => "",
  "with a changed payload": async (right) => {
    const [header, , signature] = (await va.idToken(right)).split(".")
    return `${header}.${Buffer.from(JSON.stringify({ ...right, sub: "x" })).toString("base64url")}.${signature}`
  },
  "that is an HMAC of its text": async (right) => {
    const head = (await va.idToken(right)).split(".").slice(0, 2).join(".")
    return `${head}.${createHmac("sha256", va.keys).update(head).digest("base64url")}`
  },
  "without a kid": async (right) =>
    new SignJWT({ ...right, iss: va.issuer, aud: va.clientId, iat: now(), exp: now() + 300 })
      .setProtectedHeader({ alg: "RS256" }).sign(va.privateKey)
}

describe("An id_token of the VA", () => {
  test.each(["RS256", "ES256"] as const)("signed with %s signs in", async (alg) => {
    assert.strictEqual((await send(signed({}, { alg }))).status, 200)
  })

  test("may name our client as the authorized party, and be a minute ahead or ten minutes old", async () => {
    for (const claims of [{ azp: va.clientId }, { iat: now() + 50 }, { iat: now() - 590 }, { auth_time: 1 }]) {
      assert.strictEqual((await send(signed(claims))).status, 200, JSON.stringify(claims))
    }
  })

  test.each(Object.entries(forgeries))("%s is refused", async (_, make) => {
    assert.deepStrictEqual(told(await send(make)), refused)
  })

  test("is compared as it was sent: with a blank around or inside it is refused, and then counts without", async () => {
    const challenge = await askChallenge(service)
    const idToken = await va.idToken({ sub: person.subject, nonce: nonceOf(challenge, device.thumbprint) })
    const sent = (text: string) =>
      prove(service, device, path, challenge, { idToken: text, challenge, vaPatientId: person.vaPatientId })
    const [head, body, signature] = idToken.split(".") as [string, string, string]
    const spelled = [" ", "\t", "\n", "\r\n", "\u00a0", "\ufeff", "="].flatMap((blank) => [
      `${idToken}${blank}`,
      `${blank}${idToken}`,
      `${head}.${body}${blank}.${signature}`,
      `${head}.${body}.${signature.slice(0, 9)}${blank}${signature.slice(9)}`
    ])
    for (const text of spelled) assert.deepStrictEqual(told(await sent(text)), refused, JSON.stringify(text))
    assert.strictEqual((await sent(idToken)).status, 200)
  })

  test("is refused for another device's key, and counts for its own device afterwards", async () => {
    const thief = await newDevice()
    const challenge = await askChallenge(service)
    const idToken = await va.idToken({ sub: person.subject, nonce: nonceOf(challenge, device.thumbprint) })
    const body = { idToken, challenge, vaPatientId: person.vaPatientId }
    assert.deepStrictEqual(told(await prove(service, thief, path, challenge, body)), refused)
    assert.strictEqual((await prove(service, device, path, challenge, body)).status, 200)
  })

  test.each(["RS256", "ES256"] as const)("with %s counts once, in every spelling of its signature", async (alg) => {
    const challenge = await askChallenge(service)
    const idToken = await va.idToken({ sub: person.subject, nonce: nonceOf(challenge, device.thumbprint) }, { alg })
    const sent = (text: string) =>
      prove(service, device, path, challenge, { idToken: text, challenge, vaPatientId: person.vaPatientId })
    assert.strictEqual((await sent(idToken)).status, 200)
    assert.deepStrictEqual(told(await sent(idToken)), refused)
    for (const other of alg === "ES256" ? [mirrored(idToken)] : otherSpellings(idToken)) {
      assert.notStrictEqual(other, idToken)
      assert.deepStrictEqual(told(await sent(other)), refused)
    }
  })

  test("leaves its hash and no other trace", async () => {
    const { rows } = await superuser.query("select expires_at from spent_tokens where octet_length(hash) = 32")
    assert.isNotEmpty(rows)
    assert.notInclude(service.output(), "eyJ")
  })
})

describe("A challenge", () => {
  const invalid = "The challenge is not this service's, has expired, or was used before: ask for a new one."

  const sendWith = async (challenge: string) => {
    const idToken = await va.idToken({ sub: person.subject, nonce: nonceOf(challenge, device.thumbprint) })
    return told(await prove(service, device, path, challenge, { idToken, challenge, vaPatientId: person.vaPatientId }))
  }

  test.each(["", "x", "1.a.b", "A".repeat(72), "A".repeat(2000)])("that is not ours (%s) is refused", async (text) => {
    assert.deepStrictEqual(await sendWith(text), [401, { error: "invalid_challenge", message: invalid }])
  })

  test("with any changed bit is refused", async () => {
    const bytes = Buffer.from(await askChallenge(service), "base64url")
    for (const at of [0, 5, 6, 21, 22, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      const [status, { error }] = await sendWith(changed.toString("base64url")) as [number, { error: string }]
      assert.deepStrictEqual([status, error], [401, "invalid_challenge"])
    }
  })

  test("of ours counts only with the id_token that answers it", async () => {
    const [asked, other] = [await askChallenge(service), await askChallenge(service)]
    const idToken = await va.idToken({ sub: person.subject, nonce: nonceOf(asked, device.thumbprint) })
    const body = { idToken, challenge: other, vaPatientId: person.vaPatientId }
    assert.deepStrictEqual(told(await prove(service, device, path, other, body)), refused)
  })
})

test("A patient's id of any spelling is compared as text", async () => {
  const other = await registerPerson(service)
  for (const vaPatientId of [` ${person.vaPatientId}`, person.vaPatientId.toUpperCase(), other.vaPatientId]) {
    const challenge = await askChallenge(service)
    const idToken = await va.idToken({ sub: person.subject, nonce: nonceOf(challenge, device.thumbprint) })
    const answer = await prove(service, device, path, challenge, { idToken, challenge, vaPatientId })
    assert.deepStrictEqual([answer.status, answer.json.error], [409, "identity_changed"])
  }
})

/** Other texts of the same signature: the last character of 256 bytes in base64url has four spare bits. */
const otherSpellings = (token: string) => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  const last = alphabet.indexOf(token.at(-1)!)
  return [1, 15].map((spare) => token.slice(0, -1) + alphabet[last | spare])
}

/** The other signature that ECDSA has for the same text: (r, n - s). */
const mirrored = (token: string) => {
  const order = BigInt("0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
  const at = token.lastIndexOf(".") + 1
  const signature = Buffer.from(token.slice(at), "base64url")
  const s = order - BigInt(`0x${signature.subarray(32).toString("hex")}`)
  const mirror = Buffer.concat([signature.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, "0"), "hex")])
  return token.slice(0, at) + mirror.toString("base64url")
}
