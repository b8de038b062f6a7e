import type { BrowserContext, Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { giveGrant, signInProvider, signInVeteran } from "../support/Client.ts"
import { openBrowser } from "./Browser.ts"
import { openInspection } from "./pages/Inspection.ts"
import { once, refused } from "./pages/Refusals.ts"
import { atPatients, atSignIn, enterPortal, fillSignIn, heading, openPortal } from "./Portal.ts"

const { database, portal, service } = await openPortal()
const browser = await openBrowser()
const owner = await database.connect("owner")

const minute = 60_000

const record = "#/patients/0198a000-0000-7000-8000-000000000001"

/** Opens a tab in which a provider is signed in. The provider has one patient, Eagle. */
const openSession = async ({ clock = false, route = "" } = {}) => {
  const [provider, veteran] = await Promise.all([signInProvider(service), signInVeteran(service)])
  await giveGrant(service, veteran, provider)
  // Ends the session of the test's client, so that the provider has at most one session.
  await owner.query("update provider_sessions set revoked_at = now() where provider_id = $1", [provider.id])
  const tab = await openInspection(browser)
  // These tests ignore refused requests of the record's screen.
  tab.expect(refused)
  if (clock) await tab.page.clock.install()
  await enterPortal(tab.page, portal, provider.email, route)
  await signOutButton(tab.page).waitFor()
  return { ...tab, provider, veteran }
}

const signOutButton = (page: Page) => page.getByRole("button", { name: "Sign out" })

const liveSessions = async (providerId: string) => {
  const { rows } = await owner.query(
    "select 1 from provider_sessions where provider_id = $1 and revoked_at is null and expires_at > now()",
    [providerId]
  )
  return rows.length
}

const dialog = (page: Page, words: string) => page.getByRole("dialog", { name: "You were signed out" }).getByText(words)

const cookies = async (context: BrowserContext) => (await context.cookies()).map(({ name }) => name)

describe("The session", () => {
  test("The session survives a reload even if the service is away, and no script can read a token or a page that was left", async () => {
    const { context, expect, look, page, requests } = await openSession({ route: record })
    expect(/Failed to fetch dynamically imported module/)
    await page.reload()
    await signOutButton(page).waitFor()
    assert.strictEqual(new URL(page.url()).hash, record)
    const readable = await page.evaluate(async () => ({
      local: Object.fromEntries(Object.entries(localStorage)),
      session: Object.fromEntries(Object.entries(sessionStorage)),
      databases: await indexedDB.databases(),
      caches: await caches.keys(),
      cookie: document.cookie,
      history: JSON.stringify(history.state)
    }))
    assert.deepStrictEqual(readable, {
      local: { "vrss-session": "kept" },
      session: {},
      databases: [],
      caches: [],
      cookie: "",
      history: "null"
    })
    const [cookie, ...others] = await context.cookies()
    assert.deepStrictEqual(others, [])
    assert.strictEqual(cookie!.name, "__Host-vrss-provider")
    assert.deepStrictEqual([cookie!.httpOnly, cookie!.secure, cookie!.sameSite], [true, true, "Strict"])
    const [, secret] = decodeURIComponent(cookie!.value).split(".")
    assert.notInclude(requests.join("\n"), secret!)
    assert.notInclude(requests.join("\n"), "eyJ")
    await page.goto(`${portal}/#/patients`)
    await page.getByRole("link", { name: "Eagle" }).waitFor()
    const left = await page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }))
      return document.body.textContent
    })
    assert.notInclude(left!, "Eagle")
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })))
    await page.getByRole("link", { name: "Eagle" }).waitFor()

    // A page that is loaded while the service is away resumes the session when the service is back.
    await context.route("**/session/resume", once((route) => route.abort()))
    await page.reload()
    await heading(page, "Shared health records").waitFor()
    await page.getByRole("alert").filter({ hasText: "The service can't be reached" }).waitFor()
    await look("portal, service away")
    await page.getByRole("button", { name: "Try again" }).click()
    await atPatients(page)

    // If a screen cannot be fetched, the rest of the page still works.
    await context.route("**/assets/Record-*.js", (route) => route.abort())
    await page.reload()
    await page.getByRole("link", { name: "Eagle" }).click()
    await heading(page, "This can't be shown").waitFor()
    await context.unroute("**/assets/Record-*.js")
    await page.getByRole("button", { name: "Load the page again" }).click()
    await heading(page, "This can't be shown").waitFor({ state: "detached" })
    await signOutButton(page).waitFor()
  })

  test("A sign-out or sign-in in one of two windows applies to both, and nothing is left to go back to", async () => {
    const { context, page, provider, veteran } = await openSession()
    await page.getByRole("link", { name: "Eagle" }).click()
    await page.waitForURL(`**/#/patients/${veteran.id}`)
    const second = await context.newPage()
    await second.goto(`${portal}/${record}`)
    await signOutButton(second).waitFor()
    await signOutButton(page).click()
    await atSignIn(page)
    await second.getByText("You were signed out in another window.").waitFor()
    assert.strictEqual(new URL(second.url()).hash, "#/patients")
    for (const step of [() => page.goBack(), () => page.goForward(), () => page.reload()]) {
      await step()
      await atSignIn(page)
      assert.notInclude(await page.content(), "Eagle")
    }
    await page.waitForFunction(() => localStorage.length === 0)
    assert.deepStrictEqual(await cookies(context), [])
    assert.strictEqual(await liveSessions(provider.id), 0)
    await fillSignIn(page, provider.email)
    await atPatients(page)
    await atPatients(second)
  })

  test("The session is renewed after 55 minutes, and ends after 12 hours; a sign-out is repeated until it arrives", async () => {
    const { context, look, order, page, provider, requests } = await openSession({ clock: true })
    const renewals = () => requests.filter((request) => request.endsWith("/session/refresh")).length
    for (let passed = 0; passed < 54; passed += 18) {
      await page.clock.fastForward(18 * minute)
      await page.keyboard.press("Shift")
    }
    assert.strictEqual(renewals(), 0)
    const renewed = page.waitForResponse("**/session/refresh")
    await page.clock.fastForward(2 * minute)
    assert.strictEqual((await renewed).status(), 200)
    await owner.query(
      "update provider_sessions set expires_at = now() + interval '10 minutes' where provider_id = $1",
      [provider.id]
    )
    await page.reload()
    await page.getByRole("link", { name: "Eagle" }).waitFor()
    await page.clock.fastForward(9 * minute)
    await page.getByRole("link", { name: "Eagle" }).waitFor()
    await page.clock.fastForward(2 * minute)
    await dialog(page, "You were signed out after 12 hours.").waitFor()
    assert.notInclude(await page.content(), "Eagle")
    assert.strictEqual(await page.evaluate(() => document.activeElement?.textContent), "Sign in again")
    // The page's clock ran ahead of the service's, to which the session has not ended.
    await owner.query("update provider_sessions set revoked_at = now() where provider_id = $1", [provider.id])
    await look("dialog, signed out")
    assert.deepStrictEqual(await order(), ["button Sign in again"])
    await page.getByRole("button", { name: "Sign in again" }).press("Enter")
    await page.getByText("You were signed out after 12 hours.").waitFor()
    await look("sign-in, signed out")
    await fillSignIn(page, provider.email)
    await atPatients(page)

    // A sign-out that did not reach the service is repeated after a reload, and the session is not resumed.
    await context.route("**/api/provider/**", (route) => route.abort())
    await signOutButton(page).click()
    await page.getByText("Signing out is not finished").waitFor()
    await look("sign-in, sign-out not finished")
    await page.reload()
    await page.getByText("Signing out is not finished").waitFor()
    await atSignIn(page)
    assert.deepStrictEqual(await cookies(context), ["__Host-vrss-provider"])
    await context.unroute("**/api/provider/**")
    await page.clock.fastForward(6_000)
    await page.getByText("Signing out is not finished").waitFor({ state: "detached" })
    assert.deepStrictEqual(await cookies(context), [])
    assert.strictEqual(await liveSessions(provider.id), 0)
  })

  test("An unused session warns and then ends after 30 minutes, in each window", async () => {
    const { context, look, order, page, provider } = await openSession({ clock: true })
    const second = await context.newPage()
    await second.goto(portal)
    await second.getByRole("link", { name: "Eagle" }).waitFor()
    await page.clock.fastForward(28.5 * minute)
    await page.getByRole("dialog", { name: "Are you still there?" }).waitFor()
    await look("dialog, still there")
    assert.deepStrictEqual(await order(), ["button Stay signed in"])
    await page.getByRole("button", { name: "Stay signed in" }).click()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.clock.fastForward(28.5 * minute)
    await page.getByRole("dialog", { name: "Are you still there?" }).waitFor()
    assert.strictEqual(await liveSessions(provider.id), 1)
    await page.clock.fastForward(2 * minute)
    await dialog(page, "You were signed out after 30 minutes without use.").waitFor()
    await dialog(second, "You were signed out after 30 minutes without use.").waitFor()
    assert.notInclude(await second.content(), "Eagle")
    await page.waitForFunction(() => localStorage.length === 0)
    assert.strictEqual(await liveSessions(provider.id), 0)
    assert.deepStrictEqual(await cookies(context), [])
  })
})
