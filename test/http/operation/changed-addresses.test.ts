import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { asAdmin, call } from "../../support/Client.ts"
import { newDevice, operatorCode, pair, registerPerson, signInByVa } from "../../support/Device.ts"
import { until } from "../../support/Until.ts"
import { openVaApp } from "../../support/VaApp.ts"
import { mailsOf } from "../link/Links.ts"
import { begin, codeFor, codeMails, proved, registerApp, registerVeteran, submit } from "../oauth/Asking.ts"

const { database, service, va } = await openVaApp()

const owner = await database.connect("owner")

const app = await registerApp(owner)

const newEmail = () => `eagle-${randomUUID()}@example.org`

const change = (id: string, email: string) =>
  call(service, "PATCH", `/api/admin/veterans/${id}`, { headers: asAdmin, body: { email } })

const asksForCode = "That code is not right, or it no longer works."

describe("A veteran's changed e-mail address lets die", () => {
  test("an app's code that was mailed to the old one; the new one gets another", async () => {
    const { email, id } = await registerVeteran(service)
    const browser = await begin(service, app)
    await submit(service, "email", browser, { email })
    const code = await codeFor(service, email)
    const fresh = newEmail()
    assert.strictEqual((await change(id, fresh)).status, 200)
    assert.include((await submit(service, "code", browser, { code })).text, asksForCode)
    const again = await begin(service, app)
    await submit(service, "email", again, { email })
    await submit(service, "email", await begin(service, app), { email: fresh })
    await codeFor(service, fresh)
    assert.lengthOf(await codeMails(service, email), 1)
  })

  test("a request of an app that was proved by the old one", async () => {
    const { email, id } = await registerVeteran(service)
    const { browser, page } = await proved(service, app, email)
    assert.include(page.text, "<h1>What may Heart Diary read?</h1>")
    await change(id, newEmail())
    const approved = await submit(service, "decision", browser, { decision: "approve", days: "90", type: "Condition" })
    assert.notInclude(approved.headers.get("location") ?? "", app.redirectUri)
    const { rows } = await owner.query("select from consent_grants where veteran_id = $1", [id])
    assert.lengthOf(rows, 0)
  })

  test("a pairing's code that was mailed to the old one, but not the operator's", async () => {
    const old = newEmail()
    const person = await registerPerson(service, old)
    const device = await newDevice()
    const { json: { pairingId } } = await signInByVa(service, va, device, person)
    const mail = await until(
      "the code",
      async () => (await mailsOf(service)).find(({ headers }) => headers.get("to") === old)
    )
    const code = /\b(\d{4}) (\d{4})\b/.exec(mail.text)!.slice(1).join("")
    await change(person.id, newEmail())
    const refused = await pair(service, device, pairingId, code)
    assert.deepStrictEqual([refused.status, refused.json.error], [401, "otp_invalid"])
    const paired = await pair(service, device, pairingId, await operatorCode(service, person.id))
    assert.strictEqual(paired.status, 200)
  })
})
