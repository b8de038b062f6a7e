import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { openService } from "../../support/App.ts"
import { newAuthenticator } from "../../support/Authenticator.ts"
import { asAdmin, bearer, call, told } from "../../support/Client.ts"
import {
  askChallenge,
  atVa,
  type Device,
  newDevice,
  operatorCode,
  pair,
  type Person,
  prove,
  registerPerson,
  signInByVa,
  signInDevice,
  signInPath
} from "../../support/Device.ts"
import {
  appEnvironment,
  appOrigin,
  askNewPasskey,
  confirmPath,
  newPasskey,
  passkeyPath,
  passkeysOf,
  sendPasskey,
  signInByPasskey
} from "../../support/Passkeys.ts"
import { tally } from "../../support/Tally.ts"
import { until } from "../../support/Until.ts"
import { openVaApp } from "../../support/VaApp.ts"
import { newSubject } from "../../support/VaIssuer.ts"
import { mailsOf } from "../link/Links.ts"

const { database, service: one, va } = await openVaApp()

const other = await openService(database, { ...va.environment, ...appEnvironment })

const superuser = await database.connect("superuser")

/** Both processes in turn: a race inside one process would be decided by its event loop. */
const both = Array.from({ length: 16 }, (_, index) => index % 2 === 0 ? one : other)

const sessionsOf = async (veteranId: string) =>
  (await superuser.query("select id from veteran_sessions where veteran_id = $1", [veteranId])).rowCount

describe("With 16 parallel requests to two processes,", () => {
  test("one use of an id_token begins a session", async () => {
    const { device, person } = await signInDevice(one, va)
    const signedIn = await atVa(one, va, device, person)
    const body = { ...signedIn, vaPatientId: person.vaPatientId }
    const answers = await Promise.all(
      both.map((service) => prove(service, device, `${signInPath}/session`, signedIn.challenge, body))
    )
    assert.deepStrictEqual(tally(answers), { 200: 1, 401: 15 })
    assert.strictEqual(await sessionsOf(person.id), 2)
  })

  test("one use of a challenge begins a session or confirms one, and one use of another adds a passkey", async () => {
    for (let round = 0; round < 4; round++) {
      const { device, headers, person } = await signInDevice(one, va)
      const passkey = await newPasskey(one, headers)
      const challenge = await askChallenge(one)
      const body = passkey.get(challenge, passkey.userHandle)
      const made = newAuthenticator({ origin: appOrigin }).create((await askNewPasskey(one, headers)).challenge)
      const answers = await Promise.all(
        both.slice(0, 8).flatMap((service) => [
          prove(service, device, passkeyPath, challenge, body),
          sendPasskey(service, headers, made),
          prove(service, device, confirmPath, challenge, body, headers)
        ])
      )
      const refused = answers.filter(({ status }) => status > 201)
      assert.lengthOf(refused, 22, `${round}`)
      for (const answer of refused) assert.deepStrictEqual(told(answer), [401, "invalid_challenge"])
      assert.lengthOf(await passkeysOf(one, headers), 2)
      assert.isAtMost((await sessionsOf(person.id))!, 2)
    }
  })

  test("a passkey is added once by one challenge, five are added at most, and a removed one opens nothing", async () => {
    const { device, headers } = await signInDevice(one, va)
    const { challenge } = await askNewPasskey(one, headers)
    const add = (service: typeof one, of: string) =>
      sendPasskey(service, headers, newAuthenticator({ origin: appOrigin }).create(of))
    const same = await Promise.all(both.map((service) => add(service, challenge)))
    assert.deepStrictEqual(tally(same), { 201: 1, 401: 15 })
    const others = await Promise.all(
      both.map(async (service) => add(service, (await askNewPasskey(service, headers)).challenge))
    )
    assert.deepStrictEqual(tally(others), { 201: 4, 409: 12 })
    const items = await passkeysOf(one, headers)
    assert.lengthOf(items, 5)
    await call(one, "POST", `/api/veteran/me/passkeys/${items[0].id}/remove`, { headers })
    const passkey = await newPasskey(one, headers)
    assert.strictEqual((await signInByPasskey(other, device, passkey)).status, 200)
    await call(one, "POST", `/api/veteran/me/passkeys/${passkey.passkeyId}/remove`, { headers })
    assert.strictEqual((await signInByPasskey(other, device, passkey)).status, 401)
  })

  test.each(["mailed", "operator's"])("one use of the %s code begins a session", async (whose) => {
    const email = `eagle-${randomUUID()}@example.org`
    const person = await registerPerson(one, email)
    const device = await newDevice()
    const { json: { pairingId } } = await signInByVa(one, va, device, person)
    const code = whose === "mailed" ? await mailedCode(email) : await operatorCode(one, person.id)
    const answers = await Promise.all(both.map((service) => pair(service, device, pairingId, code)))
    assert.deepStrictEqual(tally(answers), { 200: 1, 401: 15 })
    assert.strictEqual(await sessionsOf(person.id), 1)
  })

  test("wrong codes are counted one after the other, and the fifth ends the pairing", async () => {
    const person = await registerPerson(one)
    const device = await newDevice()
    const { json: { pairingId } } = await signInByVa(one, va, device, person)
    const code = await operatorCode(one, person.id)
    const answers = await Promise.all(both.map((service) => pair(service, device, pairingId, "wrong")))
    const left = answers.map(({ json }) => json.attemptsLeft as number).sort()
    assert.deepStrictEqual(left, [...Array.from({ length: 12 }, () => 0), 1, 2, 3, 4])
    assert.strictEqual((await pair(one, device, pairingId, code)).status, 401)
  })

  test("one use of the operator's code pairs an account, over as many pairings", async () => {
    const person = await registerPerson(one)
    const pairings = await Promise.all(both.map(async (service) => {
      const device = await newDevice()
      const answer = await signInByVa(service, va, device, { ...person, subject: newSubject() })
      return { service, device, pairingId: answer.json.pairingId as string }
    }))
    const code = await operatorCode(one, person.id)
    const answers = await Promise.all(
      pairings.map(({ device, pairingId, service }) => pair(service, device, pairingId, code))
    )
    assert.deepStrictEqual(tally(answers), { 200: 1, 401: 15 })
    assert.strictEqual(await sessionsOf(person.id), 1)
  })

  test("one pairing of an account that was asked for two veterans is kept", async () => {
    const subject = newSubject()
    const people = await Promise.all([registerPerson(one), registerPerson(one)])
    const pairings = await Promise.all(people.map(async (person) => {
      const device = await newDevice()
      const { json } = await signInByVa(one, va, device, { ...person, subject })
      return { device, pairingId: json.pairingId, code: await operatorCode(one, person.id) }
    }))
    const answers = await Promise.all(
      both.map((service, index) => {
        const { code, device, pairingId } = pairings[index < 8 ? 0 : 1]!
        return pair(service, device, pairingId, code)
      })
    )
    assert.deepStrictEqual(tally(answers), { 200: 1, 401: 15 })
  })

  test("at most ten sessions stay live, and the others have ended", async () => {
    const { device, headers, person } = await signInDevice(one, va)
    const tokens = await Promise.all(
      both.map(async (service) => (await signInByVa(service, va, device, person)).json.accessToken as string)
    )
    const answers = await Promise.all(
      [headers, ...tokens.map(bearer)].map((sent) => call(one, "GET", "/api/veteran/me", { headers: sent }))
    )
    assert.deepStrictEqual(tally(answers), { 200: 10, 401: 7 })
  })

  test("no sign-in outlives the end of all sessions", async () => {
    for (let round = 0; round < 4; round++) {
      const { device, headers, person } = await signInDevice(one, va)
      const begun = await Promise.all([...both.slice(0, 6).map(() => beginOf(device, person)), endAll(headers)])
      const tokens = begun.filter((token) => token !== undefined)
      const { rows } = await superuser.query("select ended_at from veteran_token_ends where veteran_id = $1", [
        person.id
      ])
      assert.lengthOf(rows, 1)
      const live = await superuser.query(
        "select id from veteran_sessions where veteran_id = $1 and ended_at is null and created_at < $2",
        [person.id, rows[0].ended_at]
      )
      assert.strictEqual(live.rowCount, 0)
      assert.isAtMost(tokens.length, 6)
    }
  })
})

test("A code and the operator's change of the veteran's number take turns at any moment", async () => {
  const person = await registerPerson(one)
  const device = await newDevice()
  const { json: { pairingId } } = await signInByVa(one, va, device, person)
  const holder = await database.connect("superuser")
  await holder.query("begin")
  await holder.query("select from veterans where id = $1 for no key update", [person.id])
  const changed = call(one, "PATCH", `/api/admin/veterans/${person.id}`, {
    headers: asAdmin,
    body: { vaPatientId: randomUUID() }
  })
  const waits = (locktype: string) =>
    until(`somebody waits for a lock of the type ${locktype}`, async () => {
      const { rowCount } = await superuser.query(
        `select from pg_locks l join pg_stat_activity a using (pid)
         where not granted and locktype = $1 and a.datname = current_database()`,
        [locktype]
      )
      return rowCount === 1
    })
  await waits("transactionid")
  const paired = pair(other, device, pairingId, "00000000")
  await waits("advisory")
  await holder.query("commit")
  assert.deepStrictEqual([(await changed).status, (await paired).status], [200, 401])
})

/** Either process may have sent the mail. */
const mailedCode = (email: string) =>
  until(`a code for ${email}`, async () => {
    const mails = (await Promise.all([one, other].map(mailsOf))).flat()
    const mail = mails.find(({ headers }) => headers.get("to") === email)
    return mail !== undefined && /\b\d{4} \d{4}\b/.exec(mail.text)![0]
  })

const beginOf = async (device: Device, person: Person): Promise<string | undefined> =>
  (await signInByVa(other, va, device, person)).json.accessToken

const endAll = async (headers: Record<string, string>) => {
  await call(one, "POST", "/api/veteran/me/sessions/end-all", { headers })
  return undefined
}
