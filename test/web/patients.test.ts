import { randomUUID } from "node:crypto"
import type { Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { call, giveGrant, registerVeterans, type SignedIn, signInProvider, signInVeteran } from "../support/Client.ts"
import { openBrowser, openTab } from "./Browser.ts"
import { atPatients, enterPortal, openPortal } from "./Portal.ts"

const { database, portal, service } = await openPortal()
const browser = await openBrowser()
const owner = await database.connect("owner")

const day = 24 * 3_600_000

const inDays = (days: number) => ({ expiresAt: new Date(Date.now() + days * day).toISOString() })

/** The date on which a share expires, as the page shows it. The page and the test have the same time zone. */
const dayOf = ({ expiresAt }: { readonly expiresAt: string }) =>
  new Intl.DateTimeFormat("en-US", { dateStyle: "medium" }).format(new Date(expiresAt))

const openVeteran = async (callSign: string): Promise<SignedIn> => {
  const veteran = await signInVeteran(service)
  await owner.query("update veterans set call_sign = $2 where id = $1", [veteran.id, callSign])
  return veteran
}

const openList = async (provider: { readonly email: string }) => {
  const tab = await openTab(browser)
  await enterPortal(tab.page, portal, provider.email)
  await atPatients(tab.page)
  return tab
}

const rows = async (page: Page) =>
  page.locator("tbody tr").evaluateAll((rows) =>
    rows.map((row) =>
      [...(row as HTMLTableRowElement).cells].map(({ innerText }) => innerText.replace(/\s+/g, " ").trim())
    )
  )

const count = (page: Page, words: string) => page.getByRole("status").getByText(words, { exact: true }).waitFor()

/** Simulates the provider's return to the tab. */
const beSeen = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })))

describe("The patients", () => {
  test("Patients are sorted by name, each with the share's last day and the number of incomplete parts", async () => {
    const provider = await signInProvider(service)
    const [zulu, alpha, echo, kilo] = await Promise.all(["Zulu", "Álpha", "echo", "Kilo"].map(openVeteran)) as [
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
    const endsToday = new Date(today.expiresAt).toDateString() === new Date().toDateString()
    const synced = await call(service, "POST", "/api/veteran/me/health-record/sync", {
      headers: zulu.headers,
      body: { fhirResourceFetchStatuses: { Condition: "partial", Immunization: "partial" }, resources: {} }
    })
    assert.strictEqual(synced.status, 200)
    const { page } = await openList(provider)
    await count(page, "4 patients")
    assert.deepStrictEqual(await rows(page), [
      ["Álpha", dayOf(month), "treatment; billing", ""],
      ["echo", dayOf(later), "<b>treatment</b>", ""],
      ["Kilo", `${dayOf(today)} ${endsToday ? "Ends today" : "1 day left"}`, "treatment", ""],
      ["Zulu", `${dayOf(soon)} 3 days left`, "a second opinion", "2 parts not complete"]
    ])
    await page.getByRole("button", { name: "Ending this week (2)" }).click()
    await count(page, "2 of 4 patients")
    await page.getByRole("link", { name: "Zulu" }).click()
    await page.waitForURL(`**/#/patients/${zulu.id}`)
  })

  test("The search finds patients among 2,000 by each word of the call sign, ignoring case and accents", async () => {
    const provider = await signInProvider(service)
    const veterans = await registerVeterans(owner, 2_000)
    await owner.query(
      "update veterans set call_sign = 'Eagle ' || n from unnest($1::uuid[]) with ordinality as v (id, n) where v.id = veterans.id",
      [
        veterans.map(({ id }) => id)
      ]
    )
    await owner.query("update veterans set call_sign = 'José Ñandú' where id = $1", [veterans[1_999]!.id])
    await owner.query(
      `insert into consent_grants (id, veteran_id, provider_id, sensitive_categories, include_self_reported, include_documents, purpose, status, granted_at, expires_at)
       select id, veteran_id, $3, '{}', false, false, 'treatment', 'active', now(), now() + interval '30 days' from unnest($1::uuid[], $2::uuid[]) as g (id, veteran_id)`,
      [veterans.map(() => randomUUID()), veterans.map(({ id }) => id), provider.id]
    )
    const { page } = await openList(provider)
    await count(page, "2000 patients")
    assert.strictEqual(await page.locator("tbody tr").count(), 100)
    assert.deepStrictEqual((await rows(page)).slice(0, 3).map(([name]) => name), ["Eagle 1", "Eagle 2", "Eagle 3"])
    await page.getByRole("button", { name: "Show 100 more" }).click()
    assert.strictEqual(await page.locator("tbody tr").count(), 200)
    assert.strictEqual(await page.evaluate("document.activeElement.textContent"), "Eagle 101")
    await page.getByLabel("Search by call sign").fill("nandu jose")
    await count(page, "1 of 2000 patients")
    await page.getByRole("link", { name: "José Ñandú" }).click()
    await page.getByRole("link", { name: "Patients" }).click()
    assert.strictEqual(await page.getByLabel("Search by call sign").inputValue(), "nandu jose")
    await page.getByLabel("Search by call sign").fill("nobody of this name")
    await count(page, "None of 2000 patients")
    await page.getByRole("button", { name: "Show all patients" }).click()
    await count(page, "2000 patients")
  })

  test("When the list is read again, a patient who ended the share is gone, and the page names them", async () => {
    const provider = await signInProvider(service)
    const [hawk, owl] = await Promise.all([openVeteran("Hawk"), openVeteran("Owl")])
    const [grant] = await Promise.all([giveGrant(service, hawk, provider), giveGrant(service, owl, provider)])
    const { context, expect, page } = await openList(provider)
    await count(page, "2 patients")
    await call(service, "POST", `/api/veteran/me/consent-grants/${grant.id}/revoke`, { headers: hawk.headers })
    await beSeen(page)
    await page.getByRole("status").getByText("Hawk no longer shares with you.").waitFor()
    await count(page, "1 patient")
    assert.strictEqual(await page.getByRole("link", { name: "Hawk" }).count(), 0)
    // If the list cannot be read again, the old list stays, and the page says how old it is.
    expect(/ERR_FAILED|ERR_INTERNET_DISCONNECTED/)
    await page.route("**/api/provider/patients?*", (route) => route.abort(), { times: 1 })
    await beSeen(page)
    await page.getByRole("status").getByText(/^This list is as of \d+:\d\d [AP]M$/).waitFor()
    await page.getByRole("link", { name: "Owl" }).waitFor()
    await context.setOffline(true)
    await page.getByRole("status").getByText(/^What you see was loaded at \d+:\d\d [AP]M\.$/).waitFor()
    await context.setOffline(false)
    await page.getByText("You are offline").waitFor({ state: "detached" })
    await page.getByText("This list is as of").waitFor({ state: "detached" })
  })

  test("An empty list shows the provider's e-mail, which can be copied for patients", async () => {
    const provider = await signInProvider(service)
    const { context, page } = await openList(provider)
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: portal })
    await page.getByText(`No one shares with you yet. A patient can find you by ${provider.email}`).waitFor()
    await page.getByRole("button", { name: "Copy your e-mail" }).click()
    await page.getByRole("status").getByText("Copied.").waitFor()
    assert.strictEqual(await page.evaluate(() => navigator.clipboard.readText()), provider.email)
  })

  test("A list that cannot be read can be requested again", async () => {
    const provider = await signInProvider(service)
    const tab = await openTab(browser)
    tab.expect(/ERR_FAILED/)
    await tab.page.route("**/api/provider/patients?*", (route) => route.abort(), { times: 1 })
    await enterPortal(tab.page, portal, provider.email)
    await tab.page.getByRole("alert").getByText("The service can't be reached").waitFor()
    await tab.page.getByRole("button", { name: "Try again" }).click()
    await tab.page.getByText("No one shares with you yet.").waitFor()
    assert.strictEqual(await tab.page.evaluate("document.activeElement.tagName"), "H1")
  })
})
