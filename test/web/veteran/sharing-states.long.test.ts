import { assert, beforeEach, describe, test } from "vitest"
import { drain } from "../../http/ledger/Drained.ts"
import { createLink, step } from "../../http/link/Links.ts"
import { readPatientRecord, revoke } from "../../http/Sharing.ts"
import { giveGrant, signInProvider } from "../../support/Client.ts"
import { resource, sync } from "../../support/Sync.ts"
import { openBrowser } from "../Browser.ts"
import { openInspection } from "../pages/Inspection.ts"
import { answerOnce, refused } from "../pages/Refusals.ts"
import { button, heading } from "../Portal.ts"
import { enterApp, newSharer, type Sharer } from "./Sharers.ts"
import { openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

const { database, service } = app

const superuser = await database.connect("superuser")

const browser = await openBrowser()

let veteran: Sharer

beforeEach(async () => {
  veteran = await newSharer(app)
})

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

const fill = () =>
  sync(service, veteran, { Condition: "complete", MedicationRequest: "partial" }, {
    Condition: [resource("Condition", "c1")],
    MedicationRequest: [resource("MedicationRequest", "m1")]
  })

/** A share that ends soon and was used, a signed release, and a link to it that was opened. */
const shareSome = async () => {
  const provider = await signInProvider(service)
  await fill()
  await giveGrant(service, veteran, provider, {
    expiresAt: inDays(3),
    includeDocuments: false,
    sensitiveCategories: ["hiv"]
  })
  await readPatientRecord(service, provider, veteran)
  const link = await createLink(service, veteran, { recipientName: "Morgan Lee" })
  await step(service, "open", { token: link.token })
  return { provider }
}

describe("The screens of sharing", () => {
  test("Home is accessible in each of its states", async () => {
    const { expect, look, order, page } = await openInspection(browser)
    expect(refused)
    await enterApp(page, app, veteran, "#/home")
    await page.getByText("No record yet").waitFor()
    await page.getByText("No one has looked.").waitFor()
    await page.getByText("Nobody can see your record.").waitFor()
    await look("home, first run")
    await shareSome()
    const guessed = await createLink(service, veteran, { recipientName: "Robin Roe" })
    await superuser.query("update secure_links set wrong_codes = 14 where id = $1", [guessed.id])
    const { challengeId } = (await step(service, "otp", { token: guessed.token })).json
    await step(service, "otp/verify", { token: guessed.token, challengeId, code: "00000000" })
    await page.getByRole("link", { name: "Account" }).click()
    await page.getByRole("link", { name: "Home", exact: true }).click()
    await page.getByText("1 share ends in 3 days").waitFor()
    await page.getByText("the link is off").waitFor()
    await page.getByText("1 kind not complete").waitFor()
    await page.getByText("See who looked").waitFor()
    await look("home")
    const stops = await order()
    assert.deepStrictEqual(stops.slice(stops.indexOf("link Account") + 1), [
      "link 1 share ends in 3 days",
      "link A code was typed wrong 15 times: the link is off (Robin Roe)",
      stops.find((stop) => stop.startsWith("link New since"))!,
      "link Update now",
      "link See what is missing",
      "link See all and stop sharing",
      "link Share my record",
      "link See who looked",
      "link My documents",
      "link Sign a release",
      "combobox Language, idioma"
    ])
    // The account's own request must not take the failure that Home shall meet.
    const account = page.waitForResponse(/\/me$/)
    await page.getByRole("link", { name: "Account" }).click()
    await account
    for (const path of [/\/me$/, /\/me\/sharing\?limit=200$/, /\/me\/disclosures\?.*limit=20(&|$)/]) {
      // Each request fails, for Account's own late one may come first.
      await page.route(path, (route) => route.abort())
    }
    await page.getByRole("link", { name: "Home", exact: true }).click()
    await page.getByRole("alert").nth(2).waitFor()
    await look("home, parts failed")
  })

  test("The list of shares is accessible in each of its states", async () => {
    const { context, expect, look, lookAtWords, order, page } = await openInspection(browser)
    expect(refused)
    await enterApp(page, app, veteran, "#/sharing")
    await page.getByText("Nobody can see your record.").waitFor()
    await look("sharing, nobody")
    const { provider } = await shareSome()
    await revoke(service, veteran, await giveGrant(service, veteran, provider))
    await page.evaluate(() => dispatchEvent(new Event("online")))
    await page.getByText("3 can see it. You can stop each one here.").waitFor()
    await page.getByText("1 that ended").click()
    await look("sharing")
    const stops = await order()
    assert.deepStrictEqual(stops.slice(stops.indexOf("link Account") + 1).filter((stop) => !stop.includes(", Dr.")), [
      "button Turn off link, Morgan Lee",
      "button Show release, Morgan Lee",
      "link Share with someone new",
      "link Sign a release",
      "DisclosureTriangle 1 that ended",
      "button Stop everything",
      "combobox Language, idioma"
    ])
    await page.getByRole("button", { name: "Show release, Morgan Lee" }).click()
    await heading(page, "Release for Morgan Lee").waitFor()
    await page.getByText(/^\d+ pages?$/).waitFor()
    await look("sharing, a release")
    await page.goBack()
    await heading(page, "Who has my record now").waitFor()
    const opener = page.getByRole("button", { name: "Stop sharing, Dr. Ada Gray" })
    await opener.click()
    await page.getByRole("dialog").waitFor()
    await look("sharing, question")
    assert.deepStrictEqual(await order(), ["button Keep sharing", "button Stop sharing"])
    await page.keyboard.press("Escape")
    assert.isTrue(await opener.evaluate((element) => element === document.activeElement))
    await button(page, "Stop everything").click()
    await page.getByRole("dialog").waitFor()
    await lookAtWords("sharing, stop everything")
    await button(page, "Keep everything").click()
    await context.setOffline(true)
    await page.getByText(/^What you see was loaded at/).waitFor()
    await look("sharing, offline")
    await context.setOffline(false)
    await page.getByText(/^What you see was loaded at/).waitFor({ state: "hidden" })
    await page.route("**/api/veteran/me/sharing/**", (route) => route.abort())
    await opener.click()
    await page.getByRole("dialog").getByRole("button", { name: "Stop sharing" }).click()
    await page.getByText("What you share may not have changed.").waitFor()
    await look("sharing, in doubt")
    await page.unroute("**/api/veteran/me/sharing/**")
    await page.getByText("Dr. Ada Gray can no longer see your record.").waitFor()
    await look("sharing, stopped")
  })

  test("A new share is accessible in each of its states", async () => {
    const { expect, look, order, page } = await openInspection(browser)
    expect(refused)
    const provider = await signInProvider(service)
    await fill()
    await enterApp(page, app, veteran, "#/share")
    await heading(page, "Who do you want to share with?").waitFor()
    await look("share, who")
    await button(page, "Go on").click()
    await page.getByText("Type the 10 letters and numbers of the code.").waitFor()
    await look("share, who, wrong")
    await page.getByLabel("Their e-mail").check()
    await page.getByLabel("E-mail", { exact: true }).fill(provider.email)
    await button(page, "Find").click()
    await page.getByRole("heading", { name: "Dr. Ada Gray" }).waitFor()
    await look("share, who, found")
    assert.deepStrictEqual(await order(), [
      "link Skip to main content",
      "link Account",
      "radio Their e-mail",
      "textbox E-mail",
      "button Find",
      "button Go on",
      "button Back",
      "combobox Language, idioma"
    ])
    await button(page, "Go on").click()
    await page.getByLabel("Choose kinds").check()
    await button(page, "Go on").click()
    await page.getByText("Choose at least one kind, or everything.").waitFor()
    await look("share, what")
    await page.getByLabel("Everything from VA").check()
    await button(page, "Go on").click()
    await page.getByLabel("HIV").check()
    await look("share, protected parts")
    await button(page, "Go on").click()
    await page.getByLabel("Until a day that I choose").check()
    await page.getByLabel("Something else").check()
    await button(page, "Go on").click()
    await page.getByText("Say in a few words what it is for.").waitFor()
    await look("share, until")
    await page.getByLabel("30 days").check()
    await page.getByLabel("Treatment").check()
    await button(page, "Go on").click()
    await heading(page, "Check, then share").waitFor()
    await page.getByText("They will be told.").waitFor()
    await page.getByText("What this means").click()
    await look("share, check")
    await answerOnce(page, "**/api/veteran/me/consent-grants", 409, { error: "conflict", message: "x" })
    await button(page, "Share with Dr. Ada Gray").click()
    await page.getByText("This can’t be shared now").waitFor()
    await look("share, refused")
    await button(page, "Share with Dr. Ada Gray").click()
    await heading(page, /can see your record until/).waitFor()
    await look("share, done")
  })

  test("The list of looks is accessible in each of its states", async () => {
    const { look, order, page } = await openInspection(browser)
    await enterApp(page, app, veteran, "#/looks")
    await page.getByText("No one has looked.").waitFor()
    await look("looks, nobody")
    await shareSome()
    await superuser.query(
      "update proofs set at = at - interval '3 days' where veteran_id = $1 and kind = 'record_viewed'",
      [veteran.id]
    )
    await drain(service)
    await page.getByLabel("Show everything").check()
    await page.getByText("You signed").first().waitFor()
    await look("looks, everything")
    await page.getByLabel("Show everything").uncheck()
    await page.getByText("Before that").waitFor()
    await page.locator("summary").first().click()
    await page.locator("summary").last().click()
    await button(page, "Check the proof").last().click()
    await page.getByText("It was not changed.").waitFor()
    await page.getByText("What was checked").click()
    await page.route("**/proof", async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replace("link_opened", "link_viewed") })
    })
    await button(page, "Check the proof").first().click()
    await page.getByText("This line does not match the log. Save it and tell support.").waitFor()
    await look("looks, proofs")
    const stops = await order()
    for (const stop of ["switch Show everything", "button Turn off link, Morgan Lee", "button Check the proof"]) {
      assert.include(stops, stop)
    }
    assert.deepStrictEqual(stops.slice(-3), [
      "button Save as a file (CSV)",
      "button Save the looks as FHIR",
      "combobox Language, idioma"
    ])
  })
})
