import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { asAdmin, call } from "../../support/Client.ts"
import { newDevice, operatorCode, pair, registerPerson, signInByVa } from "../../support/Device.ts"
import { openOpenIdProvider } from "../../support/OpenIdProvider.ts"
import { runs } from "../../support/Runs.ts"
import { until } from "../../support/Until.ts"
import { openVaIssuer } from "../../support/VaIssuer.ts"
import { exchange, openPortal, registerWithGoogle, signInAt } from "../account/GoogleSignIns.ts"
import { mailsOf } from "../link/Links.ts"
import { begin, codeFor, codeMails, proved, registerApp, registerVeteran, submit } from "../oauth/Asking.ts"

const [google, va] = [await openOpenIdProvider(), await openVaIssuer()]

const { database, service } = await openApp({ ...google.environment, ...va.environment })

const owner = await database.connect("owner")

const app = await registerApp(owner)

const newEmail = () => `eagle-${randomUUID()}@example.org`

const change = (kind: "veterans" | "providers", id: string, body: unknown) =>
  call(service, "PATCH", `/api/admin/${kind}/${id}`, { headers: asAdmin, body })

const asksForCode = "That code is not right, or it no longer works."

const toOld = "Your e-mail address was changed"

describe("A veteran's changed e-mail address lets die", () => {
  test("an app's code that was mailed to the old one; the new one gets another", async () => {
    const { email, id } = await registerVeteran(service)
    const browser = await begin(service, app)
    await submit(service, "email", browser, { email })
    const code = await codeFor(service, email)
    const fresh = newEmail()
    assert.strictEqual((await change("veterans", id, { email: fresh })).status, 200)
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
    await change("veterans", id, { email: newEmail() })
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
    await change("veterans", person.id, { email: newEmail() })
    const refused = await pair(service, device, pairingId, code)
    assert.deepStrictEqual([refused.status, refused.json.error], [401, "otp_invalid"])
    const paired = await pair(service, device, pairingId, await operatorCode(service, person.id))
    assert.strictEqual(paired.status, 200)
  })

  test("each code that was asked for at the moment of the change", async () => {
    for (let round = 0; round < runs(20); round++) {
      const { email, id } = await registerVeteran(service)
      const browser = await begin(service, app)
      await Promise.all([
        submit(service, "email", browser, { email }),
        change("veterans", id, { email: newEmail() })
      ])
      await until(
        "the old address was told",
        async () =>
          (await mailsOf(service)).some(({ headers }) =>
            headers.get("to") === email && headers.get("subject") === toOld
          )
      )
      const [mail] = await codeMails(service, email)
      if (mail === undefined) continue
      const code = /\b(\d{4}) (\d{4})\b/.exec(mail.text)!.slice(1).join("")
      assert.include((await submit(service, "code", browser, { code })).text, asksForCode)
    }
  })
})

test("A provider's changed e-mail address forgets the account of Google that was found by the old one", async () => {
  const provider = await registerWithGoogle(service, google)
  const [first, waiting] = [openPortal(), openPortal()]
  const { google_code: used } = await signInAt(service, first, provider.subject)
  assert.strictEqual((await exchange(service, used, first)).status, 200)
  const { google_code: unused } = await signInAt(service, waiting, provider.subject)
  const email = `ada.${randomUUID()}@new-clinic.example`
  assert.strictEqual((await change("providers", provider.id, { email })).json.email, email)
  assert.strictEqual((await exchange(service, unused, waiting)).json.error, "google_code_invalid")
  assert.deepStrictEqual(await signInAt(service, openPortal(), provider.subject), {
    google_error: "google_account_unknown"
  })
  const subject = `google-${randomUUID()}`
  google.accounts.set(subject, { subject, email })
  const page = openPortal()
  const { google_code: code } = await signInAt(service, page, subject)
  assert.strictEqual((await exchange(service, code, page)).json.provider.id, provider.id)
})
