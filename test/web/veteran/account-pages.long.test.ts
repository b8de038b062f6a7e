import { assert, test } from "vitest"
import { openBrowser } from "../Browser.ts"
import { openInspection } from "../pages/Inspection.ts"
import { answerOnce, once, refused } from "../pages/Refusals.ts"
import { button, heading } from "../Portal.ts"
import { card } from "./Account.ts"
import { enterApp, newSharer } from "./Sharers.ts"
import { openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

const browser = await openBrowser()

const superuser = await app.database.connect("superuser")

test("A name without spaces fits into the sandbox VA's page, which is accessible", async () => {
  const { look, page } = await openInspection(browser)
  await newSharer(app, `Owl${"W".repeat(97)}`)
  await page.goto(app.url)
  await button(page, "Connect to VA").click()
  await heading(page, "Sandbox VA: who are you?").waitFor()
  await look("sandbox VA")
})

test("A name and an address without spaces fit into the account", async () => {
  const { look, page } = await openInspection(browser)
  const veteran = await newSharer(app, `Eagle${"W".repeat(95)}`)
  await superuser.query("update veterans set email = $2 where id = $1", [
    veteran.id,
    `${"w".repeat(60)}@${"mail".repeat(15)}.example.org`
  ])
  await enterApp(page, app, veteran, "#/account")
  await page.getByLabel("Days without an update").waitFor()
  await button(page, "Change e-mail").click()
  await button(page, "Delete my data").click()
  await button(page, "Delete my data in 72 hours").click()
  await page.getByText(/^That is not your name here/).waitFor()
  await look("account, long")
}, 120_000)

test("The account is accessible in each of its states", async () => {
  const { context, expect, look, lookAtWords, order, page } = await openInspection(browser)
  expect(refused)
  const veteran = await newSharer(app, "Eagle One")
  await enterApp(page, app, veteran, "#/account")
  await page.getByLabel("Days without an update").waitFor()
  await page.getByText("Another device").waitFor()
  await button(page, "Delete my data").waitFor()
  await look("account")
  const stops = await order()
  assert.deepStrictEqual(stops.slice(stops.indexOf("link Account") + 1), [
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
  await page.getByRole("button", { name: "Save" }).click()
  await page.getByRole("alert").getByText("Enter a number from 7 to 365.").waitFor()
  await page.route("**/me/exports", once((route) => route.abort()))
  await button(page, "Get all my data").click()
  await card(page, "Get all my data").getByText("The service can't be reached").waitFor()
  await button(page, "Delete my data").click()
  await button(page, "Delete my data in 72 hours").click()
  await page.getByText("That is not your name here. Type: Eagle One").waitFor()
  await look("account, forms with mistakes")
  await page.getByLabel("New e-mail").fill("eagle.one.of.the.first.squadron@mail.example.org")
  await button(page, "Send the code").click()
  await page.getByLabel("Code from the e-mail").fill("12345678")
  await button(page, "Change my e-mail").click()
  await page.getByText("You have 4 tries left.").waitFor()
  await page.getByLabel("Days without an update").fill("30")
  await page.getByRole("button", { name: "Save" }).click()
  await page.getByText("Saved.", { exact: true }).waitFor()
  let finish = () => {}
  const held = new Promise<void>((resume) => {
    finish = resume
  })
  await page.route(
    "**/me/exports",
    once(async (route) => {
      await held
      await route.continue()
    })
  )
  await button(page, "Get all my data").click()
  await page.getByText("Making your copy. Keep this page open until it is saved.").waitFor()
  await look("account, code and copy")
  const download = page.waitForEvent("download")
  finish()
  await download
  await button(page, "Save it again").waitFor()
  await superuser.query(
    `insert into veteran_identities (id, veteran_id, issuer, subject_hash, how, paired_at)
     select gen_random_uuid(), veteran_id, issuer, sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'session', now()
     from veteran_identities, generate_series(1, 2) where veteran_id = $1`,
    [veteran.id]
  )
  await button(page, "End on Another device").click()
  await page.getByText("Ended on Another device.").waitFor()
  await page.getByLabel("Type your name as it is here").fill("eagle one")
  await button(page, "Delete my data in 72 hours").click()
  await card(page, "Delete my data").getByText("Everything that you shared has ended.").waitFor()
  await look("account, deletion and copy")
  await page.getByRole("link", { name: "Home", exact: true }).click()
  await heading(page, "Hello, Eagle One").waitFor()
  await look("deletion, home")
  await page.getByRole("link", { name: "Account" }).click()
  await page.getByText("You have 3, which is the most.").waitFor()
  await answerOnce(page, "**/me/deletion/cancel", 503, { error: "service_unavailable", message: "" })
  await button(page, "Keep my data").click()
  await page.getByText("The service can't be reached").waitFor()
  await button(page, "Remove VA sign-in 2").click()
  await page.getByRole("dialog").waitFor()
  await look("account, question")
  assert.deepStrictEqual(await order(), ["button Keep it", "button Remove"])
  await page.keyboard.press("Escape")
  await context.setOffline(true)
  await page.getByText("You are offline").first().waitFor()
  await look("account, offline")
  await context.setOffline(false)
  await button(page, "Keep my data").click()
  await page.getByText("Your data stays.").waitFor()
  await page.route(/\/me(\/identities|\/notices|\/sessions|)$/, (route) => route.abort())
  await page.getByRole("link", { name: "Home", exact: true }).click()
  await page.getByRole("link", { name: "Account" }).click()
  await card(page, "Messages to me").getByRole("button", { name: "Try again" }).waitFor()
  await look("account, unreachable")
  await page.unroute(/\/me(\/identities|\/notices|\/sessions|)$/)
  await card(page, "Messages to me").getByRole("button", { name: "Try again" }).click()
  await page.getByLabel("Days without an update").waitFor()
  await button(page, "Keep the old address").click()
  await page.getByLabel("Language, idioma").selectOption("es")
  await heading(page, "Cuenta").waitFor()
  await button(page, "Borrar mis datos").click()
  await button(page, "Cambiar el correo").click()
  await lookAtWords("account, Spanish")
}, 300_000)
