import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server"
import { createPublicKey, generateKeyPairSync, randomBytes } from "node:crypto"
import { assert, describe, test } from "vitest"
import type { NewPasskey, PasskeyAnswer } from "../../../../src/domain/Passkey.ts"
import { checkAnswer, credentialIdOf, readNewPasskey } from "../../../../src/services/account/session/PasskeyCheck.ts"
import { attestationOf, type Authenticator, newAuthenticator, type Said } from "../../../support/Authenticator.ts"

/** `@simplewebauthn/server` judges our check on the same input. */

const origin = "https://app.example.org"

const party = { rpId: "app.example.org", origins: [origin, "https://other.example.org"] }

const challenge = randomBytes(54).toString("base64url")

const userHandle = randomBytes(16)

const passkeys = {
  ES256: newAuthenticator({ origin, rpId: party.rpId }),
  RS256: newAuthenticator({ origin, rpId: party.rpId, algorithm: -257 })
}

const accepts = (check: () => unknown) => {
  try {
    check()
    return true
  } catch {
    return false
  }
}

const oursAnswers = (passkey: Authenticator, answer: PasskeyAnswer, expected = challenge) =>
  accepts(() => {
    if (credentialIdOf(answer).toString("base64url") !== passkey.id) throw new Error()
    const publicKey = Buffer.from(passkey.create(challenge).publicKey, "base64url")
    checkAnswer({ ...answer, challenge: expected }, { publicKey, algorithm: passkey.algorithm, userHandle }, party)
  })

const theirsAnswers = ({ cose, id }: Authenticator, { credential }: PasskeyAnswer, expected = challenge) =>
  verifyAuthenticationResponse({
    response: {
      id: credential.id,
      rawId: credential.id,
      type: "public-key",
      clientExtensionResults: {},
      response: credential
    },
    expectedChallenge: expected,
    expectedOrigin: party.origins,
    expectedRPID: party.rpId,
    credential: { id, publicKey: new Uint8Array(cose), counter: 0 },
    requireUserVerification: true
  }).then(({ verified }) => verified, () => false)

const oursReads = (made: NewPasskey, expected = challenge) =>
  accepts(() => readNewPasskey({ ...made, challenge: expected }, party))

const theirsReads = (made: NewPasskey, expected = challenge) =>
  verifyRegistrationResponse({
    response: {
      id: made.credentialId,
      rawId: made.credentialId,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        attestationObject: attestationOf(made.authenticatorData).toString("base64url"),
        clientDataJSON: made.clientDataJSON
      }
    },
    expectedChallenge: expected,
    expectedOrigin: party.origins,
    expectedRPID: party.rpId,
    requireUserVerification: true
  }).then(({ verified }) => verified, () => false)

const text = (type: string, more: string, said: Record<string, unknown> = {}) =>
  JSON.stringify({ type, challenge, origin, crossOrigin: false, ...said }).replace(/}$/, `${more}}`)

const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`

/** The judge looks for it in answers alone. */
const framed = { "from a frame within another site": { clientData: { topOrigin: "https://evil.example" } } }

/** What is signed, but wrong: both refuse it. */
const wrong = (type: string): Record<string, Said> => ({
  "of the other ceremony": {
    clientData: { type: type === "webauthn.get" ? "webauthn.create" : "webauthn.get" }
  },
  "of no ceremony": { clientData: { type: "" } },
  "to another challenge": { clientData: { challenge: randomBytes(54).toString("base64url") } },
  "to a challenge with padding": { clientData: { challenge: `${challenge}=` } },
  "to a challenge in another alphabet": { clientData: { challenge: `${challenge.slice(0, -1)}+` } },
  "to no challenge": { clientData: { challenge: "" } },
  "from another origin": { clientData: { origin: "https://evil.example" } },
  "from another port": { clientData: { origin: `${origin}:8443` } },
  "over http": { clientData: { origin: "http://app.example.org" } },
  "from a longer origin": { clientData: { origin: `${origin}.evil.example` } },
  "from an origin with a slash": { clientData: { origin: `${origin}/` } },
  "from an origin in capitals": { clientData: { origin: "https://APP.example.org" } },
  "from no origin": { clientData: { origin: "null" } },
  ...(type === "webauthn.get" ? framed : {}),
  "for another host": { rpId: "evil.example" },
  "for a part of the host": { rpId: "example.org" },
  "without presence": { flags: type === "webauthn.get" ? 0x04 : 0x44 },
  "without verification": { flags: type === "webauthn.get" ? 0x01 : 0x41 },
  "without any flag": { flags: 0 },
  "that is backed up and may not be": { flags: type === "webauthn.get" ? 0x15 : 0x55 },
  "cut short": { data: (data) => data.subarray(0, 36) },
  "that is empty": { data: () => Buffer.alloc(0) },
  "with more behind it": { data: (data) => Buffer.concat([data, Buffer.alloc(3)]) },
  "whose text is no JSON": { clientText: "{" },
  "whose text has a byte behind it": { clientText: `${text(type, "")}x` },
  "whose text has a NUL behind it": { clientText: `${text(type, "")}\0` },
  "whose text is there twice": { clientText: text(type, "").repeat(2) },
  "whose text is a list": { clientText: `[${text(type, "")}]` },
  "whose text is null": { clientText: "null" },
  "whose members are a prototype's": { clientText: `{"__proto__":${text(type, "")}}` },
  "whose type has another spelling": { clientData: { type: type.replace("webauthn", "WebAuthn") } },
  "whose last type is another": { clientText: text(type, ",\"type\":\"payment.get\"") },
  "whose last challenge is another": { clientText: text(type, ",\"challenge\":\"x\"") },
  "whose last origin is another": { clientText: text(type, ",\"origin\":\"https://evil.example\"") },
  "whose origin is a list": { clientData: { origin: [origin] } }
})

/** What is signed, and that the judge accepts. The contract does not. */
const stricter = (type: string): Record<string, Said> => ({
  "from a frame of another origin": { clientData: { crossOrigin: true } },
  "from a frame that is null": { clientData: { crossOrigin: null } },
  "from a frame that is a word": { clientData: { crossOrigin: "false" } },
  "whose text is deep and too long": { clientText: text(type, `,"x":${deep(5000)}`) },
  ...(type === "webauthn.create" ? framed : {}),
  "whose text begins with a byte order mark": { clientText: `\uFEFF${text(type, "")}` },
  "whose text is no UTF-8": {
    clientText: Buffer.concat([Buffer.from(text(type, "").slice(0, -1)), Buffer.from(",\"a\":\"\xFF\"}", "latin1")])
  }
})

/** What is signed, and odd but right. */
const odd = (type: string): Record<string, Said> => ({
  "as it is": {},
  "from the other origin of the app": { clientData: { origin: "https://other.example.org" } },
  "without a word about frames": { clientText: JSON.stringify({ type, challenge, origin }) },
  "with members of later browsers": { clientData: { other_keys_can_be_added_here: "…", tokenBinding: undefined } },
  "that may be backed up": { flags: type === "webauthn.get" ? 0x0d : 0x4d },
  "that is backed up": { flags: type === "webauthn.get" ? 0x1d : 0x5d },
  "with white space": { clientText: ` ${text(type, "\n")}` },
  "with escapes": { clientText: text(type, "").replace("webauthn.", "webauthn\\u002e") },
  "with a member that is deep": { clientText: text(type, `,"x":${deep(1800)}`) },
  "whose last type is right": { clientText: text(type, "").replace("{", "{\"type\":\"payment.get\",") }
})

describe.each(Object.entries(passkeys))("An answer of a passkey with %s", (_, passkey) => {
  const get = (said: Said = {}) => passkey.get(challenge, userHandle.toString("base64url"), said)

  test.each(Object.entries(odd("webauthn.get")))("%s is accepted, as the judge does", async (_, said) => {
    assert.deepStrictEqual([oursAnswers(passkey, get(said)), await theirsAnswers(passkey, get(said))], [true, true])
  })

  test.each(Object.entries(wrong("webauthn.get")))("%s is refused, as the judge does", async (_, said) => {
    assert.deepStrictEqual([oursAnswers(passkey, get(said)), await theirsAnswers(passkey, get(said))], [false, false])
  })

  test.each(Object.entries(stricter("webauthn.get")))(
    "%s is refused, although the judge accepts it",
    async (_, said) => {
      assert.deepStrictEqual([oursAnswers(passkey, get(said)), await theirsAnswers(passkey, get(said))], [false, true])
    }
  )

  test("is refused with any bit changed in what is signed or in the signature, as the judge does", async () => {
    const right = get()
    for (const member of ["authenticatorData", "clientDataJSON", "signature"] as const) {
      const bytes = Buffer.from(right.credential[member], "base64url")
      for (let round = 0; round < 12; round++) {
        const spoilt = Buffer.from(bytes)
        spoilt[Math.floor(round / 12 * bytes.length)]! ^= 1 << (round % 8)
        const answer = { ...right, credential: { ...right.credential, [member]: spoilt.toString("base64url") } }
        assert.deepStrictEqual(
          [oursAnswers(passkey, answer), await theirsAnswers(passkey, answer)],
          [false, false],
          `${member} ${round}`
        )
      }
    }
  })

  test("is refused by another key, to another challenge, and for another handle", async () => {
    const right = get()
    const other = newAuthenticator({ origin, rpId: party.rpId, algorithm: passkey.algorithm })
    const forged = other.get(challenge, userHandle.toString("base64url"))
    const answer = { ...forged, credential: { ...forged.credential, id: passkey.id } }
    assert.deepStrictEqual([oursAnswers(passkey, answer), await theirsAnswers(passkey, answer)], [false, false])
    const later = randomBytes(54).toString("base64url")
    assert.deepStrictEqual(
      [oursAnswers(passkey, right, later), await theirsAnswers(passkey, right, later)],
      [false, false]
    )
    assert.isFalse(oursAnswers(passkey, passkey.get(challenge, randomBytes(16).toString("base64url"))))
  })

  test.each([
    ["of zeros", "3006020100020100"],
    ["of two numbers without DER", "11".repeat(64)],
    ["with negative numbers", "30060201ff0201ff"],
    ["of one byte", "30"]
  ])("is refused with a signature %s", (_, hex) => {
    const { credential } = get()
    const signature = Buffer.from(hex, "hex").toString("base64url")
    assert.isFalse(oursAnswers(passkey, { challenge, credential: { ...credential, signature } }))
  })

  test.each(["id", "authenticatorData", "clientDataJSON", "signature", "userHandle"] as const)(
    "is refused if '%s' is empty, padded, in another alphabet, or too long",
    (member) => {
      const { credential } = get()
      const value = credential[member]
      for (
        const spoilt of ["", `${value}=`, `${value}==`, `${value} `, `\n${value}`, `+${value}`, value.repeat(3000)]
      ) {
        assert.isFalse(oursAnswers(passkey, { challenge, credential: { ...credential, [member]: spoilt } }))
      }
    }
  )
})

test("Extensions that nobody asked for may follow, and a key may not", async () => {
  const passkey = passkeys.ES256
  const get = (said: Said) => passkey.get(challenge, userHandle.toString("base64url"), said)
  const extended = get({ flags: 0x85, more: Buffer.from("a0", "hex") })
  assert.deepStrictEqual([oursAnswers(passkey, extended), await theirsAnswers(passkey, extended)], [true, true])
  assert.isTrue(oursAnswers(passkey, get({ flags: 0x85, more: Buffer.alloc(2048 - 37) })))
  assert.isFalse(oursAnswers(passkey, get({ flags: 0x85, more: Buffer.alloc(2048 - 36) })))
  assert.isFalse(oursAnswers(passkey, get({ flags: 0x85 })))
  assert.isFalse(oursAnswers(passkey, get({ flags: 0x45, more: Buffer.alloc(60) })))
})

describe.each(Object.entries(passkeys))("A new passkey with %s", (_, passkey) => {
  const create = (said: Said = {}) => passkey.create(challenge, said)

  test.each(Object.entries(odd("webauthn.create")))("%s is accepted, as the judge does", async (_, said) => {
    assert.deepStrictEqual([oursReads(create(said)), await theirsReads(create(said))], [true, true])
  })

  test.each(Object.entries(wrong("webauthn.create")))("%s is refused, as the judge does", async (_, said) => {
    assert.deepStrictEqual([oursReads(create(said)), await theirsReads(create(said))], [false, false])
  })

  test.each(Object.entries(stricter("webauthn.create")))("%s is refused, although the judge accepts it", (_, said) => {
    assert.isFalse(oursReads(create(said)))
  })

  test("is refused if its data hold another credential, another key, or no key", () => {
    const right = create()
    const other = newAuthenticator({ origin, rpId: party.rpId, algorithm: passkey.algorithm }).create(challenge)
    for (const member of ["credentialId", "publicKey", "authenticatorData"] as const) {
      assert.isFalse(oursReads({ ...right, [member]: other[member] }), member)
    }
    assert.isFalse(oursReads(create({ flags: 0x05, more: Buffer.alloc(0) })))
    assert.isFalse(oursReads(create({ more: Buffer.alloc(0) })))
    assert.isFalse(oursReads(create({ more: Buffer.alloc(17) })))
    assert.isFalse(oursReads(create({ data: (data) => data.subarray(0, -1) })))
  })
})

describe("A key of a new passkey", () => {
  // What would be extensions may follow the key.
  const made = passkeys.ES256.create(challenge, { flags: 0xc5 })

  const spkiOf = (type: string, options?: unknown): Buffer =>
    (generateKeyPairSync as (...key: ReadonlyArray<unknown>) => any)(type, options).publicKey
      .export({ format: "der", type: "spki" })

  /** DER of a public RSA key with any numbers. No library makes one of 16,384 bits in the time of a test. */
  const rsaOf = (n: Buffer, e: Buffer) => {
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

  /** A number of this many bits, whose last bit is `last`. */
  const numberOf = (bits: number, last = 1) => {
    const n = randomBytes(bits / 8)
    n[0]! |= 128
    n[n.length - 1] = n[n.length - 1]! & 254 | last
    return n
  }

  const f4 = Buffer.from([1, 0, 1])

  const numbersOf = (key: Buffer) => {
    try {
      const { n = "", x = "", y = "" } = createPublicKey({ key, format: "der", type: "spki" }).export({ format: "jwk" })
      return Buffer.concat([n, x, y].map((number) => Buffer.from(number, "base64url")))
    } catch {
      return key
    }
  }

  test.each(
    [
      ["of another curve", -7, () => spkiOf("ec", { namedCurve: "secp256k1" })],
      ["of a longer curve", -7, () => spkiOf("ec", { namedCurve: "P-384" })],
      ["for Ed25519", -7, () => spkiOf("ed25519")],
      ["of RSA that is too short", -257, () => spkiOf("rsa", { modulusLength: 1024 })],
      ["of RSA with the exponent 3", -257, () => spkiOf("rsa", { modulusLength: 2048, publicExponent: 3 })],
      ["of RSA with the exponent 1", -257, () => rsaOf(numberOf(2048), Buffer.from([1]))],
      ["of RSA with an exponent of 2048 bits", -257, () => rsaOf(numberOf(2048), numberOf(2048))],
      ["of RSA with the modulus 0", -257, () => rsaOf(Buffer.from([0]), f4)],
      ["of RSA with 512 bits", -257, () => rsaOf(numberOf(512), f4)],
      ["of RSA with 7680 bits", -257, () => rsaOf(numberOf(7680), f4)],
      ["of RSA with 16384 bits", -257, () => rsaOf(numberOf(16_384), f4)],
      ["of EC at infinity", -7, () => Buffer.from("301906072a8648ce3d020106082a8648ce3d03010703020000", "hex")],
      ["of EC beside the curve", -7, () => {
        const spki = Buffer.from(made.publicKey, "base64url")
        spki[spki.length - 1]! ^= 1
        return spki
      }],
      ["of RSA-PSS", -257, () => spkiOf("rsa-pss", { modulusLength: 2048 })],
      ["of the other algorithm", -257, () => spkiOf("ec", { namedCurve: "P-256" })],
      ["that is private", -7,
        () => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "der", type: "pkcs8" })],
      ["with a byte behind it", -7, () => Buffer.concat([Buffer.from(made.publicKey, "base64url"), Buffer.alloc(1)])],
      ["with a length of 2 GB", -7, () => Buffer.from("30847fffffff", "hex")],
      ["nested a hundred times", -7, () => Buffer.from("3080".repeat(100), "hex")],
      ["of a kilobyte of nothing", -7, () => Buffer.alloc(1024)]
    ] as const
  )("%s is refused", (_, algorithm, key) => {
    const publicKey = key() as Buffer
    // The numbers of the key stand where a COSE key has them, so that only the key itself is at fault.
    const head = Buffer.from(made.authenticatorData, "base64url").subarray(0, 37 + 18 + 16)
    const data = Buffer.concat([head, Buffer.alloc(10), numbersOf(publicKey), Buffer.alloc(100)])
    const sent = { ...made, algorithm, publicKey: publicKey.toString("base64url") }
    assert.isFalse(oursReads({ ...sent, authenticatorData: data.toString("base64url") }))
  })

  test("with an even modulus opens nothing", () => {
    const answer = passkeys.RS256.get(challenge, userHandle.toString("base64url"))
    const publicKey = rsaOf(numberOf(2048, 0), f4)
    assert.isFalse(accepts(() => checkAnswer(answer, { publicKey, algorithm: -257, userHandle }, party)))
  })

  test("and credential of the greatest length are accepted", async () => {
    const longest = newAuthenticator({ origin, rpId: party.rpId, algorithm: -257, bits: 4096, idLength: 1023 })
    const right = longest.create(challenge)
    assert.deepStrictEqual([oursReads(right), await theirsReads(right)], [true, true])
    const answer = longest.get(challenge, userHandle.toString("base64url"))
    assert.deepStrictEqual([oursAnswers(longest, answer), await theirsAnswers(longest, answer)], [true, true])
  })
})
