import { createHash, randomBytes, randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { newAuthenticator } from "../../support/Authenticator.ts"
import { asAdmin, bearer, call, signInVeteran, told } from "../../support/Client.ts"
import {
  askChallenge,
  atVa,
  letConfirmationPass,
  newDevice,
  proofOf,
  prove,
  renew,
  signInByVa,
  signInDevice,
  signInPath
} from "../../support/Device.ts"
import {
  addPasskey,
  appOrigin,
  askNewPasskey,
  confirmByPasskey,
  confirmPath,
  newPasskey,
  passkeyPath,
  passkeysOf,
  sendPasskey,
  signInByPasskey
} from "../../support/Passkeys.ts"
import { until } from "../../support/Until.ts"
import { ask, cancel, forget, rowsOf } from "./Deleting.ts"
import { newAddress, openSignIns } from "./SignIns.ts"

// What makes an answer of a browser right or wrong is tested in test/services/account/session/PasskeyCheck.test.ts.

const { database, eventsOf, get, mailed, mailsTo, post, service, superuser, va } = await openSignIns()

const fresh = () => newAuthenticator({ origin: appOrigin })

const sessions = async (veteranId: string) =>
  (await superuser.query("select id from veteran_sessions where veteran_id = $1 and ended_at is null", [veteranId]))
    .rowCount

describe("A new passkey", () => {
  test("is made with a challenge, the veteran's handle and the app's host, and is listed", async () => {
    const { headers, person } = await signInDevice(service, va)
    const asked = await askNewPasskey(service, headers)
    assert.deepStrictEqual(Object.keys(asked), ["challenge", "userHandle", "rpId", "exclude"])
    assert.match(asked.challenge, /^[\w-]{72}$/)
    assert.deepStrictEqual(
      [asked.userHandle, asked.rpId, asked.exclude],
      [Buffer.from(person.id.replaceAll("-", ""), "hex").toString("base64url"), "localhost", []]
    )
    const passkey = fresh()
    const { json, status } = await sendPasskey(service, headers, passkey.create(asked.challenge, {}, "My phone"))
    const { createdAt, id, ...rest } = json
    assert.deepStrictEqual([status, rest], [201, { name: "My phone", lastUsedAt: null }])
    assert.isAtMost(Math.abs(Date.parse(createdAt) - Date.now()), 60_000)
    assert.deepStrictEqual((await get("/passkeys", headers)).json, {
      items: [{ id, name: "My phone", createdAt, lastUsedAt: null }],
      nextCursor: null
    })
    const again = await askNewPasskey(service, headers)
    assert.deepStrictEqual([again.userHandle, again.exclude], [asked.userHandle, [passkey.id]])
    assert.notStrictEqual(again.challenge, asked.challenge)
  })

  test("that needs a confirmation does not use up its challenge", async () => {
    const { device, headers, person, sessionId } = await signInDevice(service, va)
    await letConfirmationPass(superuser, sessionId)
    const { challenge } = await askNewPasskey(service, headers)
    const made = fresh().create(challenge)
    assert.deepStrictEqual(told(await sendPasskey(service, headers, made)), [403, "confirmation_required"])
    const signedIn = await atVa(service, va, device, person)
    await prove(service, device, confirmPath, signedIn.challenge, signedIn, headers)
    assert.strictEqual((await sendPasskey(service, headers, made)).status, 201)
  })

  test("answers a challenge of this service", async () => {
    const { headers } = await signInDevice(service, va)
    const { challenge } = await askNewPasskey(service, headers)
    for (const foreign of ["", "x", randomBytes(54).toString("base64url"), `${challenge}=`]) {
      const answer = await sendPasskey(service, headers, fresh().create(foreign))
      assert.deepStrictEqual(told(answer), [401, "invalid_challenge"], foreign)
    }
  })

  test("is refused if its text or its key is wrong, which uses up nothing", async () => {
    const { headers } = await signInDevice(service, va)
    const { challenge } = await askNewPasskey(service, headers)
    const passkey = fresh()
    const wrong = [
      passkey.create(challenge, { clientData: { origin: "https://evil.example" } }),
      passkey.create(challenge, { clientText: "{".repeat(2000) }),
      { ...passkey.create(challenge), publicKey: "AAAA" }
    ]
    for (const made of wrong) {
      assert.deepStrictEqual(told(await sendPasskey(service, headers, made)), [401, "invalid_passkey"])
    }
    assert.deepStrictEqual(await passkeysOf(service, headers), [])
    assert.strictEqual((await sendPasskey(service, headers, passkey.create(challenge))).status, 201)
  })

  test("has a known algorithm, a name of at most 60 UTF-16 units, and no other members", async () => {
    const { headers } = await signInDevice(service, va)
    const { challenge } = await askNewPasskey(service, headers)
    const body = fresh().create(challenge)
    const names = ["x".repeat(61), "😀".repeat(31), "", " ", "\u200b", "a\0b", "\ud800"].map((name) => ({ name }))
    for (const changes of [...names, { algorithm: -8 }, { more: 1 }, { publicKey: null }]) {
      const answer = await sendPasskey(service, headers, { ...body, ...changes })
      assert.deepStrictEqual(told(answer), [400, "invalid_request"], JSON.stringify(changes))
    }
    const large = await sendPasskey(service, headers, { ...body, authenticatorData: "A".repeat(70_000) })
    assert.deepStrictEqual(told(large), [413, "payload_too_large"])
    assert.deepStrictEqual(told(await post("/passkeys/challenge", headers, { more: 1 })), [400, "invalid_request"])
    assert.strictEqual((await sendPasskey(service, headers, { ...body, name: "😀".repeat(30) })).status, 201)
    assert.strictEqual((await addPasskey(service, headers, fresh(), {}, "x".repeat(60))).status, 201)
  })

  test("is one of five at most, and is registered once: again for the same veteran and for another is one answer", async () => {
    const { headers } = await signInDevice(service, va)
    const other = await signInDevice(service, va)
    const [own, theirs] = [await newPasskey(service, headers), await newPasskey(service, other.headers)]
    const [again, foreign] = [await addPasskey(service, headers, own), await addPasskey(service, headers, theirs)]
    assert.deepStrictEqual([told(again), told(foreign)], [[409, "conflict"], [409, "conflict"]])
    assert.strictEqual(again.json.message, foreign.json.message)
    for (let count = 2; count <= 5; count++) await newPasskey(service, headers)
    const sixth = fresh()
    assert.deepStrictEqual(told(await addPasskey(service, headers, sixth)), [409, "conflict"])
    assert.strictEqual((await post(`/passkeys/${own.passkeyId}/remove`, headers)).status, 204)
    assert.strictEqual((await addPasskey(service, headers, sixth)).status, 201)
    assert.lengthOf(await passkeysOf(service, other.headers), 1)
  })

  test("and its removal are mailed and in the account of disclosures, and the name is sealed", async () => {
    const address = newAddress()
    const { headers, person } = await signInDevice(service, va, undefined, address)
    const { passkeyId } = await newPasskey(service, headers)
    const { rows: [row] } = await superuser.query("select * from veteran_passkeys where id = $1", [passkeyId])
    assert.notInclude(JSON.stringify(Object.values(row).map(String)), "My phone")
    assert.strictEqual((await post(`/passkeys/${passkeyId}/remove`, headers)).status, 204)
    const mails = [
      ...await mailed(address, 1, "A passkey was added"),
      ...await mailed(address, 1, "A passkey was removed")
    ]
    assert.notInclude(mails.map(({ raw }) => raw).join(), "My phone")
    const [removed, added] = await eventsOf(headers)
    assert.deepStrictEqual([removed, added], [
      ["passkey_removed", "veteran", undefined, "You removed a passkey."],
      [
        "passkey_added",
        "veteran",
        undefined,
        "You added a passkey: a face, a fingerprint or a screen lock opens your record."
      ]
    ])
    assert.strictEqual((await get("/passkeys", headers)).json.items.length, 0)
    assert.deepStrictEqual(told(await post(`/passkeys/${passkeyId}/remove`, headers)), [404, "not_found"])
    assert.strictEqual(await sessions(person.id), 1)
  })
})

describe("A sign-in with a passkey", () => {
  test.each([-7, -257] as const)("of algorithm %d opens the record, on a device that is new too", async (algorithm) => {
    const address = newAddress()
    const { headers, person } = await signInDevice(service, va, "My phone", address)
    const passkey = await newPasskey(service, headers, algorithm)
    const device = await newDevice()
    const { json, status } = await signInByPasskey(service, device, passkey)
    const { accessToken, confirmedUntil, previousSessionAt, sessionEndsAt, sessionId, ...rest } = json
    assert.deepStrictEqual([status, rest], [200, {
      tokenType: "Bearer",
      expiresIn: 900,
      veteran: { id: person.id, callSign: "Eagle" }
    }])
    assert.isAtMost(Math.abs(Date.parse(confirmedUntil) - Date.now() - 300_000), 60_000)
    assert.isAtMost(Math.abs(Date.parse(sessionEndsAt) - Date.now() - 12 * 3_600_000), 60_000)
    assert.isBelow(Date.parse(previousSessionAt), Date.now())
    assert.strictEqual((await get("/health-record", bearer(accessToken))).status, 200)
    assert.strictEqual((await renew(service, device, sessionId)).status, 200)
    const { items } = (await get("/sessions", bearer(accessToken))).json
    assert.deepStrictEqual([items[0].how, items[0].deviceName, items[0].current], ["passkey", null, true])
    assert.isNotNull((await get("/passkeys", headers)).json.items[0].lastUsedAt)
    assert.deepStrictEqual((await eventsOf(headers))[0], [
      "session_started",
      "veteran",
      "passkey",
      "You signed in with your face, fingerprint or passkey."
    ])
    await mailed(address, 2, "A new device signed in")
  })

  test("on a device that is known keeps the device's name, and mails nothing", async () => {
    const address = newAddress()
    const { device, headers, person } = await signInDevice(service, va, "My phone", address)
    const passkey = await newPasskey(service, headers)
    await mailed(address, 1, "A new device signed in")
    const { json } = await signInByPasskey(service, device, passkey)
    const { items: [first] } = (await get("/sessions", bearer(json.accessToken))).json
    assert.deepStrictEqual([first.how, first.deviceName], ["passkey", "My phone"])
    await until("the outbox has nothing for the veteran", async () => {
      const { rows } = await superuser.query("select id from outbox where subject_id = $1", [person.id])
      return rows.length === 0
    })
    assert.lengthOf(await mailsTo(address, "A new device signed in"), 1)
  })

  test("has a challenge of ours that is not over, and a proof for it", async () => {
    const { device, headers } = await signInDevice(service, va)
    const passkey = await newPasskey(service, headers)
    const challenge = await askChallenge(service)
    const foreign = randomBytes(54).toString("base64url")
    assert.deepStrictEqual(
      told(await prove(service, device, passkeyPath, foreign, passkey.get(foreign, passkey.userHandle))),
      [401, "invalid_challenge"]
    )
    const body = passkey.get(challenge, passkey.userHandle)
    const invalid = [401, "invalid_device_proof"]
    assert.deepStrictEqual(told(await call(service, "POST", passkeyPath, { body })), invalid)
    assert.deepStrictEqual(told(await prove(service, device, passkeyPath, foreign, body)), invalid)
    const elsewhere = await proofOf(service, device, `${signInPath}/renew`, challenge)
    assert.deepStrictEqual(told(await call(service, "POST", passkeyPath, { headers: elsewhere, body })), invalid)
    const headersOnce = await proofOf(service, device, passkeyPath, challenge)
    assert.strictEqual((await call(service, "POST", passkeyPath, { headers: headersOnce, body })).status, 200)
    const next = await askChallenge(service)
    assert.deepStrictEqual(
      told(
        await call(service, "POST", passkeyPath, { headers: headersOnce, body: passkey.get(next, passkey.userHandle) })
      ),
      invalid
    )
  })

  test("that is wrong in any way has one answer", async () => {
    const { device, headers, person } = await signInDevice(service, va)
    const passkey = await newPasskey(service, headers)
    const other = await newPasskey(service, (await signInDevice(service, va)).headers)
    const { id, userHandle } = passkey
    const stranger = fresh()
    const changed = (challenge: string, changes: object) => {
      const { credential } = passkey.get(challenge, userHandle)
      return { challenge, credential: { ...credential, ...changes } }
    }
    const wrong: Record<string, (challenge: string) => unknown> = {
      "unknown": (challenge) => stranger.get(challenge, userHandle),
      "with another's handle": (challenge) => passkey.get(challenge, other.userHandle),
      "without a handle": (challenge) => passkey.get(challenge, ""),
      "of another origin": (challenge) =>
        passkey.get(challenge, userHandle, { clientData: { origin: `${appOrigin}.evil.example` } }),
      "with a text that is no JSON": (challenge) => passkey.get(challenge, userHandle, { clientText: "{" }),
      "unverified": (challenge) => passkey.get(challenge, userHandle, { flags: 1 }),
      "of another challenge": (challenge) => ({
        ...passkey.get(randomBytes(54).toString("base64url"), userHandle),
        challenge
      }),
      "signed by another": (challenge) => changed(challenge, { ...stranger.get(challenge, userHandle).credential, id }),
      "signed by no signature": (challenge) => changed(challenge, { signature: "MAYCAf8CAf8" }),
      "huge": (challenge) => changed(challenge, { authenticatorData: "A".repeat(14_000) })
    }
    for (const [name, bodyOf] of Object.entries(wrong)) {
      const challenge = await askChallenge(service)
      const { json, status } = await prove(service, device, passkeyPath, challenge, bodyOf(challenge))
      const { requestId: _, ...told } = json
      assert.deepStrictEqual([status, told], [401, {
        error: "invalid_passkey",
        message: "The passkey could not be checked, or is not known here any more: sign in at the VA."
      }], name)
    }
    assert.strictEqual(await sessions(person.id), 1)
  })

  test("has a body of at most 16 KiB, and no other members", async () => {
    const { device, headers } = await signInDevice(service, va)
    const passkey = await newPasskey(service, headers)
    const challenge = await askChallenge(service)
    const { credential } = passkey.get(challenge, passkey.userHandle)
    const send = (body: unknown) => prove(service, device, passkeyPath, challenge, body)
    assert.deepStrictEqual(told(await send({ challenge, credential, device: { name: "x" } })), [400, "invalid_request"])
    assert.deepStrictEqual(
      told(await send({ challenge, credential: { ...credential, type: "public-key" } })),
      [400, "invalid_request"]
    )
    assert.deepStrictEqual(
      told(await send({ challenge, credential: { ...credential, signature: null } })),
      [400, "invalid_request"]
    )
    assert.deepStrictEqual(
      told(await send({ challenge, credential: { ...credential, signature: "A".repeat(17_000) } })),
      [413, "payload_too_large"]
    )
    assert.strictEqual((await send({ challenge, credential })).status, 200)
  })

  test("is not possible after the passkey was removed", async () => {
    const { device, headers } = await signInDevice(service, va)
    const passkey = await newPasskey(service, headers)
    const begun = await signInByPasskey(service, device, passkey)
    assert.strictEqual((await post(`/passkeys/${passkey.passkeyId}/remove`, headers)).status, 204)
    assert.deepStrictEqual(told(await signInByPasskey(service, device, passkey)), [401, "invalid_passkey"])
    assert.strictEqual((await get("", bearer(begun.json.accessToken))).status, 200)
  })

  test.each([
    ["the operator removed the veteran's account of the VA", async (id: string) => {
      const path = `/api/admin/veterans/${id}/identities`
      const { json: { items } } = await call(service, "GET", path, { headers: asAdmin })
      return call(service, "POST", `${path}/${items[0].id}/remove`, { headers: asAdmin })
    }],
    ["the operator ended all access", (id: string) =>
      call(service, "POST", `/api/admin/veterans/${id}/end-access`, { headers: asAdmin, body: {} })],
    ["the operator changed the veteran's number", (id: string) =>
      call(service, "PATCH", `/api/admin/veterans/${id}`, {
        headers: asAdmin,
        body: { vaPatientId: `icn-${randomUUID()}` }
      })]
  ])("is not possible after %s", async (_, act) => {
    const { device, headers, person } = await signInDevice(service, va)
    const passkey = await newPasskey(service, headers)
    assert.oneOf((await act(person.id)).status, [200, 204])
    assert.deepStrictEqual(told(await signInByPasskey(service, device, passkey)), [401, "invalid_passkey"])
    const { rows } = await superuser.query("select id from veteran_passkeys where veteran_id = $1", [person.id])
    assert.lengthOf(rows, 0)
    const removed = await superuser.query(
      "select event -> 'actor' ->> 'kind' as kind from proofs where veteran_id = $1 and kind = 'passkey_removed'",
      [person.id]
    )
    assert.deepStrictEqual(removed.rows, [{ kind: "service" }])
  })

  test("is not possible for a veteran without an account of the VA, even with a passkey that is left", async () => {
    const { device, headers, person } = await signInDevice(service, va)
    const passkey = await newPasskey(service, headers)
    await superuser.query("delete from veteran_identities where veteran_id = $1", [person.id])
    assert.deepStrictEqual(told(await signInByPasskey(service, device, passkey)), [401, "invalid_passkey"])
    assert.deepStrictEqual(told(await confirmByPasskey(service, device, headers, passkey)), [401, "invalid_passkey"])
  })
})

describe("A confirmation with a passkey", () => {
  test("confirms this session, whose signer is then said to be confirmed by it", async () => {
    const { device, headers, sessionId } = await signInDevice(service, va)
    const passkey = await newPasskey(service, headers)
    await letConfirmationPass(superuser, sessionId)
    const { json, status } = await confirmByPasskey(service, device, headers, passkey)
    assert.deepStrictEqual([status, Object.keys(json)], [200, ["confirmedUntil"]])
    assert.isAtMost(Math.abs(Date.parse(json.confirmedUntil) - Date.now() - 300_000), 60_000)
    const { rows: [row] } = await superuser.query("select how, confirmed_how from veteran_sessions where id = $1", [
      sessionId
    ])
    assert.deepStrictEqual(row, { how: "va", confirmed_how: "passkey" })
    assert.strictEqual((await addPasskey(service, headers, fresh())).status, 201)
  })

  test("is of the session whose token and key ask, by its veteran's passkey, while it lives", async () => {
    const [mine, theirs] = [await signInDevice(service, va), await signInDevice(service, va)]
    const passkey = await newPasskey(service, mine.headers)
    const other = await newPasskey(service, theirs.headers)
    const device = await newDevice()
    const { json: { accessToken, sessionId } } = await signInByVa(service, va, device, mine.person)
    const second = bearer(accessToken)
    for (const id of [mine.sessionId, sessionId]) await letConfirmationPass(superuser, id)
    const exchanged = await signInVeteran(service)
    const refusals = [
      [mine.device, mine.headers, other, [401, "invalid_passkey"]],
      [device, mine.headers, passkey, [401, "invalid_device_proof"]],
      [mine.device, second, passkey, [401, "invalid_device_proof"]],
      [mine.device, exchanged.headers, passkey, [403, "forbidden"]]
    ] as const
    for (const [key, headers, by, expected] of refusals) {
      assert.deepStrictEqual(told(await confirmByPasskey(service, key, headers, by)), [...expected])
    }
    assert.strictEqual((await confirmByPasskey(service, device, second, passkey)).status, 200)
    assert.deepStrictEqual(told(await addPasskey(service, mine.headers, fresh())), [403, "confirmation_required"])
    assert.strictEqual((await addPasskey(service, second, fresh())).status, 201)
    await post("/sessions/current/end", mine.headers)
    const ended = await confirmByPasskey(service, mine.device, mine.headers, passkey)
    assert.deepStrictEqual(told(ended), [401, "unauthenticated"])
  })

  test("has the members of a passkey or of an id_token, and not of both", async () => {
    const { device, headers, person } = await signInDevice(service, va)
    const passkey = await newPasskey(service, headers)
    const signedIn = await atVa(service, va, device, person)
    const { challenge } = signedIn
    const answer = passkey.get(challenge, passkey.userHandle)
    const send = (body: unknown) => prove(service, device, confirmPath, challenge, body, headers)
    assert.deepStrictEqual(told(await send({ ...signedIn, ...answer })), [400, "invalid_request"])
    assert.deepStrictEqual(told(await send({ challenge })), [400, "invalid_request"])
    assert.strictEqual((await send(answer)).status, 200)
  })

  test("may be asked for 20 times an hour by a veteran, on all devices together, in both ways", async () => {
    const { headers, person } = await signInDevice(service, va)
    const { json: { accessToken } } = await signInByVa(service, va, await newDevice(), person)
    const statuses: Array<number> = []
    for (let count = 0; count < 22; count++) {
      const body = count % 4 < 2 ? { idToken: "x", challenge: "x" } : fresh().get("x", "x")
      const at = { headers: count % 2 === 0 ? headers : bearer(accessToken), body }
      statuses.push((await call(service, "POST", confirmPath, at)).status)
    }
    assert.deepStrictEqual(statuses, [...Array<number>(20).fill(401), 429, 429])
  })
})

describe("A challenge", () => {
  test("serves one purpose and one person, and counts once", async () => {
    const { device, headers } = await signInDevice(service, va)
    const other = await signInDevice(service, va)
    const passkey = await newPasskey(service, headers)
    const at = {
      signIn: (challenge: string) =>
        prove(service, device, passkeyPath, challenge, passkey.get(challenge, passkey.userHandle)),
      confirm: (challenge: string) =>
        prove(service, device, confirmPath, challenge, passkey.get(challenge, passkey.userHandle), headers),
      add: (challenge: string) => sendPasskey(service, headers, fresh().create(challenge)),
      addByOther: (challenge: string) => sendPasskey(service, other.headers, fresh().create(challenge))
    }
    const signIn = () => askChallenge(service)
    const adding = async () => (await askNewPasskey(service, headers)).challenge
    const right = [[signIn, "signIn"], [signIn, "confirm"], [adding, "add"]] as const
    for (const [ask, purpose] of right) {
      const challenge = await ask()
      const foreign = ask === adding ? ["signIn", "confirm", "addByOther"] as const : ["add", "addByOther"] as const
      for (const wrong of foreign) {
        assert.deepStrictEqual(told(await at[wrong](challenge)), [401, "invalid_challenge"], `${purpose} ${wrong}`)
      }
      const answer = await at[purpose](challenge)
      assert.oneOf(answer.status, [200, 201], `${purpose} ${answer.text}`)
      for (const then of ["signIn", "confirm", "add"] as const) {
        assert.deepStrictEqual(told(await at[then](challenge)), [401, "invalid_challenge"], `${purpose} ${then}`)
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
    assert.deepStrictEqual(told(await signInByPasskey(service, device, passkey)), [401, "invalid_passkey"])
    assert.deepStrictEqual(told(await confirmByPasskey(service, device, headers, passkey)), [401, "unauthenticated"])
    // Another veteran may register the credential then.
    const next = await signInDevice(service, va)
    assert.strictEqual((await addPasskey(service, next.headers, passkey)).status, 201)
  })
})
