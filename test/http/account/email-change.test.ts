import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { call, type SignedIn, told } from "../../support/Client.ts"
import { until } from "../../support/Until.ts"
import { openVaApp } from "../../support/VaApp.ts"
import { signInByApp } from "../export/Exports.ts"
import { mailsOf } from "../link/Links.ts"

const { database, service, va } = await openVaApp()

const superuser = await database.connect("superuser")

const newAddress = () => `${randomUUID()}@example.org`

const ask = ({ headers }: SignedIn, email: unknown) =>
  call(service, "POST", "/api/veteran/me/email", { headers, body: { email } })

const verify = ({ headers }: SignedIn, challengeId: string, code: string) =>
  call(service, "POST", "/api/veteran/me/email/verify", { headers, body: { challengeId, code } })

const codeTo = (email: string) =>
  until("the code is mailed", async () => {
    const mails = (await mailsOf(service)).filter(({ raw }) => raw.includes(email))
    return mails.flatMap(({ text }) => /\b\d{4} \d{4}\b/.exec(text) ?? []).at(-1)
  }, 20_000)

const addressOf = async ({ id }: SignedIn) =>
  (await superuser.query("select email from veterans where id = $1", [id])).rows[0].email

/** Another code than the right one. */
const wrong = (code: string) => `${(Number(code.replace(" ", "")) + 1) % 1e8}`.padStart(8, "0")

describe("A new e-mail address", () => {
  test("counts once a code that was mailed to it came back", async () => {
    const before = newAddress()
    const veteran = await signInByApp(service, va, before)
    const email = newAddress()
    const asked = await ask(veteran, email)
    assert.strictEqual(asked.status, 202)
    assert.deepStrictEqual(asked.json, { challengeId: asked.json.challengeId, expiresIn: 600 })
    assert.strictEqual(await addressOf(veteran), before)
    const code = await codeTo(email)
    const changed = await verify(veteran, asked.json.challengeId, code)
    assert.strictEqual(changed.status, 200)
    assert.deepInclude(changed.json, { id: veteran.id, email })
    assert.strictEqual(await addressOf(veteran), email)
    assert.deepStrictEqual(told(await verify(veteran, asked.json.challengeId, code)), [401, "otp_invalid"])
    const { json } = await call(service, "GET", "/api/veteran/me/disclosures", { headers: veteran.headers })
    assert.deepInclude(json.items[0], { kind: "email_changed", summary: "You changed your e-mail address." })
  })

  test("is refused after five wrong codes, which are counted, and a new code ends the older one", async () => {
    const veteran = await signInByApp(service, va)
    const email = newAddress()
    const first = (await ask(veteran, email)).json.challengeId
    const firstCode = await codeTo(email)
    const { challengeId } = (await ask(veteran, email)).json
    assert.deepInclude((await verify(veteran, first, firstCode)).json, { error: "otp_invalid", attemptsLeft: 0 })
    const code = await until("the second code is mailed", async () => {
      const latest = await codeTo(email)
      return latest === firstCode ? undefined : latest
    })
    for (const attemptsLeft of [4, 3, 2, 1, 0]) {
      const answer = await verify(veteran, challengeId, wrong(code))
      assert.deepStrictEqual([answer.status, answer.json.error, answer.json.attemptsLeft], [
        401,
        "otp_invalid",
        attemptsLeft
      ])
    }
    assert.deepInclude((await verify(veteran, challengeId, code)).json, { error: "otp_invalid", attemptsLeft: 0 })
    assert.notStrictEqual(await addressOf(veteran), email)
  })

  test("is refused with a code that has expired, and with another veteran's", async () => {
    const [veteran, other] = [await signInByApp(service, va), await signInByApp(service, va)]
    const email = newAddress()
    const { challengeId } = (await ask(veteran, email)).json
    const code = await codeTo(email)
    assert.deepInclude((await verify(other, challengeId, code)).json, { error: "otp_invalid", attemptsLeft: 0 })
    await superuser.query("update email_changes set created_at = created_at - interval '10 minutes' where id = $1", [
      challengeId
    ])
    assert.deepInclude((await verify(veteran, challengeId, code)).json, { error: "otp_invalid", attemptsLeft: 0 })
  })

  test("of 16 parallel tries with the right code, one changes it", async () => {
    const veteran = await signInByApp(service, va)
    const email = newAddress()
    const { challengeId } = (await ask(veteran, email)).json
    const code = await codeTo(email)
    const answers = await Promise.all(Array.from({ length: 16 }, () => verify(veteran, challengeId, code)))
    assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array(15).fill(401)])
    const { rows } = await superuser.query(
      "select count(*)::int from proofs where veteran_id = $1 and kind = 'email_changed'",
      [veteran.id]
    )
    assert.deepStrictEqual(rows, [{ count: 1 }])
  })

  test("of 16 parallel wrong tries, five are counted", async () => {
    const veteran = await signInByApp(service, va)
    const email = newAddress()
    const { challengeId } = (await ask(veteran, email)).json
    const code = wrong(await codeTo(email))
    const answers = await Promise.all(Array.from({ length: 16 }, () => verify(veteran, challengeId, code)))
    const left = answers.map(({ json }) => json.attemptsLeft).toSorted()
    assert.deepStrictEqual(left, [...Array(12).fill(0), 1, 2, 3, 4])
  })

  test("is another one than before, and well-formed", async () => {
    const present = newAddress()
    const veteran = await signInByApp(service, va, present)
    assert.deepStrictEqual(told(await ask(veteran, present)), [409, "conflict"])
    for (const malformed of ["eagle", "a@b", "a@example.org\r\nbcc: b@example.org", 7]) {
      assert.deepStrictEqual(told(await ask(veteran, malformed)), [400, "invalid_request"])
    }
  })

  test("is asked for 5 times a day by a veteran, and a code goes 20 times an hour to an address", async () => {
    const veteran = await signInByApp(service, va)
    for (let time = 0; time < 5; time++) assert.strictEqual((await ask(veteran, newAddress())).status, 202)
    const sixth = await ask(veteran, newAddress())
    assert.deepStrictEqual(told(sixth), [429, "rate_limited"])
    assert.isAbove(Number(sixth.headers.get("retry-after")), 80_000)
    const email = newAddress()
    for (let veterans = 0; veterans < 4; veterans++) {
      const other = await signInByApp(service, va)
      for (let time = 0; time < 5; time++) assert.strictEqual((await ask(other, email.toUpperCase())).status, 202)
    }
    const last = await signInByApp(service, va)
    assert.deepStrictEqual(told(await ask(last, email)), [429, "rate_limited"])
    // What was refused cost the veteran nothing.
    for (let time = 0; time < 5; time++) assert.strictEqual((await ask(last, newAddress())).status, 202)
  })
})
