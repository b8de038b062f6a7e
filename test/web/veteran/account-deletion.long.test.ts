import type { Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { call, giveGrant, signInProvider } from "../../support/Client.ts"
import { resource, sync } from "../../support/Sync.ts"
import { answerOnce } from "../pages/Refusals.ts"
import { button, heading } from "../Portal.ts"
import { card, isFocused, mailTo, openAccount } from "./Account.ts"
import { loseAnswer } from "./Inspected.ts"
import { toCheck } from "./Sharers.ts"
import { openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

const { service } = app

const banner = (page: Page) =>
  page.getByText(/^You asked us to delete your data\. It happens [A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d\d\s[AP]M\.$/)

interface Asker {
  readonly headers: Record<string, string>
}

const deletionOf = async ({ headers }: Asker) =>
  (await call(service, "GET", "/api/veteran/me/deletion", { headers })).status

const confirmDeletion = async (page: Page, name: string) => {
  await button(page, "Delete my data").click()
  await page.getByLabel("Type your name as it is here").fill(name)
  await button(page, "Delete my data in 72 hours").click()
}

/** The window becomes visible again, as after a change to another tab and back. */
const comeBack = (page: Page) => page.evaluate(() => void document.dispatchEvent(new Event("visibilitychange")))

describe("A deletion", () => {
  test("is asked by the name, ends every share, shows on every screen and is taken back there", async () => {
    const { page, veteran } = await openAccount(app)
    const signedIn = { ...veteran, token: veteran.headers.authorization.slice("Bearer ".length) }
    await sync(service, signedIn, { Condition: "complete" }, { Condition: [resource("Condition", "c1")] })
    const provider = await signInProvider(service)
    await giveGrant(service, signedIn, provider)
    await button(page, "Delete my data").click()
    assert.strictEqual(await page.evaluate(() => document.activeElement?.textContent), "Right away")
    await page.getByText("After 72 hours, this is gone for good").waitFor()
    await page.getByText(/^A signed release that somebody was shown\. .*at least 6 years/).waitFor()
    await page.getByLabel("Type your name as it is here").fill("Somebody Else")
    await button(page, "Delete my data in 72 hours").click()
    await page.getByRole("alert").getByText(`That is not your name here. Type: ${veteran.name}`).waitFor()
    assert.strictEqual(await deletionOf(veteran), 404)
    // A phone's keyboard adds a space, and begins with a capital letter or does not.
    await page.getByLabel("Type your name as it is here").fill(` ${veteran.name.toLowerCase()} `)
    await button(page, "Delete my data in 72 hours").click()
    await banner(page).waitFor()
    assert.isTrue(await isFocused(page, "Delete my data"))
    await card(page, "Delete my data").getByText("Everything that you shared has ended.").waitFor()
    assert.strictEqual(await button(page, "Delete my data").count(), 0)
    assert.strictEqual(await deletionOf(veteran), 200)
    await mailTo(app, veteran.email, /delete/i)
    const { json } = await call(service, "GET", "/api/veteran/me/sharing", { headers: veteran.headers })
    assert.deepStrictEqual(json.items, [])
    for (const name of ["Home", "Sharing", "Who looked"]) {
      await page.getByRole("link", { name, exact: true }).click()
      await heading(page, /^(Hello, |Who )/).waitFor()
      await banner(page).waitFor()
    }
    await page.goto(`${app.url}/#/share`)
    await banner(page).waitFor()
    await page.reload()
    await banner(page).waitFor()
    await button(page, "Keep my data").click()
    await page.getByText("Your data stays. What you shared before has ended: share it anew if you want to.").waitFor()
    assert.strictEqual(await banner(page).count(), 0)
    assert.isTrue(await page.getByRole("heading", { level: 1 }).evaluate((it) => it === document.activeElement))
    assert.strictEqual(await deletionOf(veteran), 404)
    await page.getByRole("link", { name: "Account" }).click()
    await button(page, "Delete my data").waitFor()
  })

  test("is looked up if there is no answer, is asked once by two presses, and stays in sight if it can't be taken back", async () => {
    const { page, requests, veteran } = await openAccount(app)
    await button(page, "Delete my data").waitFor()
    const away = /\/me\/(deletion|disclosures)/
    await page.route(away, (route) => route.abort())
    await confirmDeletion(page, veteran.name)
    const own = card(page, "Delete my data")
    await own.getByText("The service can't be reached").waitFor()
    assert.strictEqual(await button(page, "Delete my data").count(), 0)
    await page.unroute(away)
    await own.getByRole("button", { name: "Try again" }).click()
    await own.getByText("This is how it is now.").waitFor()
    await button(page, "Delete my data").waitFor()
    assert.strictEqual(await deletionOf(veteran), 404)

    // It says when it was asked too often.
    await answerOnce(page, "**/me/deletion", 429, { error: "rate_limited", message: "", retryAfterSeconds: 7_200 })
    await confirmDeletion(page, veteran.name)
    await page.getByText("You asked too often today. Wait 2 hours.").waitFor()
    const asked = () => requests.filter((request) => /^POST .*\/deletion$/.test(request)).length
    const before = asked()
    await button(page, "Delete my data in 72 hours").dblclick()
    await banner(page).waitFor()
    assert.strictEqual(asked(), before + 1)

    // It says the reason if it cannot be taken back now.
    await answerOnce(page, "**/me/deletion/cancel", 503, { error: "service_unavailable", message: "" })
    await button(page, "Keep my data").click()
    await page.getByText("The service can't be reached").waitFor()
    await banner(page).waitFor()
    await loseAnswer(page, "**/me/deletion/cancel")
    await button(page, "Keep my data").click()
    await banner(page).waitFor({ state: "detached" })
    assert.strictEqual(await deletionOf(veteran), 404)
  })

  test("whose answer was lost is found, stays taken back, and shows in another window at its next read", async () => {
    const { context, page, veteran } = await openAccount(app)
    await loseAnswer(page, "**/api/veteran/me/deletion")
    await confirmDeletion(page, veteran.name)
    await banner(page).waitFor()
    assert.strictEqual(await button(page, "Delete my data").count(), 0)

    // Once it is taken back, an older read that says otherwise later changes nothing.
    const reading = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<void>()
    await page.route("**/me/deletion", async (route) => {
      if (route.request().method() !== "GET") return route.continue()
      const response = await route.fetch()
      reading.resolve()
      await released.promise
      // The page may have given up the read meanwhile.
      await route.fulfill({ response }).catch(() => {})
      answered.resolve()
    })
    await comeBack(page)
    await reading.promise
    await button(page, "Keep my data").click()
    await page.getByText("Your data stays.").waitFor()
    released.resolve()
    await answered.promise
    // The page has a moment to draw what it was told.
    await page.waitForTimeout(500)
    assert.strictEqual(await banner(page).count(), 0)
    await button(page, "Delete my data").waitFor()
    await page.unroute("**/me/deletion")

    // Another window hears of the next deletion, and of its end.
    const second = await context.newPage()
    await second.goto(`${app.url}/#/home`)
    await heading(second, `Hello, ${veteran.name}`).waitFor()
    await confirmDeletion(page, veteran.name)
    await banner(page).waitFor()
    assert.strictEqual(await banner(second).count(), 0)
    await comeBack(second)
    await banner(second).waitFor()
    await button(second, "Keep my data").click()
    await second.getByText("Your data stays.").waitFor()
    await comeBack(page)
    await banner(page).waitFor({ state: "detached" })
    await button(page, "Delete my data").waitFor()
  })

  test("turns off what would store or share something new, and says why, also to an update that began elsewhere", async () => {
    const { page, veteran } = await openAccount(app)
    await confirmDeletion(page, veteran.name)
    await banner(page).waitFor()
    const isOff = async (name: string) => {
      const off = button(page, name)
      // After a reload, the app hears of the deletion a moment after the screen is there.
      await off.and(page.locator("[aria-disabled=true]")).waitFor()
      const reason = await off.getAttribute("aria-describedby")
      assert.strictEqual(await page.locator(`[id="${reason}"]`).innerText(), "Your data is about to be deleted.", name)
    }
    await page.goto(`${app.url}/#/home`)
    for (const name of ["Get my record from VA", "Share my record", "Sign a release"]) await isOff(name)
    await page.goto(`${app.url}/#/sharing`)
    for (const name of ["Share with someone new", "Sign a release"]) await isOff(name)
    await page.goto(`${app.url}/#/update`)
    // The sign-in's token of the VA leaves the memory, so that an update does not begin at once.
    await page.reload()
    await isOff("Sign in at VA")
    await button(page, "Keep my data").click()
    await page.getByText("Your data stays.").waitFor()
    assert.isNull(await button(page, "Sign in at VA").getAttribute("aria-disabled"))
    await page.goto(`${app.url}/#/home`)
    await page.getByRole("link", { name: "Get my record from VA" }).waitFor()

    // It was asked elsewhere after an update was offered.
    await page.goto(`${app.url}/#/update`)
    await page.reload()
    await button(page, "Sign in at VA").waitFor()
    const asked = await call(service, "POST", "/api/veteran/me/deletion", {
      headers: veteran.headers,
      body: { confirm: veteran.name }
    })
    assert.strictEqual(asked.status, 202, asked.text)
    await button(page, "Sign in at VA").click()
    await page.getByRole("link", { name: veteran.name, exact: true }).click()
    await page.getByText("Your data is about to be deleted", { exact: true }).waitFor()
  })

  test("makes a new share say why it is refused", async () => {
    const { page, veteran } = await openAccount(app)
    const provider = await signInProvider(service)
    await page.goto(`${app.url}/#/share`)
    await toCheck(page, provider.email)
    const other = await page.context().newPage()
    await other.goto(`${app.url}/#/account`)
    await confirmDeletion(other, veteran.name)
    await banner(other).waitFor()
    await button(page, "Share with Dr. Ada Gray").click()
    await page.getByText("Your data is about to be deleted").waitFor()
    await page.getByText("Press “Keep my data” first, then try again.").waitFor()
  })
})
