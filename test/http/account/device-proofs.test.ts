import { generateKeyPair as generateDpopKeys, generateProof } from "dpop"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { call } from "../../support/Client.ts"
import { proofOf, renew, signInDevice, signInPath } from "../../support/Device.ts"
import { exchange } from "../../support/Raw.ts"
import { openVaApp } from "../../support/VaApp.ts"

const { service, va } = await openVaApp()

const path = `${signInPath}/renew`

const { device, sessionId } = await signInDevice(service, va)

const publicJwk = await exportJWK(device.keys.publicKey)

const url = `${service.url}${path}`

const now = () => Math.floor(Date.now() / 1000)

/** A proof as it should be, with changes. */
const proof = (
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
  key = device.keys.privateKey
) =>
  new SignJWT(JSON.parse(JSON.stringify({
    htm: "POST",
    htu: url,
    iat: now(),
    jti: randomUUID(),
    nonce: sessionId,
    ...claims
  }))).setProtectedHeader({ typ: "dpop+jwt", alg: "ES256", jwk: publicJwk, ...header }).sign(key)

const send = (dpop: string | undefined) =>
  call(service, "POST", path, { headers: dpop === undefined ? {} : { dpop }, body: { sessionId } })

const extractable = await generateKeyPair("ES256", { extractable: true })

const p384 = await generateKeyPair("ES384", { extractable: true })

const rsa = await generateKeyPair("RS256", { extractable: true })

const forgeries: Record<string, () => Promise<string | undefined>> = {
  "is missing": async () => undefined,
  "is empty": async () => "",
  "is garbage": async () => "a.b.c",
  "is longer than 4 KiB": () => proof({ more: "m".repeat(4096) }),
  "is for another path": () => proof({ htu: `${service.url}${signInPath}/session` }),
  "is for another host": () => proof({ htu: url.replace("localhost", "127.0.0.1") }),
  "is for another scheme": () => proof({ htu: url.replace("http:", "https:") }),
  "is for an address with a query": () => proof({ htu: `${url}?x=y` }),
  "is for an address with an empty query": () => proof({ htu: `${url}?` }),
  "is for an address with a fragment": () => proof({ htu: `${url}#x` }),
  "is for an address with a slash at its end": () => proof({ htu: `${url}/` }),
  "is without an address": () => proof({ htu: undefined }),
  "is for another method": () => proof({ htm: "GET" }),
  "is for a method in lower case": () => proof({ htm: "post" }),
  "is without a method": () => proof({ htm: undefined }),
  "is three minutes old": () => proof({ iat: now() - 180 }),
  "is from three minutes ahead": () => proof({ iat: now() + 180 }),
  "is without a time": () => proof({ iat: undefined }),
  "has a time that is no number": () => proof({ iat: `${now()}` }),
  "is without an id": () => proof({ jti: undefined }),
  "has an empty id": () => proof({ jti: "" }),
  "is without a nonce": () => proof({ nonce: undefined }),
  "has another nonce": () => proof({ nonce: randomUUID() }),
  "has another type": () => proof({}, { typ: "JWT" }),
  "has no type": () => proof({}, { typ: undefined }),
  "has no key": () => proof({}, { jwk: undefined }),
  "is signed by another key than it shows": () => proof({}, {}, extractable.privateKey as CryptoKey),
  "shows a private key": async () =>
    proof({}, { jwk: await exportJWK(extractable.privateKey) }, extractable.privateKey as CryptoKey),
  "shows a key in another spelling": () => proof({}, { jwk: { ...publicJwk, x: `${publicJwk.x}=` } }),
  "shows a key of another curve": async () =>
    proof({}, { alg: "ES384", jwk: await exportJWK(p384.publicKey) }, p384.privateKey as CryptoKey),
  "is signed with RS256": async () =>
    proof({}, { alg: "RS256", jwk: await exportJWK(rsa.publicKey) }, rsa.privateKey as CryptoKey),
  "has a critical header": async () => {
    const head = { typ: "dpop+jwt", alg: "ES256", jwk: publicJwk, crit: ["x"], x: 1 }
    const [, payload, signature] = (await proof()).split(".")
    return `${Buffer.from(JSON.stringify(head)).toString("base64url")}.${payload}.${signature}`
  },
  "is signed with no algorithm": async () => {
    const [, payload] = (await proof()).split(".")
    const head = { typ: "dpop+jwt", alg: "none", jwk: publicJwk }
    return `${Buffer.from(JSON.stringify(head)).toString("base64url")}.${payload}.`
  },
  "is one of two in a header": async () => `${await proof()}, ${await proof()}`,
  "is made by a library for another algorithm": async () =>
    generateProof(await generateDpopKeys("Ed25519"), url, "POST", sessionId)
}

describe("A proof of the device's key", () => {
  test("of an independent library is accepted, with members that the service does not know", async () => {
    assert.strictEqual((await send((await proofOf(service, device, path, sessionId)).dpop)).status, 200)
    assert.strictEqual((await send(await proof({ ath: "x", exp: 1 }, { kid: "x" }))).status, 200)
    assert.strictEqual((await send(await proof({ iat: now() - 110 }))).status, 200)
    assert.strictEqual((await send(await proof({ iat: now() + 110.5 }))).status, 200)
  })

  test.each(Object.entries(forgeries))("that %s is refused", async (_, make) => {
    const answer = await send(await make())
    const { requestId: __, ...json } = answer.json
    assert.deepStrictEqual([answer.status, json], [401, {
      error: "invalid_device_proof",
      message: "The header 'dpop' is missing or malformed, or it is old, used, for another route or by another key."
    }])
  })

  test("counts once, and the same id counts with another key", async () => {
    const { device: other, sessionId: theirs } = await signInDevice(service, va)
    const jti = randomUUID()
    assert.strictEqual((await send(await proof({ jti }))).status, 200)
    assert.strictEqual((await send(await proof({ jti }))).json.error, "invalid_device_proof")
    const jwk = await exportJWK(other.keys.publicKey)
    const same = await proof({ jti, nonce: theirs }, { jwk }, other.keys.privateKey)
    const answer = await call(service, "POST", path, { headers: { dpop: same }, body: { sessionId: theirs } })
    assert.strictEqual(answer.status, 200)
    assert.strictEqual((await renew(service, device, sessionId)).status, 200)
  })

  test("is refused if the header is sent twice, even with the same good proof", async () => {
    const dpop = await proof()
    const body = JSON.stringify({ sessionId })
    const twice = await exchange(
      service,
      [
        `POST ${path} HTTP/1.1`,
        `host: localhost`,
        "content-type: application/json",
        `content-length: ${body.length}`,
        `dpop: ${dpop}`,
        `dpop: ${dpop}`,
        "connection: close",
        "",
        body
      ].join("\r\n")
    )
    assert.match(twice, /^HTTP\/1\.1 401 /)
    assert.match(twice, /"error":"invalid_device_proof"/)
    assert.strictEqual((await send(dpop)).status, 200)
  })
})
