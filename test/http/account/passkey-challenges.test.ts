import { createHash } from "node:crypto"
import { assert, describe, test } from "vitest"
import { newAuthenticator } from "../../support/Authenticator.ts"
import { bearer, call, told } from "../../support/Client.ts"
import { askChallenge, letConfirmationPass, newDevice, prove, signInByVa, signInDevice } from "../../support/Device.ts"
import {
  addPasskey,
  appOrigin,
  askNewPasskey,
  confirmByPasskey,
  confirmPath,
  newPasskey,
  passkeyPath,
  passkeysOf,
  passkeysPath,
  sendPasskey,
  signInByPasskey
} from "../../support/Passkeys.ts"
import { openVaApp } from "../../support/VaApp.ts"
import { ask, cancel, forget, rowsOf } from "./Deleting.ts"

/** What a passkey, a challenge and a confirmation are for, and for how long. */

const { database, service, va } = await openVaApp()

const superuser = await database.connect("superuser")

const invalid = [401, "invalid_passkey"]

const usedUp = [401, "invalid_challenge"]

describe("A credential", () => {
  test("of another veteran opens that veteran's record alone, with any handle", async () => {
    const [mine, theirs] = [await signInDevice(service, va), await signInDevice(service, va)]
    const passkey = await newPasskey(service, mine.headers)
    const other = await newPasskey(service, theirs.headers)
    assert.deepStrictEqual(
      told(await signInByPasskey(service, mine.device, { ...passkey, userHandle: other.userHandle })),
      invalid
    )
    assert.deepStrictEqual(told(await signInByPasskey(service, mine.device, { ...passkey, userHandle: "" })), invalid)
    const { json } = await signInByPasskey(service, theirs.device, passkey)
    assert.strictEqual(json.veteran.id, mine.person.id)
  })

  test("is registered once: again for the same veteran and for another is one answer", async () => {
    const [mine, theirs] = [await signInDevice(service, va), await signInDevice(service, va)]
    const passkey = await newPasskey(service, mine.headers)
    const own = await addPasskey(service, mine.headers, passkey)
    const foreign = await addPasskey(service, theirs.headers, passkey)
    assert.deepStrictEqual([told(own), told(foreign)], [[409, "conflict"], [409, "conflict"]])
    assert.strictEqual(own.json.message, foreign.json.message)
    assert.lengthOf(await passkeysOf(service, mine.headers), 1)
    assert.lengthOf(await passkeysOf(service, theirs.headers), 0)
  })

  test("has a name of 60 UTF-16 units, as names have elsewhere", async () => {
    const { headers } = await signInDevice(service, va)
    const sent = async (name: string) =>
      told(await addPasskey(service, headers, newAuthenticator({ origin: appOrigin }), {}, name))
    assert.deepStrictEqual(await sent("😀".repeat(30)), [201, undefined])
    assert.deepStrictEqual(await sent("x".repeat(60)), [201, undefined])
    assert.deepStrictEqual(await sent("x".repeat(61)), [400, "invalid_request"])
    assert.deepStrictEqual(await sent("😀".repeat(31)), [400, "invalid_request"])
    for (const name of ["", "\u200b", "a\0b", "\ud800"]) {
      assert.deepStrictEqual(await sent(name), [400, "invalid_request"], JSON.stringify(name))
    }
  })

  test("is added by six at once five times", async () => {
    const { headers } = await signInDevice(service, va)
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => addPasskey(service, headers, newAuthenticator({ origin: appOrigin })))
    )
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 201, 201, 409])
    assert.lengthOf(await passkeysOf(service, headers), 5)
  })
})

describe("A challenge", () => {
  test("counts for each purpose, and once for all of them", async () => {
    const { device, headers } = await signInDevice(service, va)
    const passkey = await newPasskey(service, headers)
    const at = {
      signIn: (challenge: string) =>
        prove(service, device, passkeyPath, challenge, passkey.get(challenge, passkey.userHandle)),
      confirm: (challenge: string) =>
        prove(service, device, confirmPath, challenge, passkey.get(challenge, passkey.userHandle), headers),
      add: (challenge: string) =>
        sendPasskey(service, headers, newAuthenticator({ origin: appOrigin }).create(challenge))
    }
    const made = {
      askChallenge: () => askChallenge(service),
      askNewPasskey: async () => (await askNewPasskey(service, headers)).challenge
    }
    for (const [from, make] of Object.entries(made)) {
      for (const first of ["signIn", "confirm", "add"] as const) {
        const challenge = await make()
        const answer = await at[first](challenge)
        assert.oneOf(answer.status, [200, 201], `${from} ${first} ${answer.text}`)
        for (const then of ["signIn", "confirm", "add"] as const) {
          assert.deepStrictEqual(told(await at[then](challenge)), usedUp, `${from} ${first} ${then}`)
        }
      }
    }
  })

  test("at the same time for a new passkey, a sign-in and a confirmation counts once", async () => {
    const { device, headers } = await signInDevice(service, va)
    const passkey = await newPasskey(service, headers)
    for (let round = 0; round < 8; round++) {
      const challenge = await askChallenge(service)
      const body = passkey.get(challenge, passkey.userHandle)
      const answers = await Promise.all([
        prove(service, device, passkeyPath, challenge, body),
        sendPasskey(service, headers, newAuthenticator({ origin: appOrigin }).create(challenge)),
        prove(service, device, confirmPath, challenge, body, headers),
        sendPasskey(service, headers, newAuthenticator({ origin: appOrigin }).create(challenge)),
        prove(service, device, passkeyPath, challenge, body)
      ])
      const refused = answers.filter(({ status }) => status > 201)
      assert.lengthOf(refused, 4, `${round}`)
      for (const { json, status } of refused) {
        assert.strictEqual(`${status} ${json.error}`, "401 invalid_challenge")
      }
      for (const { id } of (await passkeysOf(service, headers)).slice(1)) {
        await call(service, "POST", `${passkeysPath}/${id}/remove`, { headers })
      }
    }
  })

  test("is remembered for longer than it counts", async () => {
    const { device, headers } = await signInDevice(service, va)
    const passkey = await newPasskey(service, headers)
    const challenge = await askChallenge(service)
    const body = passkey.get(challenge, passkey.userHandle)
    assert.strictEqual((await prove(service, device, passkeyPath, challenge, body)).status, 200)
    const hash = createHash("sha256").update(`passkey ${challenge}`).digest()
    const { rows } = await superuser.query("select expires_at from spent_tokens where hash = $1", [hash])
    const madeAt = Buffer.from(challenge, "base64url").readUIntBE(0, 6)
    assert.lengthOf(rows, 1)
    assert.isAtLeast(rows[0].expires_at.getTime(), (madeAt + 1200) * 1000)
  })
})

describe("A confirmation", () => {
  test("is of the session whose token and key ask, not of another session of the veteran", async () => {
    const mine = await signInDevice(service, va)
    const passkey = await newPasskey(service, mine.headers)
    const device = await newDevice()
    const begun = await signInByVa(service, va, device, mine.person)
    const other = bearer(begun.json.accessToken)
    await letConfirmationPass(superuser, mine.sessionId)
    await letConfirmationPass(superuser, begun.json.sessionId)
    // The token of one, the key of the other, and the other way round.
    assert.deepStrictEqual(
      told(await confirmByPasskey(service, device, mine.headers, passkey)),
      [401, "invalid_device_proof"]
    )
    assert.deepStrictEqual(
      told(await confirmByPasskey(service, mine.device, other, passkey)),
      [401, "invalid_device_proof"]
    )
    assert.strictEqual((await confirmByPasskey(service, device, other, passkey)).status, 200)
    const fresh = () => newAuthenticator({ origin: appOrigin })
    assert.deepStrictEqual(told(await addPasskey(service, mine.headers, fresh())), [403, "confirmation_required"])
    assert.strictEqual((await addPasskey(service, other, fresh())).status, 201)
  })

  test("may be asked for 20 times an hour by a veteran, on all devices together", async () => {
    const mine = await signInDevice(service, va)
    const begun = await signInByVa(service, va, await newDevice(), mine.person)
    const other = bearer(begun.json.accessToken)
    const passkey = await newPasskey(service, mine.headers)
    const statuses: Array<number> = []
    for (let count = 0; count < 20; count++) {
      const headers = count % 2 === 0 ? mine.headers : other
      statuses.push((await confirmByPasskey(service, mine.device, headers, passkey)).status)
    }
    assert.deepStrictEqual([...new Set(statuses)].sort(), [200, 401])
    assert.deepStrictEqual(told(await confirmByPasskey(service, mine.device, mine.headers, passkey)), [
      429,
      "rate_limited"
    ])
    assert.deepStrictEqual(told(await confirmByPasskey(service, mine.device, other, passkey)), [429, "rate_limited"])
  })

  test("has a body of at most 16 KiB", async () => {
    const { device, headers } = await signInDevice(service, va)
    const passkey = await newPasskey(service, headers)
    const challenge = await askChallenge(service)
    const { credential } = passkey.get(challenge, passkey.userHandle)
    const body = { challenge, credential: { ...credential, signature: "A".repeat(17_000) } }
    assert.deepStrictEqual(told(await prove(service, device, confirmPath, challenge, body, headers)), [
      413,
      "payload_too_large"
    ])
    // Without a token, nothing is told of the body.
    assert.deepStrictEqual(told(await prove(service, device, confirmPath, challenge, body)), [401, "unauthenticated"])
  })
})

test("A signature in its other form is accepted once, because the challenge is used up", async () => {
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const { device, headers } = await signInDevice(service, va)
  const passkey = await newPasskey(service, headers)
  const challenge = await askChallenge(service)
  const body = passkey.get(challenge, passkey.userHandle)
  const der = Buffer.from(body.credential.signature, "base64url")
  const rLength = der[3]!
  const r = der.subarray(2, 4 + rLength)
  const s = BigInt(`0x${der.subarray(6 + rLength).toString("hex")}`)
  let other = Buffer.from((order - s).toString(16).padStart(64, "0"), "hex")
  if (other[0]! > 127) other = Buffer.concat([Buffer.alloc(1), other])
  const whole = Buffer.concat([r, Buffer.from([2, other.length]), other])
  const signature = Buffer.concat([Buffer.from([0x30, whole.length]), whole]).toString("base64url")
  const malleable = { challenge, credential: { ...body.credential, signature } }
  assert.strictEqual((await prove(service, device, passkeyPath, challenge, body)).status, 200)
  assert.deepStrictEqual(told(await prove(service, device, passkeyPath, challenge, malleable)), usedUp)
})

describe("For a veteran who asked for deletion,", () => {
  test("a passkey opens the app, so that the veteran can cancel it", async () => {
    const session = await signInDevice(service, va)
    const passkey = await newPasskey(service, session.headers)
    assert.strictEqual((await ask(service, session)).status, 202)
    const { json, status } = await signInByPasskey(service, await newDevice(), passkey)
    assert.strictEqual(status, 200)
    assert.strictEqual((await cancel(service, { headers: bearer(json.accessToken) })).status, 204)
  })

  test("no passkey is left after 72 hours, and none opens anything from the first step on", async () => {
    const session = await signInDevice(service, va)
    const { device, headers, person } = session
    const passkey = await newPasskey(service, headers)
    await newPasskey(service, headers, -257)
    assert.strictEqual((await rowsOf(superuser, person.id))["veteran_passkeys"], 2)
    assert.strictEqual((await ask(service, session)).status, 202)
    await forget(superuser, database, service, person.id)
    const { veteran_passkeys, veteran_sessions } = await rowsOf(superuser, person.id)
    assert.deepStrictEqual([veteran_passkeys, veteran_sessions], [undefined, undefined])
    const { rowCount } = await superuser.query("select from veteran_passkeys where credential_id = $1", [
      Buffer.from(passkey.id, "base64url")
    ])
    assert.strictEqual(rowCount, 0)
    assert.deepStrictEqual(told(await signInByPasskey(service, device, passkey)), invalid)
    assert.deepStrictEqual(told(await confirmByPasskey(service, device, headers, passkey)), [401, "unauthenticated"])
    // Another veteran may register the credential then.
    const next = await signInDevice(service, va)
    assert.strictEqual((await addPasskey(service, next.headers, passkey)).status, 201)
  })
})
