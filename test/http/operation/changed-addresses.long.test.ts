import { assert, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { asAdmin, call } from "../../support/Client.ts"
import { until } from "../../support/Until.ts"
import { mailsOf } from "../link/Links.ts"
import { begin, codeMails, registerApp, registerVeteran, submit } from "../oauth/Asking.ts"

const { database, service } = await openApp()

const app = await registerApp(await database.connect("owner"))

test("A veteran's changed e-mail address lets each code die that was asked for at the moment of the change", async () => {
  for (let round = 0; round < 10; round++) {
    const { email, id } = await registerVeteran(service)
    const browser = await begin(service, app)
    await Promise.all([
      submit(service, "email", browser, { email }),
      call(service, "PATCH", `/api/admin/veterans/${id}`, { headers: asAdmin, body: { email: `new-${email}` } })
    ])
    await until(
      "the old address was told",
      async () =>
        (await mailsOf(service)).some(({ headers }) =>
          headers.get("to") === email && headers.get("subject") === "Your e-mail address was changed"
        )
    )
    const [mail] = await codeMails(service, email)
    if (mail === undefined) continue
    const code = /\b(\d{4}) (\d{4})\b/.exec(mail.text)!.slice(1).join("")
    assert.include(
      (await submit(service, "code", browser, { code })).text,
      "That code is not right, or it no longer works."
    )
  }
})
