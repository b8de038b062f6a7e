import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { bearer, signIn, signInVeteran, told } from "../../support/Client.ts"
import {
  atVa,
  type Device,
  letConfirmationPass,
  newDevice,
  operatorCode,
  pair,
  type Person,
  prove,
  renew,
  signInByVa,
  signInDevice,
  signInPath
} from "../../support/Device.ts"
import { openPeople } from "../../support/People.ts"
import { newSubject } from "../../support/VaIssuer.ts"
import { newAddress, openSignIns } from "./SignIns.ts"

const { eventsOf, get, mailed, post, service, superuser, va } = await openSignIns()

/** Sends a new sign-in at the VA to a route of a session, with a proof of the device's key. */
const present = async (
  path: string,
  { device, headers, person }: { device: Device; headers: Record<string, string>; person: Pick<Person, "subject"> },
  { claims = {}, more = {} }: { claims?: Record<string, unknown>; more?: Record<string, unknown> } = {}
) => {
  const signedIn = await atVa(service, va, device, person, claims)
  return prove(service, device, `/api/veteran/me${path}`, signedIn.challenge, { ...signedIn, ...more }, headers)
}

const confirmPath = "/sessions/current/confirm"

const now = () => Math.floor(Date.now() / 1000)

describe("The list of sessions", () => {
  test("has each live one with its device, network and times, the newest first", async () => {
    const { device, headers, person, sessionId } = await signInDevice(service, va, "My phone")
    const second = await signInByVa(service, va, device, person)
    const { json } = await get("/sessions", headers)
    assert.isNull(json.nextCursor)
    const [newest, first] = json.items
    assert.deepStrictEqual([newest.id, newest.current, newest.deviceName], [second.json.sessionId, false, null])
    const { createdAt, expiresAt, lastUsedAt, network, ...rest } = first
    assert.deepStrictEqual(rest, { id: sessionId, current: true, deviceName: "My phone", how: "va" })
    assert.match(network, /^10\.\d+\.\d+\.0\/24$/)
    assert.strictEqual(Date.parse(expiresAt) - Date.parse(createdAt), 12 * 3_600_000)
    assert.isAtLeast(Date.parse(lastUsedAt), Date.parse(createdAt))
    const renewed = await renew(service, device, sessionId)
    const { json: later } = await get("/sessions", bearer(renewed.json.accessToken))
    assert.isAbove(Date.parse(later.items[1].lastUsedAt), Date.parse(lastUsedAt))
  })

  test("is empty for a veteran who has none, and shows no other veteran's", async () => {
    await signInDevice(service, va)
    const veteran = await signInVeteran(service)
    assert.deepStrictEqual((await get("/sessions", veteran.headers)).json, { items: [], nextCursor: null })
  })
})

describe("Ending a session", () => {
  test("again, or one that has ended, is answered like the first time", async () => {
    const { device, person, headers } = await signInDevice(service, va)
    const other = await signInByVa(service, va, device, person)
    const path = `/sessions/${other.json.sessionId}/end`
    for (let time = 0; time < 2; time++) assert.strictEqual((await post(path, headers)).status, 204)
    assert.deepStrictEqual(told(await renew(service, device, other.json.sessionId)), [401, "unauthenticated"])
    assert.lengthOf((await get("/sessions", headers)).json.items, 1)
  })

  test("and all others ends the tokens of the session exchange too, but none that is issued afterwards", async () => {
    const { device, headers, person, sessionId } = await signInDevice(service, va)
    const veteran = { id: "", vaPatientId: person.vaPatientId }
    const exchanged = await signIn(service, veteran)
    const stranger = await signInVeteran(service)
    assert.strictEqual((await post("/sessions/end-all", headers)).status, 204)
    assert.strictEqual((await get("", headers)).status, 401)
    assert.strictEqual((await get("", exchanged.headers)).status, 401)
    assert.strictEqual((await renew(service, device, sessionId)).status, 401)
    assert.strictEqual((await get("", stranger.headers)).status, 200)
    const [next, again] = [await signIn(service, veteran), await signInByVa(service, va, device, person)]
    assert.strictEqual((await get("", next.headers)).status, 200)
    assert.strictEqual((await get("/health-record", next.headers)).status, 200)
    assert.strictEqual(again.status, 200)
    // By a token of the exchange, all end as well.
    assert.strictEqual((await post("/sessions/end-all", next.headers)).status, 204)
    for (const token of [next.token, again.json.accessToken]) {
      assert.strictEqual((await get("", bearer(token))).status, 401)
    }
  })

  test("and its start are in the account of disclosures", async () => {
    const { device, headers, person } = await signInDevice(service, va)
    const other = await signInByVa(service, va, device, person)
    await post(`/sessions/${other.json.sessionId}/end`, headers)
    assert.deepStrictEqual(await eventsOf(headers), [
      ["session_ended", "veteran", undefined, "You ended a sign-in."],
      ["session_started", "veteran", "va", "You signed in with your VA account."],
      ["session_started", "veteran", "va", "You signed in with your VA account."],
      ["identity_paired", "service", "operator", "The operator let a VA account open your record."]
    ])
  })
})

describe("Confirmation", () => {
  test("is given by a new sign-in at the VA with the session's key, for five minutes", async () => {
    const session = await signInDevice(service, va)
    await letConfirmationPass(superuser, session.sessionId)
    assert.isNull((await renew(service, session.device, session.sessionId)).json.confirmedUntil)
    const confirmed = await present(confirmPath, session, { more: { vaPatientId: session.person.vaPatientId } })
    assert.strictEqual(confirmed.status, 200)
    assert.closeTo(Date.parse(confirmed.json.confirmedUntil) - Date.now(), 300_000, 60_000)
    const renewed = await renew(service, session.device, session.sessionId)
    assert.strictEqual(renewed.json.confirmedUntil, confirmed.json.confirmedUntil)
  })

  test("wants a sign-in at most five minutes old, by `auth_time` or by `iat`", async () => {
    const session = await signInDevice(service, va)
    for (const claims of [{ auth_time: now() - 330 }, { iat: now() - 330 }]) {
      assert.deepStrictEqual(told(await present(confirmPath, session, { claims })), [401, "invalid_id_token"])
    }
    for (const claims of [{ auth_time: now() - 290 }, { iat: now() - 290 }, { iat: now() - 330, auth_time: now() }]) {
      assert.strictEqual((await present(confirmPath, session, { claims })).status, 200)
    }
  })

  test("is refused to another key, another person's account, and another patient's number", async () => {
    const [session, other] = [await signInDevice(service, va), await signInDevice(service, va)]
    const stranger = { ...session, device: await newDevice() }
    assert.deepStrictEqual(told(await present(confirmPath, stranger)), [401, "invalid_device_proof"])
    const account = { ...session, person: other.person }
    assert.deepStrictEqual(told(await present(confirmPath, account)), [401, "invalid_id_token"])
    const more = { vaPatientId: other.person.vaPatientId }
    assert.deepStrictEqual(told(await present(confirmPath, session, { more })), [401, "invalid_id_token"])
  })

  test("takes an id_token once, and none with which somebody signed in", async () => {
    const session = await signInDevice(service, va)
    const signedIn = await atVa(service, va, session.device, session.person)
    const confirm = (sent: typeof signedIn) =>
      prove(service, session.device, `/api/veteran/me${confirmPath}`, sent.challenge, sent, session.headers)
    assert.strictEqual((await confirm(signedIn)).status, 200)
    assert.deepStrictEqual(told(await confirm(signedIn)), [401, "invalid_id_token"])
    const spent = await atVa(service, va, session.device, session.person)
    const { vaPatientId } = session.person
    const path = `${signInPath}/session`
    assert.strictEqual(
      (await prove(service, session.device, path, spent.challenge, { ...spent, vaPatientId })).status,
      200
    )
    assert.deepStrictEqual(told(await confirm(spent)), [401, "invalid_id_token"])
  })
})

describe("Another account of the VA", () => {
  test("is added from a confirmed session, opens the record, and is told by mail", async () => {
    const email = newAddress()
    const session = await signInDevice(service, va, undefined, email)
    const second = { subject: newSubject(), vaPatientId: session.person.vaPatientId }
    const added = await present("/identities", { ...session, person: second })
    assert.strictEqual(added.status, 201)
    const { id, pairedAt, ...rest } = added.json
    assert.deepStrictEqual(rest, { issuer: va.issuer, how: "session" })
    const { json: { items } } = await get("/identities", session.headers)
    assert.deepStrictEqual(items.map(({ how }: any) => how), ["operator", "session"])
    assert.deepStrictEqual(items[1], { id, issuer: va.issuer, pairedAt, how: "session" })
    const other = await newDevice()
    assert.strictEqual((await signInByVa(service, va, other, second)).status, 200)
    assert.deepStrictEqual((await eventsOf(session.headers))[1], [
      "identity_paired",
      "veteran",
      "session",
      "You let another VA account open your record."
    ])
    // A code for the first pairing is mailed too if the outbox looks before the operator's code is used.
    const [mail, ...others] = await mailed(email, 1, "An account was added")
    assert.isDefined(mail)
    assert.lengthOf(others, 0)
    assert.lengthOf(await mailed(email, 2, "A new device signed in"), 2)
  })

  test("is refused to another key, and if it is in use already, by this veteran or another, in the same words", async () => {
    const [session, other] = [await signInDevice(service, va), await signInDevice(service, va)]
    const stranger = { ...session, device: await newDevice(), person: { subject: newSubject() } }
    assert.deepStrictEqual(told(await present("/identities", stranger)), [401, "invalid_device_proof"])
    const answers = await Promise.all([session.person, other.person].map(async (person) => {
      const { requestId: _, ...json } = (await present("/identities", { ...session, person })).json
      return json
    }))
    const taken = { error: "conflict", message: "This account of the VA is in use already." }
    assert.deepStrictEqual(answers, [taken, taken])
  })

  test("is refused beyond three, for the operator's code too", async () => {
    const session = await signInDevice(service, va)
    for (const status of [201, 201, 409]) {
      assert.strictEqual(
        (await present("/identities", { ...session, person: { subject: newSubject() } })).status,
        status
      )
    }
    const device = await newDevice()
    const fourth = { subject: newSubject(), vaPatientId: session.person.vaPatientId }
    const { json: { pairingId } } = await signInByVa(service, va, device, fourth)
    const full = await pair(service, device, pairingId, await operatorCode(service, session.person.id))
    assert.deepStrictEqual(told(full), [409, "conflict"])
  })

  test("is removed, which ends all sessions", async () => {
    const session = await signInDevice(service, va)
    const second = { subject: newSubject(), vaPatientId: session.person.vaPatientId }
    const { json: { id } } = await present("/identities", { ...session, person: second })
    const other = await signInByVa(service, va, await newDevice(), second)
    const path = `/identities/${id}/remove`
    assert.strictEqual((await post(path, session.headers)).status, 204)
    for (const headers of [session.headers, bearer(other.json.accessToken)]) {
      assert.strictEqual((await get("", headers)).status, 401)
    }
    assert.strictEqual((await signInByVa(service, va, await newDevice(), second)).json.error, "pairing_required")
    const again = await signInByVa(service, va, session.device, session.person)
    assert.strictEqual(again.status, 200)
    const kinds = (await eventsOf(bearer(again.json.accessToken))).map(([kind]: [string]) => kind)
    assert.deepStrictEqual(kinds.slice(0, 4), ["session_started", "session_ended", "session_ended", "identity_removed"])
  })

  test("stays if it is the last", async () => {
    const { headers } = await signInDevice(service, va)
    const { id } = (await get("/identities", headers)).json.items[0]
    assert.deepStrictEqual(told(await post(`/identities/${id}/remove`, headers)), [409, "conflict"])
  })
})

describe("The operator", () => {
  const admin = (method: string, path: string, body?: unknown) =>
    openPeople(service).admin(method, `/veterans/${path}`, body)

  test("lists a veteran's accounts and removes the last one, which ends all sessions and is mailed", async () => {
    const email = newAddress()
    const { device, headers, person } = await signInDevice(service, va, undefined, email)
    const listed = await admin("GET", `${person.id}/identities`)
    assert.deepStrictEqual(listed.json, (await get("/identities", headers)).json)
    const path = `${person.id}/identities/${listed.json.items[0].id}/remove`
    assert.strictEqual((await admin("POST", path)).status, 204)
    assert.strictEqual((await get("", headers)).status, 401)
    assert.strictEqual((await signInByVa(service, va, device, person)).json.error, "pairing_required")
    assert.deepStrictEqual(told(await admin("POST", path)), [404, "not_found"])
    await mailed(email, 1, "An account was removed, and your devices were signed out")
  })

  test("changes the number at the VA after a merge: sessions end, and the account opens the same record", async () => {
    const { device, headers, person } = await signInDevice(service, va)
    const vaPatientId = `icn-${randomUUID()}`
    const changed = await admin("PATCH", person.id, { vaPatientId })
    assert.deepStrictEqual([changed.status, changed.json.id, changed.json.vaPatientId], [200, person.id, vaPatientId])
    assert.strictEqual((await get("", headers)).status, 401)
    assert.strictEqual((await signInByVa(service, va, device, person)).json.error, "identity_changed")
    const again = await signInByVa(service, va, device, { ...person, vaPatientId })
    assert.deepStrictEqual([again.status, again.json.veteran.id], [200, person.id])
    assert.deepInclude(await eventsOf(bearer(again.json.accessToken)), [
      "identity_removed",
      "service",
      undefined,
      "The operator changed which VA account opens your record, and all sign-ins were ended."
    ])
  })

  test("ends no session by the number that the veteran has already, or by none", async () => {
    const { headers, person } = await signInDevice(service, va)
    for (const change of [{ vaPatientId: person.vaPatientId }, {}]) {
      assert.strictEqual((await admin("PATCH", person.id, change)).status, 200)
    }
    assert.strictEqual((await get("", headers)).status, 200)
  })
})
