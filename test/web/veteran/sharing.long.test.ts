import type { Locator, Page } from "playwright-core"
import { assert, beforeEach, describe, test } from "vitest"
import { createLink, step } from "../../http/link/Links.ts"
import { giveCode, redeem, registerClient } from "../../http/oauth/Grants.ts"
import { signed } from "../../http/release/Releases.ts"
import { expireGrant, readPatientRecord, revoke } from "../../http/Sharing.ts"
import { bearer, call, giveGrant, signInProvider } from "../../support/Client.ts"
import { resource, sync } from "../../support/Sync.ts"
import { openBrowser, openTab } from "../Browser.ts"
import { answerOnce } from "../pages/Refusals.ts"
import { inDays } from "../patients/Listing.ts"
import { button, heading } from "../Portal.ts"
import { afterFrame, inspectTab } from "./Inspected.ts"
import { follow } from "./OwnRecords.ts"
import { enterApp, newSharer, type Sharer } from "./Sharers.ts"
import { atLocked, openVeteranApp, signInBeside } from "./VeteranApp.ts"

const app = await openVeteranApp()

const { database, service } = app

const superuser = await database.connect("superuser")

const runtime = await database.connect("runtime")

const browser = await openBrowser()

let veteran: Sharer

beforeEach(async () => {
  veteran = await newSharer(app)
})

const enter = async (page: Page) => {
  await enterApp(page, app, veteran, "#/sharing")
  await heading(page, "Who has my record now").waitFor()
}

/** Leaves the screen, and comes back to the list as it is now. */
const enterAgain = async (page: Page) => {
  await follow(page, "#/home")
  await heading(page, /^Hello/).waitFor()
  await follow(page, "#/sharing")
  await heading(page, "Who has my record now").waitFor()
}

const card = (page: Page, name: string) => page.locator("main > ul > li").filter({ hasText: name })

const connectApp = async (types: ReadonlyArray<string>) => {
  const client = await registerClient(service, { name: "HeartWise" })
  const given = await giveCode(runtime, client, veteran, { types })
  const { json } = await redeem(service, client, given)
  return bearer(json.access_token)
}

const stopPath = "**/api/veteran/me/sharing/*/*/stop"

describe("The screen Sharing", () => {
  test("Each card says who, what, until when, and when they looked", async () => {
    const { look, order, page } = await inspectTab()
    const provider = await signInProvider(service)
    await sync(service, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "c1")] })
    await revoke(service, veteran, await giveGrant(service, veteran, provider))
    await giveGrant(service, veteran, provider, {
      ...inDays(3),
      includeDocuments: false,
      sensitiveCategories: ["hiv", "drug_abuse"]
    })
    await readPatientRecord(service, provider, veteran)
    await connectApp(["Observation"])
    const link = await createLink(service, veteran, { recipientName: "Morgan Lee" })
    await step(service, "open", { token: link.token })
    await enter(page)
    await page.getByText("4 can see it. You can stop each one here.").waitFor()

    const textOf = async (of: Locator) => (await of.innerText()).replaceAll(/\n+/g, "\n")
    const asProvider = await textOf(card(page, "in our portal"))
    assert.match(asProvider, /Dr\. Ada Gray\nGray Clinic · in our portal\n3 days left\n/)
    assert.match(asProvider, /Can read\nEverything, and my own words\n/)
    assert.match(asProvider, /Protected parts\nDrug use, HIV\n/)
    assert.match(asProvider, /Until\n[A-Z][a-z]{2} \d{1,2}, \d{4}\n/)
    assert.match(asProvider, /Last looked\nToday, \d{1,2}:\d\d [AP]M\n/)
    const asApp = await textOf(card(page, "HeartWise"))
    assert.match(asApp, /HeartWise\nAn app you let in\n90 days left\n/)
    assert.match(asApp, /Can read\nLab results and vital signs\n/)
    assert.match(asApp, /Protected parts\nNone\n/)
    assert.match(asApp, /Last looked\nNot yet\n/)
    const asLink = card(page, "Link for Morgan Lee")
    assert.match(await textOf(asLink), /@clinic\.example · a signed release\n/)
    const track = asLink.getByRole("list", { name: "What became of the link" }).getByRole("listitem")
    const told = (await track.allTextContents()).map((text) => text.replace(/\d{1,2}:\d\d.[AP]M/, "TIME"))
    assert.deepStrictEqual(told, ["Mailed (not yet)", "Opened, TIME", "Code sent (not yet)", "Read (not yet)"])
    const asRelease = await textOf(card(page, "Dr. Ada Gray").filter({ hasText: "End release" }))
    assert.match(asRelease, /Gray Clinic · a signed release\n/)
    assert.match(asRelease, /Conditions and medications \(1 item\)\n/)

    await page.getByText("1 that ended").click()
    await look("sharing")
    assert.deepStrictEqual(afterFrame(await order()).filter((stop) => !stop.includes(", Dr.")), [
      "button Turn off link, Morgan Lee",
      "button Show release, Morgan Lee",
      "button Stop sharing, HeartWise",
      "link Share with someone new",
      "link Sign a release",
      "DisclosureTriangle 1 that ended",
      "button Stop everything",
      "combobox Language, idioma"
    ])
    await card(page, "in our portal").getByRole("link", { name: /^Today, / }).click()
    await heading(page, "Who looked").waitFor()
    await page.getByText("Only Dr. Ada Gray").waitFor()
  })

  test("Those that ended say why, page after page", async () => {
    const { page } = await openTab(browser)
    const provider = await signInProvider(service)
    const give = () => giveGrant(service, veteran, provider)
    for (let n = 0; n < 21; n++) await revoke(service, veteran, await give())
    await expireGrant(superuser, await give())
    const old = await give()
    await giveGrant(service, veteran, provider, { supersedes: old.id })
    const link = await createLink(service, veteran)
    await superuser.query("update secure_links set wrong_codes = 14 where id = $1", [link.id])
    const { challengeId } = (await step(service, "otp", { token: link.token })).json
    await step(service, "otp/verify", { token: link.token, challengeId, code: "00000000" })
    await enter(page)
    await page.getByText("More than 20 that ended").click()
    const ended = page.locator("details").filter({ hasText: "that ended" })
    await ended.getByText("Turned off after wrong codes").waitFor()
    await ended.getByText("Changed for a newer one").waitFor()
    await ended.getByText(/^Ended [A-Z]/).waitFor()
    await button(page, "Show more").click()
    await page.getByText("24 that ended", { exact: true }).waitFor()
    assert.strictEqual(await ended.getByText("Stopped", { exact: true }).count(), 21)
  })

  test("A list is asked for again, stays without a connection, and a stop asks first and holds at once", async () => {
    // A reading of the list may be refused.
    const { context, look, order, page } = await inspectTab()
    await answerOnce(page, "**/api/veteran/me/sharing?limit=200", 503, { error: "service_unavailable", message: "x" })
    await enterApp(page, app, veteran, "#/sharing")
    await page.getByRole("alert").getByText("The service can't be reached").waitFor()
    await button(page, "Try again").click()
    await page.getByText("Nobody can see your record.").waitFor()
    assert.strictEqual(await button(page, "Stop everything").count(), 0)
    assert.strictEqual(await page.getByText(/that ended/).count(), 0)
    await look("sharing, nobody")

    // Without a connection the list stays, and its actions say why they are off.
    const provider = await signInProvider(service)
    await giveGrant(service, veteran, provider)
    await enterAgain(page)
    await page.getByText("1 can see it. You can stop it here.").waitFor()
    await context.setOffline(true)
    await page.getByText(/^What you see was loaded at/).waitFor()
    await card(page, "Dr. Ada Gray").getByText("You are offline.").waitFor()
    await page.getByRole("button", { name: /^Stop sharing/ }).click({ force: true })
    assert.strictEqual(await page.getByRole("dialog").count(), 0)
    await look("sharing, offline")
    await context.setOffline(false)
    await page.getByText(/^What you see was loaded at/).waitFor({ state: "hidden" })

    // A stop that the service refused changed nothing, and says so.
    await answerOnce(page, stopPath, 429, { error: "rate_limited", message: "x", retryAfterSeconds: 120 })
    await page.getByRole("button", { name: /^Stop sharing/ }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Stop sharing" }).click()
    await page.getByRole("alert").getByText(/Wait 2 minutes/).waitFor()
    await page.getByText("1 can see it. You can stop it here.").waitFor()

    // A stop asks first, holds at once for the provider, and is told in green.
    await enterAgain(page)
    assert.strictEqual((await readPatientRecord(service, provider, veteran)).status, 200)
    const opener = page.getByRole("button", { name: "Stop sharing, Dr. Ada Gray" })
    await opener.click()
    const dialog = page.getByRole("dialog", { name: "Stop sharing with Dr. Ada Gray?" })
    await dialog.getByText(
      "They lose access right away. We can’t take back what they read, printed or saved."
    ).waitFor()
    assert.strictEqual(await page.evaluate(() => document.activeElement?.textContent), "Keep sharing")
    await look("sharing, question")
    assert.deepStrictEqual(await order(), ["button Keep sharing", "button Stop sharing"])
    await page.keyboard.press("Escape")
    assert.isTrue(await opener.evaluate((element) => element === document.activeElement))
    assert.strictEqual((await readPatientRecord(service, provider, veteran)).status, 200)

    await opener.click()
    await dialog.getByRole("button", { name: "Stop sharing" }).click()
    await page.getByRole("status").getByText("Dr. Ada Gray can no longer see your record.").waitFor()
    assert.strictEqual((await readPatientRecord(service, provider, veteran)).status, 403)
    assert.strictEqual(await page.evaluate(() => document.activeElement?.tagName), "H1")
    await page.getByText("Nobody can see your record.").waitFor()
    await page.getByText("1 that ended").waitFor()
    await look("sharing, stopped")
  })
})

describe("A stop", () => {
  test("ends one share out of two, a link, a release with its links, or everything, with the numbers first", async () => {
    const { lookAtWords, page } = await inspectTab()
    const provider = await signInProvider(service)
    await giveGrant(service, veteran, provider)
    await giveGrant(service, veteran, provider)
    await enter(page)
    await page.getByRole("button", { name: /^Stop sharing/ }).first().click()
    await page.getByRole("dialog").getByRole("button", { name: "Stop sharing" }).click()
    await page.getByText("This share with Dr. Ada Gray has ended. They still have another one.").waitFor()
    assert.strictEqual((await readPatientRecord(service, provider, veteran)).status, 200)

    // A link is turned off, and a release ends with its links.
    const { document } = await signed(service, veteran)
    const [one, two] = [
      await createLink(service, veteran, { documentId: document.id, recipientName: "Morgan Lee" }),
      await createLink(service, veteran, { documentId: document.id, recipientName: "Robin Roe" })
    ]
    await enterAgain(page)
    await page.getByRole("button", { name: "Turn off link, Morgan Lee" }).click()
    await page.getByRole("dialog", { name: "Turn off the link for Morgan Lee?" })
      .getByRole("button", { name: "Turn off link" }).click()
    await page.getByText("The link for Morgan Lee no longer works.").waitFor()
    assert.strictEqual((await step(service, "open", { token: one!.token })).status, 410)
    assert.strictEqual((await step(service, "open", { token: two!.token })).status, 200)
    await page.getByRole("button", { name: "End release, Dr. Ada Gray" }).click()
    await page.getByRole("dialog", { name: "End the release for Dr. Ada Gray?" })
      .getByRole("button", { name: "End release" }).click()
    await page.getByText("The release for Dr. Ada Gray has ended. Its links no longer work.").waitFor()
    assert.strictEqual((await step(service, "open", { token: two!.token })).status, 410)

    // Everything ends together.
    const access = await connectApp(["Condition"])
    await createLink(service, veteran)
    await enterAgain(page)
    await button(page, "Stop everything").click()
    const dialog = page.getByRole("dialog", { name: "Stop everything?" })
    await dialog.getByText("This stops 1 provider, 1 app, 1 link, 1 release.").waitFor()
    assert.strictEqual(await page.evaluate(() => document.activeElement?.textContent), "Keep everything")
    await lookAtWords("sharing, stop everything")
    await dialog.getByRole("button", { name: "Stop everything" }).click()
    await page.getByRole("status").getByText("Nobody can see your record.").waitFor()
    assert.strictEqual((await readPatientRecord(service, provider, veteran)).status, 403)
    assert.strictEqual((await call(service, "GET", "/api/fhir/R4/Condition", { headers: access })).status, 401)
    await page.getByText("8 that ended").waitFor()
  })

  test("is in doubt while its answer is lost, is sent again, and is asked about again after a session's end", async () => {
    const { context, look, page } = await inspectTab()
    const provider = await signInProvider(service)
    await giveGrant(service, veteran, provider)
    await enter(page)
    await page.getByText("1 can see it.").waitFor()
    let isLost = true
    // The service handles each stop, but its answer does not arrive at first.
    await page.route(stopPath, async (route) => {
      if (!isLost) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await page.route("**/api/veteran/me/sharing?limit=200", (route) => isLost ? route.abort() : route.continue())
    await page.getByRole("button", { name: /^Stop sharing/ }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Stop sharing" }).click()
    await page.getByRole("alert").getByText(
      "We could not reach the service. What you share may not have changed."
    ).waitFor()
    assert.strictEqual(await page.getByText("can no longer see your record").count(), 0)
    await card(page, "Dr. Ada Gray").getByText("We are still trying to stop this.").waitFor()
    await look("sharing, in doubt")
    isLost = false
    await page.evaluate(() => dispatchEvent(new Event("online")))
    await page.getByRole("status").getByText("Dr. Ada Gray can no longer see your record.").waitFor()
    assert.strictEqual(await page.getByText("We could not reach the service").count(), 0)
    // A repeated stop may still be under way.
    await page.unrouteAll({ behavior: "ignoreErrors" })

    // A stop that never reached the service is sent again when the connection is back.
    await giveGrant(service, veteran, provider)
    await enterAgain(page)
    await page.getByRole("button", { name: /^Stop sharing/ }).click()
    await context.setOffline(true)
    await page.getByRole("dialog").getByRole("button", { name: "Stop sharing" }).click()
    await page.getByText("What you share may not have changed.").waitFor()
    assert.strictEqual((await readPatientRecord(service, provider, veteran)).status, 200)
    await context.setOffline(false)
    await page.getByText("Dr. Ada Gray can no longer see your record.").waitFor()
    assert.strictEqual((await readPatientRecord(service, provider, veteran)).status, 403)

    // A stop under which the session ends is asked about again after the next sign-in.
    await giveGrant(service, veteran, provider)
    await enterAgain(page)
    await page.getByRole("button", { name: /^Stop sharing/ }).click()
    await superuser.query("update veteran_sessions set ended_at = clock_timestamp() where veteran_id = $1", [
      veteran.id
    ])
    await page.getByRole("dialog").getByRole("button", { name: "Stop sharing" }).click()
    await atLocked(page)
    assert.strictEqual((await readPatientRecord(service, provider, veteran)).status, 200)
    await page.getByText("What you began is still here.").waitFor()
    await signInBeside(context, page, veteran)
    await page.getByRole("dialog", { name: "Stop sharing with Dr. Ada Gray?" })
      .getByRole("button", { name: "Stop sharing" }).click()
    await page.getByText("Dr. Ada Gray can no longer see your record.").waitFor()
    assert.strictEqual((await readPatientRecord(service, provider, veteran)).status, 403)
  })
})
