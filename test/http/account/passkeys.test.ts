import { randomBytes, randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { newAuthenticator, type Said } from "../../support/Authenticator.ts"
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
  signInByPasskey
} from "../../support/Passkeys.ts"
import { until } from "../../support/Until.ts"
import { openVaApp } from "../../support/VaApp.ts"
import { mailsOf } from "../link/Links.ts"

const { database, service, va } = await openVaApp()

const superuser = await database.connect("superuser")

const me = "/api/veteran/me"

const get = (path: string, headers: Record<string, string>) => call(service, "GET", `${me}${path}`, { headers })

const post = (path: string, headers: Record<string, string>, body?: unknown) =>
  call(service, "POST", `${me}${path}`, { headers, ...(body === undefined ? {} : { body }) })

const newAddress = () => `eagle-${randomUUID()}@example.org`

const mailsTo = async (address: string, subject: string) =>
  (await mailsOf(service)).filter(({ headers }) => headers.get("to") === address && headers.get("subject") === subject)

/** Waits until this many mails with the subject have arrived. */
const mailed = (address: string, subject: string, count = 1) =>
  until(`${count} mails "${subject}"`, async () => {
    const mails = await mailsTo(address, subject)
    return mails.length >= count && mails
  })

const kindsOf = async (headers: Record<string, string>) =>
  (await get("/disclosures", headers)).json.items.map(({ actor, how, kind, summary }: any) => [
    kind,
    actor.kind,
    how,
    summary
  ])

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
    const passkey = newAuthenticator({ origin: appOrigin })
    const { json, status } = await post("/passkeys", headers, passkey.create(asked.challenge, {}, "My phone"))
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

  test("wants a confirmed session, and no token of the session exchange will do", async () => {
    const { device, headers, person, sessionId } = await signInDevice(service, va)
    const passkey = newAuthenticator({ origin: appOrigin })
    await letConfirmationPass(superuser, sessionId)
    assert.deepStrictEqual(told(await addPasskey(service, headers, passkey)), [403, "confirmation_required"])
    const exchanged = await signInVeteran(service)
    assert.deepStrictEqual(told(await addPasskey(service, exchanged.headers, passkey)), [403, "confirmation_required"])
    // Its challenge was not used up.
    const { challenge } = await askNewPasskey(service, headers)
    assert.deepStrictEqual(
      told(await post("/passkeys", headers, passkey.create(challenge))),
      [403, "confirmation_required"]
    )
    const signedIn = await atVa(service, va, device, person)
    await prove(service, device, confirmPath, signedIn.challenge, signedIn, headers)
    assert.strictEqual((await post("/passkeys", headers, passkey.create(challenge))).status, 201)
  })

  test("answers a challenge of this service, once", async () => {
    const { headers } = await signInDevice(service, va)
    const make = () => newAuthenticator({ origin: appOrigin })
    const { challenge } = await askNewPasskey(service, headers)
    for (const foreign of ["", "x", randomBytes(54).toString("base64url"), `${challenge}=`]) {
      assert.deepStrictEqual(
        told(await post("/passkeys", headers, make().create(foreign))),
        [401, "invalid_challenge"],
        foreign
      )
    }
    assert.strictEqual((await post("/passkeys", headers, make().create(challenge))).status, 201)
    assert.deepStrictEqual(told(await post("/passkeys", headers, make().create(challenge))), [401, "invalid_challenge"])
  })

  test.each<readonly [string, Said]>([
    ["of a sign-in", { clientData: { type: "webauthn.get" } }],
    ["of another origin", { clientData: { origin: "https://evil.example" } }],
    ["of another port", { clientData: { origin: "http://localhost:8346" } }],
    ["within another site's page", { clientData: { crossOrigin: true } }],
    ["for another host", { rpId: "evil.example" }],
    ["without verification of the person", { flags: 0x41 }],
    ["that is no JSON", { clientText: "{".repeat(2000) }],
    ["with a kilobyte behind it", { data: (data) => Buffer.concat([data, Buffer.alloc(1000)]) }]
  ])("%s is refused", async (_, said) => {
    const { headers } = await signInDevice(service, va)
    const passkey = newAuthenticator({ origin: appOrigin })
    assert.deepStrictEqual(told(await addPasskey(service, headers, passkey, said)), [401, "invalid_passkey"])
    assert.deepStrictEqual((await get("/passkeys", headers)).json.items, [])
  })

  test("has a known algorithm, a name of at most 60 characters, and no other members", async () => {
    const { headers } = await signInDevice(service, va)
    const { challenge } = await askNewPasskey(service, headers)
    const body = newAuthenticator({ origin: appOrigin }).create(challenge)
    for (
      const changes of [{ algorithm: -8 }, { name: "x".repeat(61) }, { name: " " }, { more: 1 }, { publicKey: null }]
    ) {
      assert.deepStrictEqual(
        told(await post("/passkeys", headers, { ...body, ...changes })),
        [400, "invalid_request"],
        JSON.stringify(changes)
      )
    }
    assert.deepStrictEqual(
      told(await post("/passkeys", headers, { ...body, authenticatorData: "A".repeat(70_000) })),
      [413, "payload_too_large"]
    )
    assert.deepStrictEqual(told(await post("/passkeys/challenge", headers, { more: 1 })), [400, "invalid_request"])
    assert.strictEqual((await post("/passkeys", headers, { ...body, name: "x".repeat(60) })).status, 201)
  })

  test("is one of five at most, and no other veteran's", async () => {
    const { headers } = await signInDevice(service, va)
    for (let count = 0; count < 5; count++) await newPasskey(service, headers)
    const sixth = newAuthenticator({ origin: appOrigin })
    assert.deepStrictEqual(told(await addPasskey(service, headers, sixth)), [409, "conflict"])
    const other = await signInDevice(service, va)
    const theirs = await newPasskey(service, other.headers)
    const { json: { items: [first] } } = await get("/passkeys", headers)
    assert.strictEqual((await post(`/passkeys/${first.id}/remove`, headers)).status, 204)
    assert.deepStrictEqual(told(await addPasskey(service, headers, theirs)), [409, "conflict"])
    assert.strictEqual((await addPasskey(service, headers, sixth)).status, 201)
    assert.lengthOf((await get("/passkeys", other.headers)).json.items, 1)
  })

  test("and its removal are mailed and in the account of disclosures, and the name is sealed", async () => {
    const address = newAddress()
    const { headers, person } = await signInDevice(service, va, undefined, address)
    const { passkeyId } = await newPasskey(service, headers)
    const { rows: [row] } = await superuser.query("select * from veteran_passkeys where id = $1", [passkeyId])
    assert.notInclude(JSON.stringify(Object.values(row).map(String)), "My phone")
    assert.strictEqual((await post(`/passkeys/${passkeyId}/remove`, headers)).status, 204)
    const mails = [...await mailed(address, "A passkey was added"), ...await mailed(address, "A passkey was removed")]
    assert.notInclude(mails.map(({ raw }) => raw).join(), "My phone")
    const [removed, added] = await kindsOf(headers)
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
    assert.deepStrictEqual((await kindsOf(headers))[0], [
      "session_started",
      "veteran",
      "passkey",
      "You signed in with your face, fingerprint or passkey."
    ])
    await mailed(address, "A new device signed in", 2)
  })

  test("on a device that is known keeps the device's name, and mails nothing", async () => {
    const address = newAddress()
    const { device, headers, person } = await signInDevice(service, va, "My phone", address)
    const passkey = await newPasskey(service, headers)
    await mailed(address, "A new device signed in")
    const { json } = await signInByPasskey(service, device, passkey)
    const { items: [first] } = (await get("/sessions", bearer(json.accessToken))).json
    assert.deepStrictEqual([first.how, first.deviceName], ["passkey", "My phone"])
    await until("the outbox has nothing for the veteran", async () => {
      const { rows } = await superuser.query("select id from outbox where subject_id = $1", [person.id])
      return rows.length === 0
    })
    assert.lengthOf(await mailsTo(address, "A new device signed in"), 1)
  })

  test("answers a challenge once, also a later one with another proof", async () => {
    const { device, headers, person } = await signInDevice(service, va)
    const passkey = await newPasskey(service, headers)
    const challenge = await askChallenge(service)
    const body = passkey.get(challenge, passkey.userHandle)
    assert.strictEqual((await prove(service, device, passkeyPath, challenge, body)).status, 200)
    assert.deepStrictEqual(
      told(await prove(service, device, passkeyPath, challenge, body)),
      [401, "invalid_challenge"]
    )
    // The same challenge opens nothing on another device, nor for a confirmation.
    const other = await newDevice()
    assert.deepStrictEqual(told(await prove(service, other, passkeyPath, challenge, body)), [401, "invalid_challenge"])
    assert.deepStrictEqual(
      told(await prove(service, device, confirmPath, challenge, body, headers)),
      [401, "invalid_challenge"]
    )
    assert.strictEqual(await sessions(person.id), 2)
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
    const stranger = newAuthenticator({ origin: appOrigin })
    const other = await newPasskey(service, (await signInDevice(service, va)).headers)
    const { userHandle } = passkey
    const answers = new Map<string, unknown>()
    const tryWith = async (name: string, bodyOf: (challenge: string) => any) => {
      const challenge = await askChallenge(service)
      const { json: { requestId: _, ...json }, status } = await prove(
        service,
        device,
        passkeyPath,
        challenge,
        bodyOf(challenge)
      )
      answers.set(name, { status, ...json })
    }
    await tryWith("unknown", (challenge) => stranger.get(challenge, userHandle))
    await tryWith("another's handle", (challenge) => passkey.get(challenge, other.userHandle))
    await tryWith("no handle", (challenge) => passkey.get(challenge, ""))
    for (const origin of ["https://evil.example", "http://localhost", `${appOrigin}/`, `${appOrigin}.evil.example`]) {
      await tryWith(origin, (challenge) => passkey.get(challenge, userHandle, { clientData: { origin } }))
    }
    await tryWith(
      "cross-origin",
      (challenge) => passkey.get(challenge, userHandle, { clientData: { crossOrigin: true } })
    )
    await tryWith(
      "top origin",
      (challenge) => passkey.get(challenge, userHandle, { clientData: { topOrigin: "https://evil.example" } })
    )
    await tryWith("unverified", (challenge) => passkey.get(challenge, userHandle, { flags: 1 }))
    await tryWith("of another challenge", (challenge) => ({
      ...passkey.get(randomBytes(54).toString("base64url"), userHandle),
      challenge
    }))
    await tryWith("signed by another", (challenge) => {
      const { credential } = stranger.get(challenge, userHandle)
      return { challenge, credential: { ...credential, id: passkey.id } }
    })
    await tryWith("huge", (challenge) => {
      const { credential } = passkey.get(challenge, userHandle)
      return { challenge, credential: { ...credential, authenticatorData: "A".repeat(14_000) } }
    })
    const distinct = new Set([...answers.values()].map((answer) => JSON.stringify(answer)))
    assert.deepStrictEqual([...distinct].map((answer) => JSON.parse(answer)), [{
      status: 401,
      error: "invalid_passkey",
      message: "The passkey could not be checked, or is not known here any more: sign in at the VA."
    }])
    assert.strictEqual(answers.size, 13)
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
    assert.strictEqual((await addPasskey(service, headers, newAuthenticator({ origin: appOrigin }))).status, 201)
  })

  test("by another veteran's passkey, by another device's key, or for a session that has ended is refused", async () => {
    const [mine, theirs] = [await signInDevice(service, va), await signInDevice(service, va)]
    const passkey = await newPasskey(service, mine.headers)
    const other = await newPasskey(service, theirs.headers)
    await letConfirmationPass(superuser, mine.sessionId)
    assert.deepStrictEqual(
      told(await confirmByPasskey(service, mine.device, mine.headers, other)),
      [401, "invalid_passkey"]
    )
    assert.deepStrictEqual(
      told(await confirmByPasskey(service, await newDevice(), mine.headers, passkey)),
      [401, "invalid_device_proof"]
    )
    const second = await signInByVa(service, va, await newDevice(), mine.person)
    assert.deepStrictEqual(
      told(await confirmByPasskey(service, mine.device, bearer(second.json.accessToken), passkey)),
      [401, "invalid_device_proof"]
    )
    const exchanged = await signInVeteran(service)
    assert.deepStrictEqual(
      told(await confirmByPasskey(service, mine.device, exchanged.headers, passkey)),
      [403, "forbidden"]
    )
    assert.deepStrictEqual(
      told(await addPasskey(service, mine.headers, newAuthenticator({ origin: appOrigin }))),
      [403, "confirmation_required"]
    )
    await post("/sessions/current/end", mine.headers)
    assert.deepStrictEqual(
      told(await confirmByPasskey(service, mine.device, mine.headers, passkey)),
      [401, "unauthenticated"]
    )
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
    assert.deepStrictEqual(told(await send(answer)), [401, "invalid_challenge"])
  })
})

describe("Limits of passkeys", () => {
  test("are 30 sign-ins in 15 minutes for an address, and 20 confirmations in an hour for a veteran", async () => {
    const body = newAuthenticator({ origin: appOrigin }).get("x", "x")
    const headers = { "x-forwarded-for": "203.0.113.77" }
    const statuses = []
    for (let count = 0; count < 31; count++) {
      statuses.push((await call(service, "POST", passkeyPath, { headers, body })).status)
    }
    assert.deepStrictEqual(statuses, [...Array.from({ length: 30 }, () => 401), 429])
    const veteran = await signInDevice(service, va)
    const confirmations = []
    for (let count = 0; count < 21; count++) {
      confirmations.push((await call(service, "POST", confirmPath, { headers: veteran.headers, body })).status)
    }
    assert.deepStrictEqual(confirmations, [...Array.from({ length: 20 }, () => 401), 429])
  })
})
