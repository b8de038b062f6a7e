import type { Page } from "playwright-core"
import { assert, beforeEach, test } from "vitest"
import { createLink, step } from "../../http/link/Links.ts"
import { readPatientRecord } from "../../http/Sharing.ts"
import { giveGrant, signInProvider } from "../../support/Client.ts"
import { resource, sync } from "../../support/Sync.ts"
import { once } from "../pages/Refusals.ts"
import { inDays } from "../patients/Listing.ts"
import { button, heading } from "../Portal.ts"
import { card } from "./Account.ts"
import { afterFrame, inspectTab } from "./Inspected.ts"
import { enterApp, newSharer, type Sharer } from "./Sharers.ts"
import { openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

const { database, service } = app

const superuser = await database.connect("superuser")

let veteran: Sharer

beforeEach(async () => {
  veteran = await newSharer(app)
})

const enter = async (page: Page) => {
  await enterApp(page, app, veteran, "#/home")
  await heading(page, `Hello, ${veteran.name}`).waitFor()
}

const textOf = async (page: Page, title: string) => (await card(page, title).innerText()).replaceAll(/\s+/g, " ")

/** Leads away from the first screen and back, which reads all of it anew. */
const again = async (page: Page) => {
  await page.getByRole("link", { name: "Account" }).click()
  await heading(page, "Account").waitFor()
  await page.getByRole("link", { name: "Home", exact: true }).click()
  await heading(page, `Hello, ${veteran.name}`).waitFor()
}

test("A first run offers to get the record, and then the first screen says how new and whole the record is", async () => {
  const { look, page } = await inspectTab()
  await enter(page)
  await card(page, "Your record").getByText("No record yet").waitFor()
  await card(page, "Who has my record now").getByText("Nobody can see your record.").waitFor()
  await card(page, "Last look").getByText("No one has looked.").waitFor()
  assert.strictEqual(await page.getByText("See all and stop sharing").count(), 0)
  assert.strictEqual(await page.locator(".usa-alert").count(), 0)
  await look("home, first run")
  await page.getByRole("link", { name: "Share my record" }).click()
  await heading(page, "Who do you want to share with?").waitFor()
  await page.goBack()
  const update = await page.getByRole("link", { name: "Get my record from VA" }).getAttribute("href")
  assert.strictEqual(update, "#/update")

  // A record that is new and whole says so. A part that could not be read says so by itself, and the others stand.
  await sync(service, veteran, { Condition: "complete" }, { Condition: [resource("Condition", "c1")] })
  await page.route("**/api/veteran/me/sharing?limit=200", once((route) => route.abort()))
  await again(page)
  await card(page, "Who has my record now").getByText("The service can't be reached").waitFor()
  await card(page, "Your record").getByText("Up to date").waitFor()
  assert.match(
    await textOf(page, "Your record"),
    /^Your record Up to date Updated today, \d{1,2}:\d\d [AP]M\. All kinds are complete\. Update now$/
  )
  await card(page, "Last look").getByText("No one has looked.").waitFor()
  assert.strictEqual(await page.getByRole("alert").count(), 1)
  await button(page, "Try again").click()
  await page.getByText("Nobody can see your record.").waitFor()

  // Kinds that are not complete are counted and named, and an old record is amber.
  await sync(service, veteran, { Condition: "complete", MedicationRequest: "partial", Observation: "partial" }, {
    Condition: [resource("Condition", "c1")],
    MedicationRequest: [resource("MedicationRequest", "m1")],
    Observation: [resource("Observation", "o1")]
  })
  await superuser.query(
    "update veterans set fhir_sync_manifest = jsonb_set(fhir_sync_manifest, '{Condition,lastCompleteAt}', to_jsonb($2::text)) where id = $1",
    [veteran.id, inDays(-40).expiresAt]
  )
  await again(page)
  await card(page, "Your record").getByText("2 kinds not complete").waitFor()
  await card(page, "Your record").getByText(/^Last updated [A-Z][a-z]{2} \d{1,2}, \d{4}$/).waitFor()
  await card(page, "Your record").getByText("Lab results, medications, and vital signs could not all be loaded.")
    .waitFor()
  await page.getByRole("link", { name: "See what is missing" }).click()
  await page.waitForURL(/#\/complete$/)

  // Each request fails, because a late one of the screen before may come first.
  for (const path of [/\/me$/, /\/me\/sharing\?limit=200$/, /\/me\/disclosures\?.*limit=20(&|$)/]) {
    await page.route(path, (route) => route.abort())
  }
  await page.getByRole("link", { name: "Home", exact: true }).click()
  await page.getByRole("alert").nth(2).waitFor()
  await look("home, parts failed")
})

test("The first screen says who has the record, who looked last, and that wrong codes turned a link off", async () => {
  const { look, order, page } = await inspectTab()
  const provider = await signInProvider(service)
  await sync(service, veteran, { Condition: "complete", MedicationRequest: "partial" }, {
    Condition: [resource("Condition", "c1")],
    MedicationRequest: [resource("MedicationRequest", "m1")]
  })
  await giveGrant(service, veteran, provider, inDays(30))
  await readPatientRecord(service, provider, veteran)
  await enter(page)
  // The last look says who and when, and how many are new since the last sign-in.
  await card(page, "Last look").getByText("looked at your record").waitFor()
  assert.match(
    await textOf(page, "Last look"),
    /^Last look Dr\. Ada Gray, Gray Clinic looked at your record today, \d{1,2}:\d\d [AP]M\. See who looked$/
  )
  await page.getByRole("link", { name: /^New since [A-Z][a-z]{2} \d{1,2}, \d{4}: 1 look$/ }).click()
  await heading(page, "Who looked").waitFor()

  // The newest three who have the record stand there, with what they read and how long.
  await giveGrant(service, veteran, provider, inDays(3))
  const link = await createLink(service, veteran, { recipientName: "Morgan Lee" })
  await step(service, "open", { token: link.token })
  await again(page)
  await card(page, "Who has my record now").getByText("And 1 more.").waitFor()
  assert.match(
    await textOf(page, "Who has my record now"),
    /Link for Morgan Lee opened, not read yet 3 days left Dr\. Ada Gray, Gray Clinic can open a signed release 3\d days left Dr\. Ada Gray, Gray Clinic reads all but protected parts 3 days left And 1 more\./
  )
  await page.getByRole("link", { name: "1 share ends in 3 days" }).waitFor()
  await page.getByRole("link", { name: "See all and stop sharing" }).click()
  await page.getByText("4 can see it.").waitFor()

  // A link that wrong codes turned off is told above all.
  await superuser.query("update secure_links set wrong_codes = 14 where id = $1", [link.id])
  const { challengeId } = (await step(service, "otp", { token: link.token })).json
  await step(service, "otp/verify", { token: link.token, challengeId, code: "00000000" })
  await again(page)
  await card(page, "Last look").getByText("Someone typed a wrong code on the link for Morgan Lee today,").waitFor()
  await page.getByText("1 kind not complete").waitFor()
  await look("home")
  const stops = afterFrame(await order())
  assert.deepStrictEqual(stops, [
    "link 1 share ends in 3 days",
    "link A code was typed wrong 15 times: the link is off (Morgan Lee)",
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
  await page.getByRole("link", { name: "A code was typed wrong 15 times: the link is off (Morgan Lee)" }).click()
  await page.getByText("A wrong or expired code was tried on the link for Morgan Lee.").waitFor()
})
