import { generateKeyPairSync, randomBytes } from "node:crypto"
import { assert, describe, test } from "vitest"
import { newAuthenticator, type Said } from "../../support/Authenticator.ts"
import { told } from "../../support/Client.ts"
import { askChallenge, newDevice, prove, signInDevice } from "../../support/Device.ts"
import {
  appOrigin,
  askNewPasskey,
  type MadePasskey,
  newPasskey,
  passkeyPath,
  passkeysOf,
  sendPasskey
} from "../../support/Passkeys.ts"
import { openVaApp } from "../../support/VaApp.ts"

/** What a stranger tries on the doors of passkeys. */

const { service, va } = await openVaApp()

const invalid = [401, "invalid_passkey"]

/** Signs in by what the passkey says of one challenge. */
const signInAs = async (passkey: MadePasskey, said: (challenge: string) => Said) => {
  const challenge = await askChallenge(service)
  const body = passkey.get(challenge, passkey.userHandle, said(challenge))
  return prove(service, await newDevice(), passkeyPath, challenge, body)
}

const textOf = (challenge: string, type = "webauthn.get") => ({
  type,
  challenge,
  origin: appOrigin,
  crossOrigin: false
})

const members = (challenge: string) => JSON.stringify(textOf(challenge)).slice(1, -1)

describe("A browser's text", () => {
  test.each<[string, (challenge: string) => string]>([
    ["with a byte order mark", (challenge) => `\uFEFF{${members(challenge)}}`],
    ["with a byte behind it", (challenge) => `{${members(challenge)}}x`],
    ["with a NUL behind it", (challenge) => `{${members(challenge)}}\0`],
    ["twice", (challenge) => `{${members(challenge)}}`.repeat(2)],
    ["in a list", (challenge) => `[{${members(challenge)}}]`],
    ["whose last type is another", (challenge) => `{${members(challenge)},"type":"webauthn.create"}`],
    ["whose last challenge is another", (challenge) => `{${members(challenge)},"challenge":"x"}`],
    ["whose last origin is another", (challenge) => `{${members(challenge)},"origin":"https://evil.example"}`],
    ["whose members are a prototype's", (challenge) => `{"__proto__":{${members(challenge)}}}`],
    ["whose origin is a list", (challenge) => JSON.stringify({ ...textOf(challenge), origin: [appOrigin] })],
    ["whose frame is null", (challenge) => JSON.stringify({ ...textOf(challenge), crossOrigin: null })],
    ["whose frame is a word", (challenge) => JSON.stringify({ ...textOf(challenge), crossOrigin: "false" })],
    ["with another spelling of the type", (challenge) => JSON.stringify(textOf(challenge, "WebAuthn.get"))],
    ["that is deep and too long", (challenge) => `{${members(challenge)},"x":${"[".repeat(5000)}${"]".repeat(5000)}}`]
  ])("%s is refused", async (_, textFor) => {
    const { headers } = await signInDevice(service, va)
    const passkey = await newPasskey(service, headers)
    assert.deepStrictEqual(told(await signInAs(passkey, (challenge) => ({ clientText: textFor(challenge) }))), invalid)
    assert.strictEqual((await signInAs(passkey, () => ({}))).status, 200)
  })

  test.each<[string, (challenge: string) => string]>([
    ["with escapes", (challenge) => `{${members(challenge)}}`.replace("webauthn.get", "webauthn\\u002eget")],
    ["with a member that is deep", (challenge) => `{${members(challenge)},"x":${"[".repeat(1800)}${"]".repeat(1800)}}`],
    ["whose last type is right", (challenge) => `{"type":"webauthn.create",${members(challenge)}}`]
  ])("%s says the same, and is signed", async (_, textFor) => {
    const { headers } = await signInDevice(service, va)
    const passkey = await newPasskey(service, headers)
    assert.strictEqual((await signInAs(passkey, (challenge) => ({ clientText: textFor(challenge) }))).status, 200)
  })
})

describe("An authenticator's data", () => {
  test.each<[string, Said]>([
    ["without a counter", { data: (data) => data.subarray(0, 33) }],
    ["with a byte behind the counter", { data: (data) => Buffer.concat([data, Buffer.alloc(1)]) }],
    ["with extensions that are missing", { flags: 0x85 }],
    ["with extensions and a key", { flags: 0xc5, more: Buffer.alloc(100) }],
    ["of 2 KiB and a byte", { flags: 0x85, more: Buffer.alloc(2048 - 36) }]
  ])("%s is refused", async (_, said) => {
    const { headers } = await signInDevice(service, va)
    assert.deepStrictEqual(told(await signInAs(await newPasskey(service, headers), () => said)), invalid)
  })
})

describe("A key that is sent", () => {
  const rsa = (modulusLength: number, publicExponent = 65_537) =>
    generateKeyPairSync("rsa", { modulusLength, publicExponent }).publicKey

  /** DER of a public RSA key with any numbers. No library makes one of 16,384 bits in the time of a test. */
  const spkiOf = (n: Buffer, e: Buffer) => {
    const der = (tag: number, ...parts: ReadonlyArray<Buffer>) => {
      const body = Buffer.concat(parts)
      const size = Buffer.from([body.length >> 8, body.length & 255])
      const head = body.length < 128
        ? [tag, body.length]
        : body.length < 256
        ? [tag, 0x81, body.length]
        : [tag, 0x82, ...size]
      return Buffer.concat([Buffer.from(head), body])
    }
    const unsigned = (bytes: Buffer) => der(2, bytes[0]! > 127 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes)
    const key = der(0x30, unsigned(n), unsigned(e))
    return der(0x30, Buffer.from("300d06092a864886f70d0101010500", "hex"), der(3, Buffer.alloc(1), key))
  }

  const odd = (bits: number) => {
    const n = randomBytes(bits / 8)
    n[0]! |= 128
    n[n.length - 1]! |= 1
    return n
  }

  const f4 = Buffer.from([1, 0, 1])

  test.each<[string, -7 | -257, () => Buffer]>([
    ["of RSA with 1024 bits", -257, () => rsa(1024).export({ format: "der", type: "spki" })],
    ["of RSA with 512 bits", -257, () => spkiOf(odd(512), f4)],
    ["of RSA with 8192 bits", -257, () => spkiOf(odd(8192 - 256), f4)],
    ["of RSA with 16384 bits", -257, () => spkiOf(odd(16_384), f4)],
    ["of RSA with the exponent 1", -257, () => spkiOf(odd(2048), Buffer.from([1]))],
    ["of RSA with the exponent 3", -257, () => spkiOf(odd(2048), Buffer.from([3]))],
    ["of RSA with an exponent of 2048 bits", -257, () => spkiOf(odd(2048), odd(2048))],
    ["of RSA with the modulus 0", -257, () => spkiOf(Buffer.from([0]), f4)],
    ["of EC beside the curve", -7, () => {
      const spki = Buffer.from(newAuthenticator({ origin: appOrigin }).create("x").publicKey, "base64url")
      spki[spki.length - 1]! ^= 1
      return spki
    }],
    ["of EC at infinity", -7, () => Buffer.from("301906072a8648ce3d020106082a8648ce3d03010703020000", "hex")]
  ])("%s is refused", async (_, algorithm, keyOf) => {
    const { headers } = await signInDevice(service, va)
    const publicKey = keyOf()
    const { challenge } = await askNewPasskey(service, headers)
    const made = newAuthenticator({ origin: appOrigin }).create(challenge, { flags: 0xc5 })
    // Its numbers stand in the data, so that only the key itself is at fault.
    const data = Buffer.concat([Buffer.from(made.authenticatorData, "base64url"), publicKey]).toString("base64url")
    const body = { ...made, algorithm, publicKey: publicKey.toString("base64url"), authenticatorData: data }
    assert.deepStrictEqual(told(await sendPasskey(service, headers, body)), invalid)
    assert.deepStrictEqual(await passkeysOf(service, headers), [])
    // Nothing was used up by what was refused.
    assert.strictEqual(
      (await sendPasskey(service, headers, newAuthenticator({ origin: appOrigin }).create(challenge))).status,
      201
    )
  })

  test("and is an RSA key that cannot be right opens nothing, and is no fault of the service", async () => {
    const { headers } = await signInDevice(service, va)
    const { challenge, userHandle } = await askNewPasskey(service, headers)
    const even = odd(2048)
    even[even.length - 1]! &= 254
    const passkey = newAuthenticator({ origin: appOrigin })
    const id = Buffer.from(passkey.id, "base64url")
    // The number stands where a COSE key has it.
    const cose = Buffer.concat([Buffer.alloc(10), even, Buffer.alloc(6)])
    const more = Buffer.concat([Buffer.alloc(17), Buffer.from([id.length]), id, cose])
    const made = passkey.create(challenge, { more })
    const publicKey = spkiOf(even, f4).toString("base64url")
    const added = await sendPasskey(service, headers, { ...made, algorithm: -257, publicKey })
    if (added.status !== 201) return assert.deepStrictEqual(told(added), invalid)
    const next = await askChallenge(service)
    const body = passkey.get(next, userHandle)
    const signature = randomBytes(256).toString("base64url")
    const forged = { challenge: next, credential: { ...body.credential, signature } }
    assert.deepStrictEqual(told(await prove(service, await newDevice(), passkeyPath, next, forged)), invalid)
  })

  test.each([
    ["of zeros", "3006020100020100"],
    ["of two numbers without DER", "11".repeat(64)],
    ["with negative numbers", "30060201ff0201ff"],
    ["of one byte", "30"]
  ])("opens nothing by a signature %s", async (_, hex) => {
    const { device, headers } = await signInDevice(service, va)
    const passkey = await newPasskey(service, headers)
    const challenge = await askChallenge(service)
    const { credential } = passkey.get(challenge, passkey.userHandle)
    const signature = Buffer.from(hex, "hex").toString("base64url")
    const body = { challenge, credential: { ...credential, signature } }
    assert.deepStrictEqual(told(await prove(service, device, passkeyPath, challenge, body)), invalid)
  })
})
