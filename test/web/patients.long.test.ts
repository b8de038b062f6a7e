import { randomUUID } from "node:crypto"
import type { Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { readPatientRecord } from "../http/Sharing.ts"
import { call, giveGrant, registerVeterans, type SignedIn, signInProvider } from "../support/Client.ts"
import { resource, sync } from "../support/Sync.ts"
import { openInspection } from "./pages/Inspection.ts"
import { refused } from "./pages/Refusals.ts"
import { count, dayOf, inDays, openPatients, rows } from "./patients/Listing.ts"
import { enterPortal } from "./Portal.ts"

const { browser, openList, openVeteran, owner, portal, service } = await openPatients()

/** The address of the list at the service. */
const list = "**/api/provider/patients?*"

/** Simulates the provider's return to the tab. */
const beSeen = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })))

describe("The patients", () => {
  test("Patients are sorted by name, each with the share's last day and the number of incomplete parts", async () => {
    const provider = await signInProvider(service)
    const long = "W".repeat(60)
    const callSigns = ["Zulu", "Álpha", "echo", "Kilo", long]
    const [zulu, alpha, echo, kilo, wide] = await Promise.all(callSigns.map(openVeteran)) as [
      SignedIn,
      SignedIn,
      SignedIn,
      SignedIn,
      SignedIn
    ]
    const [soon, later, month, today] = [inDays(2.9), inDays(6.99), inDays(30), inDays(0.01)]
    await giveGrant(service, zulu, provider, { ...soon, purpose: "a second opinion" })
    await giveGrant(service, alpha, provider, { ...month, purpose: "treatment" })
    await giveGrant(service, alpha, provider, { ...soon, purpose: "billing" })
    await giveGrant(service, alpha, provider, { ...today, purpose: "treatment" })
    await giveGrant(service, echo, provider, { ...later, purpose: "<b>treatment</b>" })
    await giveGrant(service, kilo, provider, today)
    await giveGrant(service, wide, provider, { ...month, purpose: "x".repeat(200) })
    const endsToday = new Date(today.expiresAt).toDateString() === new Date().toDateString()
    const synced = await call(service, "POST", "/api/veteran/me/health-record/sync", {
      headers: zulu.headers,
      body: { fhirResourceFetchStatuses: { Condition: "partial", Immunization: "partial" }, resources: {} }
    })
    assert.strictEqual(synced.status, 200)
    const { look, order, page } = await openList(provider)
    await count(page, "5 patients")
    await look("patients")
    assert.deepStrictEqual(await order(), [
      "link Skip to main content",
      "link Patients",
      "link Desk codes",
      "link Change password",
      "button Sign out",
      "searchbox Search by call sign, name or birth date",
      "button New since you last looked (0)",
      "button Ending this week (2)",
      ...["Álpha", "echo", "Kilo", long, "Zulu"].map((name) => `link ${name}`)
    ])
    const none = "No name or birth date in this list. Open the record."
    const missing = "Not loaded: allergies, medications, problems"
    assert.deepStrictEqual(await rows(page), [
      [`Álpha ${none}`, dayOf(month), "treatment; billing", "Not yet", missing],
      [`echo ${none}`, dayOf(later), "<b>treatment</b>", "Not yet", missing],
      [`Kilo ${none}`, `${dayOf(today)} ${endsToday ? "Ends today" : "1 day left"}`, "treatment", "Not yet", missing],
      [`${long} ${none}`, dayOf(month), "x".repeat(200), "Not yet", missing],
      [
        `Zulu ${none}`,
        `${dayOf(soon)} 3 days left`,
        "a second opinion",
        "Not yet",
        "Not loaded: allergies, medications 2 parts not complete"
      ]
    ])
    await page.getByRole("button", { name: "Ending this week (2)" }).click()
    await count(page, "2 of 5 patients")
    await look("patients, ending this week")
    await page.getByRole("link", { name: "Zulu" }).click()
    await page.waitForURL(`**/#/patients/${zulu.id}`)
  })

  test("The search finds patients among 201 by each word of the call sign, ignoring case and accents", async () => {
    const provider = await signInProvider(service)
    const veterans = await registerVeterans(owner, 201)
    await owner.query(
      "update veterans set call_sign = 'Eagle ' || n from unnest($1::uuid[]) with ordinality as v (id, n) where v.id = veterans.id",
      [
        veterans.map(({ id }) => id)
      ]
    )
    await owner.query("update veterans set call_sign = 'José Ñandú' where id = $1", [veterans.at(-1)!.id])
    await owner.query(
      `insert into consent_grants (id, veteran_id, provider_id, sensitive_categories, include_self_reported, include_documents, purpose, status, granted_at, expires_at)
       select id, veteran_id, $3, '{}', false, false, 'treatment', 'active', now(), now() + interval '30 days' from unnest($1::uuid[], $2::uuid[]) as g (id, veteran_id)`,
      [veterans.map(() => randomUUID()), veterans.map(({ id }) => id), provider.id]
    )
    const { look, page } = await openList(provider)
    await count(page, "201 patients")
    assert.strictEqual(await page.locator("tbody tr").count(), 100)
    assert.deepStrictEqual(
      await page.locator("tbody a").evaluateAll((links) => links.slice(0, 3).map(({ textContent }) => textContent)),
      ["Eagle 1", "Eagle 2", "Eagle 3"]
    )
    await page.getByRole("button", { name: "Show 100 more" }).click()
    assert.strictEqual(await page.locator("tbody tr").count(), 200)
    assert.strictEqual(await page.evaluate("document.activeElement.textContent"), "Eagle 101")
    await page.getByLabel("Search by call sign, name or birth date").fill("nandu jose")
    await count(page, "1 of 201 patients")
    await page.getByRole("link", { name: "José Ñandú" }).click()
    await page.getByRole("link", { name: "Patients" }).click()
    assert.strictEqual(await page.getByLabel("Search by call sign, name or birth date").inputValue(), "nandu jose")
    await page.getByLabel("Search by call sign, name or birth date").fill("nobody of this name")
    await count(page, "None of 201 patients")
    await look("patients, none found")
    await page.getByRole("button", { name: "Show all patients" }).click()
    await count(page, "201 patients")
  })

  test("A patient whose record has something new is marked and can be filtered, and one who ended the share leaves", async () => {
    const provider = await signInProvider(service)
    const [hawk, owl] = await Promise.all(["Hawk", "Owl"].map(openVeteran)) as [SignedIn, SignedIn]
    const grants: Array<{ readonly id: string }> = []
    for (const veteran of [hawk, owl]) {
      grants.push(await giveGrant(service, veteran, provider))
      await readPatientRecord(service, provider, veteran)
    }
    await sync(service, owl, { Condition: "complete" }, { Condition: [resource("Condition", "c")] })
    const { context, expect, look, page } = await openList(provider)
    expect(refused)
    await count(page, "2 patients")
    const looked = async () => (await rows(page)).map(([, , , looked]) => looked!.replace(/^.*\d [AP]M/, "TIME"))
    assert.deepStrictEqual(await looked(), ["TIME", "TIME New since you last looked"])
    await page.getByRole("button", { name: "New since you last looked (1)" }).click()
    await count(page, "1 of 2 patients")
    await page.getByRole("link", { name: "Owl" }).click()
    await page.getByRole("heading", { level: 1, name: "Owl" }).waitFor()
    await page.getByRole("link", { name: "Back to all patients" }).click()
    await page.getByRole("button", { name: "New since you last looked (0)" }).waitFor()
    assert.deepStrictEqual(await looked(), ["TIME", "TIME"])

    // A patient who ended the share leaves the list when it is read again, and the page says who.
    await call(service, "POST", `/api/veteran/me/consent-grants/${grants[0]!.id}/revoke`, { headers: hawk.headers })
    await beSeen(page)
    await page.getByRole("status").getByText("Hawk no longer shares with you.").waitFor()
    await count(page, "1 patient")
    assert.strictEqual(await page.getByRole("link", { name: "Hawk" }).count(), 0)
    await look("patients, one left")
    // If the list cannot be read again, the old list stays, and the page says how old it is.
    await page.route(list, (route) => route.abort())
    await beSeen(page)
    await page.getByRole("status").getByText(/^This list is as of \d+:\d\d [AP]M$/).waitFor()
    await page.getByRole("link", { name: "Owl" }).waitFor()
    await page.unroute(list)
    await context.setOffline(true)
    await page.getByRole("status").getByText(/^What you see was loaded at \d+:\d\d [AP]M\.$/).waitFor()
    await look("patients, offline")
    await context.setOffline(false)
    await page.getByText("You are offline").waitFor({ state: "detached" })
    await page.getByText("This list is as of").waitFor({ state: "detached" })
  })

  test("A list that could not be read is requested again, and an empty one shows the e-mail, which can be copied", async () => {
    const provider = await signInProvider(service)
    const { context, expect, look, order, page } = await openInspection(browser)
    expect(refused)
    // Each request fails, for the list is read again by itself while it is looked at.
    await page.route(list, (route) => route.abort())
    await enterPortal(page, portal, provider.email)
    await page.getByRole("alert").getByText("The service can't be reached").waitFor()
    await look("patients, not read")
    await page.unroute(list)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByText("No one shares with you yet.").waitFor()
    assert.strictEqual(await page.evaluate("document.activeElement.tagName"), "H1")
    await look("patients, none")
    assert.deepStrictEqual((await order()).slice(4), ["button Sign out", "button Copy your e-mail"])
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: portal })
    await page.getByText(`No one shares with you yet. A patient can find you by ${provider.email}`).waitFor()
    await page.getByRole("button", { name: "Copy your e-mail" }).click()
    await page.getByRole("status").getByText("Copied.").waitFor()
    assert.strictEqual(await page.evaluate(() => navigator.clipboard.readText()), provider.email)
  })
})
