import { randomUUID } from "node:crypto"
import type { Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { call } from "../../support/Client.ts"
import { until } from "../../support/Until.ts"
import { answerOnce, once } from "../pages/Refusals.ts"
import { button, heading } from "../Portal.ts"
import { card, codeTo, isFocused, mailTo, openAccount, unconfirm, wrong } from "./Account.ts"
import { afterFrame, loseAnswer } from "./Inspected.ts"
import { stored } from "./Stored.ts"
import { atLocked, openVeteranApp, signInAtVa, signInBeside } from "./VeteranApp.ts"

const app = await openVeteranApp()

const { service } = app

const superuser = await app.database.connect("superuser")

const me = "**/api/veteran/me"

const newAddress = () => `${randomUUID()}@example.org`

const emailOf = async ({ id }: { readonly id: string }) =>
  (await superuser.query("select email from veterans where id = $1", [id])).rows[0].email

describe("The e-mail address", () => {
  test("is changed by the code that was mailed to the new one, or says why no code is sent, and the old one is told", async () => {
    const { page, veteran } = await openAccount(app)
    await button(page, "Change e-mail").click()
    const field = page.getByLabel("New e-mail")
    await field.fill(veteran.email)
    await button(page, "Send the code").click()
    await page.getByText("This is your address already.").waitFor()
    await answerOnce(page, `${me}/email`, 429, { error: "rate_limited", message: "", retryAfterSeconds: 50_000 })
    await field.fill(newAddress())
    await button(page, "Send the code").click()
    await page.getByText("Too many codes were sent. You can ask for 5 a day. Wait 14 hours.").waitFor()
    await page.route(`${me}/email`, once((route) => route.abort()))
    await button(page, "Send the code").click()
    await page.getByText("We got no answer. If a code arrives, it will not work. Send a new one.").waitFor()
    await button(page, "Keep the old address").click()
    assert.isTrue(await isFocused(page, "You"))
    assert.strictEqual(await emailOf(veteran), veteran.email)

    const address = newAddress()
    const you = card(page, "You")
    await you.getByText(veteran.email).waitFor()
    await you.getByText(veteran.name).waitFor()
    await button(page, "Change e-mail").click()
    assert.isTrue(await field.evaluate((it) => it === document.activeElement))
    await field.fill("nobody")
    await button(page, "Send the code").click()
    await page.getByText("Enter a whole e-mail address, such as name@example.org.").waitFor()
    await field.fill(` ${address} `)
    await field.press("Enter")
    await page.getByText(`We sent a code to ${address}.`).waitFor()
    const code = page.getByLabel("Code from the e-mail")
    assert.isTrue(await code.evaluate((it) => it === document.activeElement))
    assert.strictEqual(await code.getAttribute("autocomplete"), "one-time-code")
    await code.fill("12")
    await button(page, "Change my e-mail").click()
    await page.getByText("The code has 8 digits.").waitFor()
    await code.fill(await codeTo(app, address))
    await button(page, "Change my e-mail").click()
    await page.getByText("Your e-mail is changed. We told the old address too.").waitFor()
    assert.isTrue(await isFocused(page, "You"))
    await you.getByText(address).waitFor()
    assert.strictEqual(await emailOf(veteran), address)
    await mailTo(app, veteran.email, /./)
  })

  test("counts the tries of a code, is changed by a new one, and is found changed if the answer was lost", async () => {
    const { page, requests, veteran } = await openAccount(app)
    const address = newAddress()
    await button(page, "Change e-mail").click()
    await page.getByLabel("New e-mail").fill(address)
    await button(page, "Send the code").click()
    const code = page.getByLabel("Code from the e-mail")
    await code.waitFor()
    const first = await codeTo(app, address)
    for (const left of ["4 tries", "3 tries", "2 tries", "1 try"]) {
      await code.fill(wrong(first))
      await button(page, "Change my e-mail").click()
      await page.getByText(`That code is not right. You have ${left} left.`).waitFor()
    }
    await code.fill(wrong(first))
    await button(page, "Change my e-mail").click()
    await page.getByText("That code no longer works. Send a new one.").waitFor()
    assert.strictEqual(await button(page, "Change my e-mail").count(), 0)
    await button(page, "Send a new code").click()
    await page.getByText("A new code is on its way. The older one no longer works.").waitFor()
    await code.fill(await codeTo(app, address, first))
    await button(page, "Change my e-mail").click()
    await page.getByText("Your e-mail is changed.").waitFor()
    assert.strictEqual(await emailOf(veteran), address)

    // The code is not tried again if the answer was lost.
    const begun = requests.length
    const next = newAddress()
    await button(page, "Change e-mail").click()
    await page.getByLabel("New e-mail").fill(next)
    await button(page, "Send the code").click()
    await page.getByLabel("Code from the e-mail").fill(await codeTo(app, next))
    await loseAnswer(page, `${me}/email/verify`)
    await button(page, "Change my e-mail").click()
    await page.getByText("The service can't be reached").waitFor()
    await button(page, "Change my e-mail").click()
    await page.getByText("Your e-mail is changed.").waitFor()
    assert.strictEqual(
      requests.slice(begun).filter((request) => request.endsWith("/email/verify") && request.startsWith("POST")).length,
      1
    )
  })

  test("keeps its step when the app is locked between the address and the code", async () => {
    const { context, page, veteran } = await openAccount(app)
    const address = newAddress()
    await button(page, "Change e-mail").click()
    await page.getByLabel("New e-mail").fill(address)
    await button(page, "Send the code").click()
    const code = await codeTo(app, address)
    await call(service, "POST", "/api/veteran/me/sessions/end-all", { headers: veteran.headers })
    await page.getByLabel("Code from the e-mail").fill(code)
    await button(page, "Change my e-mail").click()
    await signInBeside(context, page, veteran)
    await page.getByText(`We sent a code to ${address}.`).waitFor()
    await page.getByLabel("Code from the e-mail").fill(code)
    await button(page, "Change my e-mail").click()
    await page.getByText("Your e-mail is changed.").waitFor()
  })
})

describe("Messages to me", () => {
  const noticesOf = async ({ headers }: { readonly headers: Record<string, string> }) =>
    (await call(service, "GET", "/api/veteran/me/notices", { headers })).json

  test("are saved together with one press, are read again, and keep the choice if the service is away", async () => {
    const { page, requests, veteran } = await openAccount(app)
    const messages = card(page, "Messages to me")
    assert.isTrue(await messages.getByLabel("Once a day").isChecked())
    await messages.getByLabel("Never").check()
    await messages.getByText("Not saved yet.").waitFor()
    await messages.getByLabel("3 days before a share ends").uncheck()
    const days = messages.getByLabel("Days without an update")
    for (const out of ["6", "366", "", "ten"]) {
      await days.fill(out)
      await messages.getByRole("button", { name: "Save" }).click()
      await messages.getByRole("alert").getByText("Enter a number from 7 to 365.").waitFor()
    }
    assert.strictEqual((await noticesOf(veteran)).looks, "daily")
    await days.fill("60")
    await messages.getByRole("button", { name: "Save" }).click()
    await messages.getByText("Saved.", { exact: true }).waitFor()
    assert.deepStrictEqual(await noticesOf(veteran), { looks: "off", endings: false, staleAfterDays: 60 })
    await messages.getByLabel("When I share a record that is not up to date").uncheck()
    await messages.getByRole("button", { name: "Save" }).click()
    await messages.getByText("Saved.", { exact: true }).waitFor()
    assert.isNull((await noticesOf(veteran)).staleAfterDays)
    await page.reload()
    await messages.getByLabel("Never").waitFor()
    assert.isTrue(await messages.getByLabel("Never").isChecked())
    assert.isFalse(await messages.getByLabel("When I share a record that is not up to date").isChecked())

    await messages.getByLabel("Each time").check()
    await answerOnce(page, `${me}/notices`, 503, { error: "service_unavailable", message: "" })
    await messages.getByRole("button", { name: "Save" }).click()
    await messages.getByText("The service can't be reached").waitFor()
    assert.isTrue(await messages.getByLabel("Each time").isChecked())
    const before = requests.length
    await messages.getByRole("button", { name: "Save" }).dblclick()
    await messages.getByText("Saved.", { exact: true }).waitFor()
    assert.strictEqual(
      requests.slice(before).filter((request) => request.startsWith("PUT") && request.endsWith("/notices")).length,
      1
    )
    assert.strictEqual((await noticesOf(veteran)).looks, "each")
  })
})

/** A second account of the VA for the veteran, as if it had been added. */
const addIdentity = ({ id }: { readonly id: string }) =>
  superuser.query(
    `insert into veteran_identities (id, veteran_id, issuer, subject_hash, how, paired_at)
     select gen_random_uuid(), veteran_id, issuer, sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'session', now()
     from veteran_identities where veteran_id = $1 limit 1`,
    [id]
  )

describe("VA sign-ins", () => {
  test("are removed after a question unless it is the last one, also if another device removed one meanwhile", async () => {
    const { look, order, page, veteran } = await openAccount(app)
    const signIns = card(page, "VA sign-ins")
    await signIns.getByText("This is the only one, so it can't be removed. Add another one first.").waitFor()
    await signIns.getByText(/^Added .*, by the people who run this service\. Account at issuer\.va\.example\.$/)
      .waitFor()
    assert.strictEqual(await signIns.getByRole("button", { name: /^Remove/ }).count(), 0)

    // Another device removes the other one, and the card tells it as it is now.
    await addIdentity(veteran)
    await page.reload()
    await button(page, "Remove VA sign-in 1").click()
    await answerOnce(page, /\/identities\/[^/]+\/remove$/ as unknown as string, 409, { error: "conflict", message: "" })
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: "Remove", exact: true }).click()
    await dialog.getByText("The last VA sign-in can't be removed. Add another one first.").waitFor()
    await dialog.getByRole("button", { name: "Keep it" }).click()
    await superuser.query("delete from veteran_identities where veteran_id = $1 and how = 'session'", [veteran.id])
    await button(page, "Remove VA sign-in 2").click()
    await dialog.getByRole("button", { name: "Remove", exact: true }).click()
    await card(page, "VA sign-ins").getByText("This is the only one").waitFor()
    assert.isTrue(await isFocused(page, "VA sign-ins"))

    // There is no room beside three.
    await addIdentity(veteran)
    await addIdentity(veteran)
    await page.reload()
    await page.getByText("You have 3, which is the most. Remove one before you add another.").waitFor()
    assert.strictEqual(await button(page, "Add another VA sign-in").count(), 0)

    // Two are left. Every device is signed out when one of them is removed.
    await superuser.query(
      "delete from veteran_identities where id = (select id from veteran_identities where veteran_id = $1 and how = 'session' limit 1)",
      [veteran.id]
    )
    await page.reload()
    await button(page, "Remove VA sign-in 2").click()
    const question = page.getByRole("dialog", { name: "Remove VA sign-in 2?" })
    await question.getByText("Every device is signed out, this one too.").waitFor()
    await look("account, question")
    assert.deepStrictEqual(await order(), ["button Keep it", "button Remove"])
    await page.keyboard.press("Escape")
    await question.waitFor({ state: "detached" })
    await button(page, "Remove VA sign-in 2").click()
    await question.getByRole("button", { name: "Remove", exact: true }).click()
    await atLocked(page)
    const { rows } = await superuser.query("select 1 from veteran_identities where veteran_id = $1", [veteran.id])
    assert.strictEqual(rows.length, 1)
    assert.strictEqual((await call(service, "GET", "/api/veteran/me", { headers: veteran.headers })).status, 401)
    await until(
      "the mail says it",
      async () => app.mailbox.mails.some(({ recipients }) => recipients.includes(veteran.email))
    )
  })
})

describe("Another VA sign-in", () => {
  const identitiesOf = async ({ headers }: { readonly headers: Record<string, string> }) =>
    (await call(service, "GET", "/api/veteran/me/identities", { headers })).json.items

  const goToVa = async (page: Page) => {
    await button(page, "Add another VA sign-in").click()
    await page.getByText("Sign in the other way there, such as with Login.gov.").waitFor()
    await button(page, "Go to VA").click()
  }

  test("is told apart from one that can't be added, is added in the same session, and opens the account too", async () => {
    const { context, page, requests, veteran } = await openAccount(app)
    await goToVa(page)
    await page.getByRole("link", { name: veteran.name, exact: true }).click()
    await page.getByText("VA signed you in with one that opens a record here already.").waitFor()
    const stranger = app.va.addPerson()
    await goToVa(page)
    await page.getByRole("link", { name: stranger.name, exact: true }).click()
    await page.getByText("This VA sign-in could not be added. VA may know it as another person's.").waitFor()
    await goToVa(page)
    await page.getByRole("link", { name: "Do not connect" }).click()
    await page.getByText("You chose not to connect. Nothing was saved.").waitFor()
    await page.reload()
    await button(page, "Add another VA sign-in").waitFor()
    assert.strictEqual(await page.getByText("You chose not to connect.").count(), 0)
    assert.strictEqual((await identitiesOf(veteran)).length, 1)

    // The page asks first whether it is the veteran, in the sign-in that is known.
    const other = app.va.addPerson({ patientId: veteran.patientId })
    await unconfirm(app, veteran)
    await goToVa(page)
    const dialog = page.getByRole("dialog", { name: "Confirm that it is you" })
    await dialog.getByRole("button", { name: "Cancel" }).click()
    assert.strictEqual(page.url(), `${app.url}/#/account`)
    await button(page, "Go to VA").click()
    const [window] = await Promise.all([
      context.waitForEvent("page"),
      dialog.getByRole("link", { name: "Sign in at VA in a new window" }).click()
    ])
    await window.getByRole("link", { name: veteran.name, exact: true }).click()
    await page.getByRole("link", { name: other.name, exact: true }).click()
    await page.getByText("Added. You can sign in both ways now.").waitFor()
    assert.isTrue(await isFocused(page, "VA sign-ins"))
    assert.strictEqual(page.url(), `${app.url}/#/account`)
    assert.isTrue(requests.some((request) => request.includes("/authorization?") && request.includes("prompt=login")))
    await card(page, "VA sign-ins").getByText("VA sign-in 2", { exact: true }).waitFor()
    assert.strictEqual((await identitiesOf(veteran)).length, 2)
    const { json } = await call(service, "GET", "/api/veteran/me/sessions", { headers: veteran.headers })
    assert.strictEqual(json.items.length, 2)
    assert.deepStrictEqual((await stored(page)).session, {})
    await mailTo(app, veteran.email, /sign-in|account/i)
    await button(page, "Sign out").click()
    await atLocked(page)
    await signInAtVa(page, other)
    await page.getByRole("heading", { level: 1, name: `Hello, ${veteran.name}` }).waitFor()
  })
})

describe("The account", () => {
  test("takes a name and an address without spaces, and so does the sandbox VA's page", async () => {
    const { look, page, veteran } = await openAccount(app, {}, {
      name: `Eagle${"W".repeat(95)}`,
      email: `${"w".repeat(60)}@${"mail".repeat(15)}.example.org`
    })
    await page.getByLabel("Days without an update").waitFor()
    await button(page, "Change e-mail").click()
    await button(page, "Delete my data").click()
    await button(page, "Delete my data in 72 hours").click()
    await page.getByText(/^That is not your name here/).waitFor()
    await look("account, long")
    await button(page, "Sign out").click()
    await button(page, "Sign in at VA instead").click()
    await heading(page, "Sandbox VA: who are you?").waitFor()
    await page.getByText(veteran.name).waitFor()
    await look("sandbox VA")
  })

  test("is accessible with all its cards, their mistakes, a code, a copy and a deletion", async () => {
    const { look, lookAtWords, order, page, veteran } = await openAccount(app)
    await page.getByLabel("Days without an update").waitFor()
    await page.getByText("Another device").waitFor()
    await button(page, "Delete my data").waitFor()
    await look("account")
    assert.deepStrictEqual(afterFrame(await order()), [
      "button Sign out",
      "button Change e-mail",
      "button End on Another device",
      "button End all, this one too",
      "textbox Name, so that you know it again",
      "button Set up on this device",
      "button Add another VA sign-in",
      "radio Once a day",
      "checkbox 3 days before a share ends",
      "checkbox When I share a record that is not up to date",
      "textbox Days without an update",
      "button Save",
      "button Get all my data",
      "button Delete my data",
      "button Forget this device",
      "combobox Language, idioma"
    ])
    await button(page, "Change e-mail").click()
    await button(page, "Add another VA sign-in").click()
    await page.getByLabel("New e-mail").fill("nobody")
    await button(page, "Send the code").click()
    await page.getByText("Enter a whole e-mail address").waitFor()
    await page.getByLabel("Days without an update").fill("5")
    await button(page, "Save").click()
    await page.getByRole("alert").getByText("Enter a number from 7 to 365.").waitFor()
    await page.route("**/me/exports", once((route) => route.abort()))
    await button(page, "Get all my data").click()
    await card(page, "Get all my data").getByText("The service can't be reached").waitFor()
    await button(page, "Delete my data").click()
    await button(page, "Delete my data in 72 hours").click()
    await page.getByText("That is not your name here.").waitFor()
    await look("account, forms with mistakes")
    await page.getByLabel("New e-mail").fill("eagle.one.of.the.first.squadron@mail.example.org")
    await button(page, "Send the code").click()
    await page.getByLabel("Code from the e-mail").fill("12345678")
    await button(page, "Change my e-mail").click()
    await page.getByText("You have 4 tries left.").waitFor()
    await page.getByLabel("Days without an update").fill("30")
    await button(page, "Save").click()
    await page.getByText("Saved.", { exact: true }).waitFor()
    const held = Promise.withResolvers<void>()
    await page.route(
      "**/me/exports",
      once(async (route) => {
        await held.promise
        await route.continue()
      })
    )
    await button(page, "Get all my data").click()
    await page.getByText("Making your copy. Keep this page open until it is saved.").waitFor()
    await look("account, code and copy")
    const download = page.waitForEvent("download")
    held.resolve()
    await download
    await button(page, "Save it again").waitFor()
    await page.getByLabel("Type your name as it is here").fill(veteran.name)
    await button(page, "Delete my data in 72 hours").click()
    await card(page, "Delete my data").getByText("Everything that you shared has ended.").waitFor()
    await look("account, deletion and copy")
    await page.getByRole("link", { name: "Home", exact: true }).click()
    await heading(page, /^Hello/).waitFor()
    await look("deletion, home")
    await page.getByRole("link", { name: "Account" }).click()
    await button(page, "Keep my data").click()
    await page.getByText("Your data stays.").waitFor()
    await button(page, "Keep the old address").click()
    await page.getByLabel("Language, idioma").selectOption("es")
    await heading(page, "Cuenta").waitFor()
    await button(page, "Borrar mis datos").click()
    await button(page, "Cambiar el correo").click()
    await lookAtWords("account, Spanish")
  })

  test("says what could not be read, and without a connection every act is off with the reason", async () => {
    const { context, look, page } = await openAccount(app)
    const parts = /\/me(\/identities|\/notices|\/sessions|)$/
    await page.route(parts, (route) => route.abort())
    await page.getByRole("link", { name: "Home", exact: true }).click()
    await page.getByRole("link", { name: "Account" }).click()
    await card(page, "Messages to me").getByRole("button", { name: "Try again" }).waitFor()
    await look("account, unreachable")
    await page.unroute(parts)
    await page.getByRole("link", { name: "Home", exact: true }).click()
    await page.getByRole("link", { name: "Account" }).click()
    await card(page, "Messages to me").getByRole("button", { name: "Save" }).waitFor()
    await button(page, "Delete my data").click()
    await context.setOffline(true)
    await page.getByText("You are offline").first().waitFor()
    await look("account, offline")
    for (const name of ["Save", "Get all my data", "End all, this one too", "Delete my data in 72 hours"]) {
      assert.strictEqual(await button(page, name).getAttribute("aria-disabled"), "true", name)
      assert.strictEqual(
        await button(page, name).evaluate((it) =>
          document.getElementById(it.getAttribute("aria-describedby")!)?.textContent
        ),
        "You are offline.",
        name
      )
    }
  })
})
