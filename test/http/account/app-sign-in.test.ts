import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { openApp, openService } from "../../support/App.ts"
import { type Answer, asAdmin, bearer, call, told } from "../../support/Client.ts"
import {
  askChallenge,
  newDevice,
  operatorCode,
  pair,
  registerPerson,
  renew,
  signInByVa,
  signInDevice,
  signInPath
} from "../../support/Device.ts"
import { decodePart } from "../../support/Jwt.ts"
import { spendPermits } from "../../support/Permits.ts"
import { newSubject } from "../../support/VaIssuer.ts"
import { mailsOf } from "../link/Links.ts"
import { newAddress, openSignIns } from "./SignIns.ts"

const { database, mailed, mailsTo, nothingWaits, service, superuser, va } = await openSignIns()

const codeIn = (text: string) => /\b(\d{4}) (\d{4})\b/.exec(text)!.slice(1).join("")

const withoutRequest = ({ json: { requestId: _, ...json }, status }: Answer) => ({ status, ...json })

/** A person whose first sign-in asks for a pairing, and the code that was mailed. */
const asked = async (email = newAddress()) => {
  const person = await registerPerson(service, email)
  const device = await newDevice()
  const { json: { pairingId } } = await signInByVa(service, va, device, person, "My phone")
  const [mail] = await mailed(email, 1)
  return { person, email, device, pairingId: pairingId as string, mail: mail!, code: codeIn(mail!.text) }
}

const wrongCode = (code: string) => code === "00000000" ? "00000001" : "00000000"

/** Lets time pass for what the veteran has, in the database. */
const pass = (table: string, columns: ReadonlyArray<string>, id: string, interval: string) =>
  superuser.query(
    `update ${table} set ${columns.map((column) => `${column} = ${column} - $2::interval`).join()} where id = $1`,
    [id, interval]
  )

describe("A first sign-in", () => {
  test("asks for a code, which goes only to the registered address, in two languages", async () => {
    const { email, mail, code } = await asked()
    await nothingWaits()
    assert.lengthOf(await mailsTo(email), 1)
    assert.strictEqual(mail.headers.get("subject"), "Your one-time code")
    assert.match(
      mail.text,
      /Somebody signed in at the VA wants to see your record in Veteran Records\. If it is not you, tell nobody this code\./
    )
    assert.match(mail.text, /no le diga este código a nadie/)
    assert.strictEqual(mail.text.split(`${code.slice(0, 4)} ${code.slice(4)}`).length, 2)
  })

  test("gives access by the mailed code, and the next one needs no code", async () => {
    const { code, device, pairingId, person, email } = await asked()
    const paired = await pair(service, device, pairingId, `${code.slice(0, 4)} ${code.slice(4)}`)
    assert.strictEqual(paired.status, 200)
    const { accessToken, confirmedUntil, sessionEndsAt, ...rest } = paired.json
    assert.deepStrictEqual(rest, {
      tokenType: "Bearer",
      expiresIn: 900,
      veteran: { id: person.id, callSign: "Eagle" },
      sessionId: pairingId,
      previousSessionAt: null
    })
    assert.strictEqual(decodePart(accessToken, 1)["sid"], pairingId)
    const inSeconds = (time: string) => (Date.parse(time) - Date.now()) / 1000
    assert.closeTo(inSeconds(sessionEndsAt), 12 * 3600, 60)
    assert.closeTo(inSeconds(confirmedUntil), 300, 60)
    const me = await call(service, "GET", "/api/veteran/me", { headers: bearer(accessToken) })
    assert.deepStrictEqual([me.status, me.json.vaPatientId], [200, person.vaPatientId])
    const again = await signInByVa(service, va, device, person)
    assert.deepStrictEqual([again.status, again.json.veteran], [200, { id: person.id, callSign: "Eagle" }])
    assert.notStrictEqual(again.json.sessionId, pairingId)
    assert.isNotNull(again.json.previousSessionAt)
    await nothingWaits()
    const subjects = (await mailsTo(email)).map(({ headers }) => headers.get("subject"))
    assert.deepStrictEqual(subjects, ["Your one-time code", "A new device signed in"])
  })

  test("is answered alike for a registered, a paired and an unknown patient, and mails only the first", async () => {
    const [registered, pairedWith] = [newAddress(), newAddress()]
    const free = await registerPerson(service, registered)
    const { person: taken } = await signInDevice(service, va, undefined, pairedWith)
    await nothingWaits()
    const before = await mailsTo(pairedWith)
    const answers: Array<unknown> = []
    for (const vaPatientId of [free.vaPatientId, taken.vaPatientId, `nobody-${randomUUID()}`]) {
      const answer = await signInByVa(service, va, await newDevice(), { subject: newSubject(), vaPatientId })
      const { pairingId, ...others } = withoutRequest(answer) as any
      assert.match(pairingId, /^[0-9a-f-]{36}$/)
      answers.push(others)
    }
    const [first, ...others] = answers
    assert.deepStrictEqual(first, {
      status: 409,
      error: "pairing_required",
      message: "Prove once that this record is yours: send the code that was mailed or handed to you.",
      expiresIn: 600
    })
    assert.deepStrictEqual(others, [first, first])
    await mailed(registered, 1)
    await nothingWaits()
    assert.lengthOf(await mailsTo(registered), 1)
    assert.deepStrictEqual(await mailsTo(pairedWith), before)
  })

  test("is refused once the account is paired with another patient than the one that is named", async () => {
    const { device, person } = await signInDevice(service, va)
    const other = await registerPerson(service)
    const changed = await signInByVa(service, va, device, { ...person, vaPatientId: other.vaPatientId })
    assert.deepStrictEqual(withoutRequest(changed), {
      status: 409,
      error: "identity_changed",
      message: "The VA's number for you has changed. Call the operator of this service."
    })
  })
})

describe("A pairing's code", () => {
  test("is refused with the number of tries left, and counts for nobody after five wrong ones", async () => {
    const { code, device, pairingId } = await asked()
    for (const attemptsLeft of [4, 3, 2, 1, 0]) {
      assert.deepStrictEqual(withoutRequest(await pair(service, device, pairingId, wrongCode(code))), {
        status: 401,
        error: "otp_invalid",
        message: "The code is wrong, has expired, or was tried too often.",
        attemptsLeft
      })
    }
    const right = await pair(service, device, pairingId, code)
    assert.deepStrictEqual([right.status, right.json.error, right.json.attemptsLeft], [401, "otp_invalid", 0])
  })

  test("counts only with the key of the sign-in, and another key uses up no try", async () => {
    const { code, device, pairingId } = await asked()
    for (let tries = 0; tries < 6; tries++) {
      const other = await pair(service, await newDevice(), pairingId, code)
      assert.deepStrictEqual([other.status, other.json.error], [401, "invalid_device_proof"])
    }
    assert.strictEqual((await pair(service, device, pairingId, code)).status, 200)
  })

  test("counts once, for ten minutes, and for its own pairing alone", async () => {
    const first = await asked()
    const second = await asked()
    assert.strictEqual((await pair(service, second.device, second.pairingId, first.code)).status, 401)
    assert.strictEqual((await pair(service, first.device, first.pairingId, first.code)).status, 200)
    assert.strictEqual((await pair(service, first.device, first.pairingId, first.code)).status, 401)
    await pass("veteran_pairings", ["expires_at"], second.pairingId, "10 minutes")
    assert.strictEqual((await pair(service, second.device, second.pairingId, second.code)).status, 401)
  })

  test("that was mailed counts for no veteran who was paired meanwhile", async () => {
    const { code, device, pairingId, person } = await asked()
    const other = await newDevice()
    const { json } = await signInByVa(service, va, other, { ...person, subject: newSubject() })
    const byHand = await pair(service, other, json.pairingId, await operatorCode(service, person.id))
    assert.strictEqual(byHand.status, 200)
    assert.strictEqual((await pair(service, device, pairingId, code)).status, 401)
  })

  test("is mailed three times an hour for a veteran, and the answer stays the same", async () => {
    const email = newAddress()
    const person = await registerPerson(service, email)
    for (let sent = 1; sent <= 5; sent++) {
      const answer = await signInByVa(service, va, await newDevice(), { ...person, subject: newSubject() })
      assert.strictEqual(answer.json.error, "pairing_required")
    }
    await mailed(email, 3)
    await nothingWaits()
    assert.lengthOf(await mailsTo(email), 3)
  })

  test("that was mailed counts no more after ten wrong ones in a day, but the operator's does", async () => {
    const { code, device, email, pairingId, person } = await asked()
    const second = { device: await newDevice(), subject: newSubject() }
    const { json } = await signInByVa(service, va, second.device, { ...person, subject: second.subject })
    for (let wrong = 0; wrong < 5; wrong++) await pair(service, second.device, json.pairingId, "1")
    const third = await newDevice()
    const last = await signInByVa(service, va, third, { ...person, subject: newSubject() })
    for (let wrong = 0; wrong < 5; wrong++) await pair(service, third, last.json.pairingId, "1")
    await mailed(email, 3)
    assert.strictEqual((await pair(service, device, pairingId, code)).status, 401)
    const operators = await operatorCode(service, person.id)
    assert.strictEqual((await pair(service, device, pairingId, operators)).status, 200)
  })
})

describe("The operator's code", () => {
  test("is 12 characters, is read as a person types it, and counts once", async () => {
    const person = await registerPerson(service)
    const made = await call(service, "POST", `/api/admin/veterans/${person.id}/pairing-code`, { headers: asAdmin })
    assert.strictEqual(made.status, 201)
    assert.match(made.json.code, /^[0-9A-HJKMNP-TV-Z]{12}$/)
    assert.closeTo(Date.parse(made.json.expiresAt) - Date.now(), 14 * 86_400_000, 60_000)
    const [one, other] = [await newDevice(), await newDevice()]
    const first = (await signInByVa(service, va, one, person)).json.pairingId
    const second = (await signInByVa(service, va, other, { ...person, subject: newSubject() })).json.pairingId
    const typed = made.json.code.toLowerCase().replaceAll("0", "o").replaceAll("1", "l").replace(/(.{4})/g, "$1-")
    assert.strictEqual((await pair(service, one, first, typed)).status, 200)
    assert.strictEqual((await pair(service, other, second, made.json.code)).status, 401)
  })

  test("ends the code before it, and ends after 14 days", async () => {
    const person = await registerPerson(service)
    const device = await newDevice()
    const { json: { pairingId } } = await signInByVa(service, va, device, person)
    const before = await operatorCode(service, person.id)
    const after = await operatorCode(service, person.id)
    assert.strictEqual((await pair(service, device, pairingId, before)).status, 401)
    await pass("veterans", ["pairing_code_ends_at"], person.id, "14 days")
    assert.strictEqual((await pair(service, device, pairingId, after)).status, 401)
  })

  test("of one veteran pairs no other", async () => {
    const [one, other] = [await registerPerson(service), await registerPerson(service)]
    const device = await newDevice()
    const { json: { pairingId } } = await signInByVa(service, va, device, one)
    assert.strictEqual((await pair(service, device, pairingId, await operatorCode(service, other.id))).status, 401)
  })

  test("is the only one if VETERAN_PAIRING is operator, and nothing is mailed", async () => {
    const strict = await openService(database, { ...va.environment, VETERAN_PAIRING: "operator" })
    const email = newAddress()
    const person = await registerPerson(strict, email)
    const device = await newDevice()
    const answer = await signInByVa(strict, va, device, person)
    assert.strictEqual(answer.json.error, "pairing_required")
    await nothingWaits()
    const written = [...await mailsOf(service), ...await mailsOf(strict)]
    assert.notInclude(written.map(({ headers }) => headers.get("to")), email)
    const code = await operatorCode(strict, person.id)
    assert.strictEqual((await pair(strict, device, answer.json.pairingId, code)).status, 200)
  })
})

describe("A session", () => {
  test("is renewed by its key, and the token's end is never after the session's", async () => {
    const { device, sessionId } = await signInDevice(service, va)
    const renewed = await renew(service, device, sessionId)
    assert.deepStrictEqual([renewed.status, renewed.json.sessionId, renewed.json.expiresIn], [200, sessionId, 900])
    await pass("veteran_sessions", ["created_at", "expires_at"], sessionId, "11 hours 55 minutes")
    assert.isAtMost((await renew(service, device, sessionId)).json.expiresIn, 300)
    await pass("veteran_sessions", ["created_at", "expires_at"], sessionId, "5 minutes")
    const over = await renew(service, device, sessionId)
    assert.deepStrictEqual([over.status, over.json.error], [401, "unauthenticated"])
  })

  test("is not renewed by another key", async () => {
    const { device, sessionId } = await signInDevice(service, va)
    const other = await renew(service, await newDevice(), sessionId)
    assert.deepStrictEqual([other.status, other.json.error], [401, "invalid_device_proof"])
    assert.strictEqual((await renew(service, device, sessionId)).status, 200)
  })

  test("that nobody has is answered with 401", async () => {
    const answer = await renew(service, await newDevice(), randomUUID())
    assert.deepStrictEqual([answer.status, answer.json.error], [401, "unauthenticated"])
  })

  test("ends after 30 minutes without a renewal, for its token too", async () => {
    const { device, headers, sessionId } = await signInDevice(service, va)
    await pass("veteran_sessions", ["renewed_at"], sessionId, "29 minutes")
    assert.strictEqual((await call(service, "GET", "/api/veteran/me", { headers })).status, 200)
    await pass("veteran_sessions", ["renewed_at"], sessionId, "1 minute")
    assert.strictEqual((await call(service, "GET", "/api/veteran/me", { headers })).status, 401)
    assert.strictEqual((await renew(service, device, sessionId)).status, 401)
  })

  test("is the oldest of ten that an eleventh ends", async () => {
    const { device, person, headers, sessionId } = await signInDevice(service, va)
    const tokens: Array<string> = []
    for (let count = 2; count <= 10; count++) {
      tokens.push((await signInByVa(service, va, device, person)).json.accessToken)
    }
    assert.strictEqual((await call(service, "GET", "/api/veteran/me", { headers })).status, 200)
    const eleventh = await signInByVa(service, va, device, person)
    assert.strictEqual((await call(service, "GET", "/api/veteran/me", { headers })).status, 401)
    assert.strictEqual((await renew(service, device, sessionId)).status, 401)
    const list = await call(service, "GET", "/api/veteran/me/sessions", { headers: bearer(eleventh.json.accessToken) })
    assert.lengthOf(list.json.items, 10)
    for (const token of tokens) {
      assert.strictEqual((await call(service, "GET", "/api/veteran/me", { headers: bearer(token) })).status, 200)
    }
  })
})

describe("Sign-in by the veteran's app", () => {
  test("does not exist where no VA is configured", async () => {
    const { service: without } = await openApp()
    for (const route of ["challenge", "session", "pairing", "passkey", "renew"]) {
      const answer = await call(without, "POST", `${signInPath}/${route}`, { body: {} })
      assert.deepStrictEqual([answer.status, answer.json.error], [404, "not_found"], route)
    }
  })

  test.each(["challenge", "session", "pairing", "passkey"])(
    "takes at most 30 requests in 15 minutes from one address on the route %s",
    async (route) => {
      const ask = () =>
        call(service, "POST", `${signInPath}/${route}`, { headers: { "x-forwarded-for": "198.51.100.8" }, body: "{" })
      const first = await ask()
      await spendPermits(superuser, 28)
      assert.deepStrictEqual([first.status, (await ask()).status], [400, 400])
      const last = await ask()
      assert.deepStrictEqual(told(last), [429, "rate_limited"])
      assert.isTrue(last.headers.has("retry-after"))
    }
  )

  test("makes challenges of one spelling, each different", async () => {
    const challenges = await Promise.all(Array.from({ length: 5 }, () => askChallenge(service)))
    assert.strictEqual(new Set(challenges).size, 5)
    for (const challenge of challenges) {
      assert.strictEqual(Buffer.from(challenge, "base64url").toString("base64url"), challenge)
    }
  })

  test("takes bodies of at most 16 KiB, and no unknown members", async () => {
    const large = await call(service, "POST", `${signInPath}/session`, { body: { idToken: "x".repeat(16_400) } })
    assert.strictEqual(large.status, 413)
    const unknown = await call(service, "POST", `${signInPath}/challenge`, { body: { a: 1 } })
    assert.deepStrictEqual([unknown.status, unknown.json.error], [400, "invalid_request"])
  })
})
