import type { BrowserContext, Page } from "playwright-core"
import { assert, beforeEach, describe, test } from "vitest"
import { signed } from "../../http/release/Releases.ts"
import { call } from "../../support/Client.ts"
import { turnsOf } from "../../support/Locks.ts"
import { until } from "../../support/Until.ts"
import { openBrowser, openTab } from "../Browser.ts"
import { answerOnce, once, refused } from "../pages/Refusals.ts"
import { button, heading } from "../Portal.ts"
import { newSharer, type Sharer } from "./Sharers.ts"
import {
  atDone,
  enterRelease,
  fillRecord,
  fillSignature,
  fillWho,
  next,
  releasesOf,
  signButton,
  toPreview,
  toSign
} from "./Signers.ts"
import { atLocked, openVeteranApp, signInAtVa } from "./VeteranApp.ts"

const app = await openVeteranApp()

const { service } = app

const browser = await openBrowser()

let veteran: Sharer

beforeEach(async () => {
  veteran = await newSharer(app)
  await fillRecord(app, veteran)
})

const signPath = "**/api/veteran/me/roi"

const previewPath = "**/api/veteran/me/roi/preview"

const open = async (options: Parameters<typeof openTab>[1] = {}) => {
  const tab = await openTab(browser, { viewport: { width: 360, height: 740 }, ...options })
  tab.expect(refused)
  return tab
}

const ready = async (page: Page) => {
  await toSign(page, app, veteran)
  await fillSignature(page)
}

const alert = (page: Page, words: string) => page.getByRole("alert").getByText(words).waitFor()

const doubt = "We don’t know whether it was signed"

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? "")

const looked = (page: Page) => page.getByText("We looked: there is no such release. You can sign again.").waitFor()

/** Signs in in another window, so that this one keeps what it has in memory. */
const signInBeside = async (context: BrowserContext, page: Page) => {
  await atLocked(page)
  const [other] = await Promise.all([
    context.waitForEvent("page"),
    page.getByRole("link", { name: "Sign in in a new window" }).click()
  ])
  await signInAtVa(other, veteran)
}

/** Ends the sessions of all devices but this test's own. */
const endSessions = async () => {
  const { json } = await call(service, "GET", "/api/veteran/me/sessions", { headers: veteran.headers })
  for (const { current, id } of json.items) {
    if (!current) {
      await call(service, "POST", `/api/veteran/me/sessions/${id}/end`, { headers: veteran.headers, body: {} })
    }
  }
}

describe("A release whose answer was lost", () => {
  test("is found by what it says after the app has locked meanwhile, and never signed twice", async () => {
    const { context, page } = await open()
    await ready(page)
    const held = Promise.withResolvers<void>()
    // Another release to the same person is signed meanwhile, in another way.
    await page.route(
      signPath,
      once(async (route) => {
        await route.fetch()
        await signed(service, veteran, { recipient: { name: "Morgan Lee", email: "morgan.lee@harbor.example" } })
        await held.promise
        await route.abort().catch(() => {})
      })
    )
    await signButton(page).click()
    await until("both are signed", async () => (await releasesOf(app, veteran)).length === 2)
    await endSessions()
    held.resolve()
    await signInBeside(context, page)
    await atDone(page)
    const [other, mine, ...more] = await releasesOf(app, veteran)
    assert.deepStrictEqual(more, [])
    await page.getByRole("link", { name: "Make a link" }).click()
    assert.strictEqual(new URL(page.url()).hash, `#/link/${mine.id}`)
    assert.notStrictEqual(other.id, mine.id)
  })

  test("is found though the service is still making it", async () => {
    const { page } = await open()
    await ready(page)
    const superuser = await app.database.connect("superuser")
    let made: Promise<unknown> | undefined
    await page.route(
      signPath,
      once(async (route) => {
        made = route.fetch()
        // An answer is lost only after the request has arrived: signing takes the veteran's turn.
        await until("the service makes it", async () => await turnsOf(superuser, veteran.id) > 0)
        await route.abort()
      })
    )
    await signButton(page).click()
    await atDone(page)
    await made
    assert.lengthOf(await releasesOf(app, veteran), 1)
  })
})

describe("A release that the service refuses", () => {
  const reasons: ReadonlyArray<readonly [what: string, status: number, json: object, words: string]> = [
    ["a release that is too large", 409, {
      error: "conflict",
      message: "A release holds 20,000 items at most. Choose fewer kinds of record, or a shorter range of dates."
    }, "A release holds at most 20,000 items. Choose fewer kinds, or some dates."],
    ["a document that is gone", 409, {
      error: "conflict",
      message: "A document that the release names, or the release that it replaces, is gone. Sign again."
    }, "A document that you chose, or the release that this one replaces, is gone. Choose again."],
    ["a deletion that was asked", 409, { error: "deletion_pending", message: "x" },
      "You asked us to delete your data, so nothing new can be signed."],
    ["another release under way", 429, { error: "rate_limited", message: "x", retryAfterSeconds: 2 },
      "Your other release is still being made. Wait 2 seconds, then try again."],
    ["a full disk", 507, { error: "storage_full", message: "x" },
      "The service has no room for it now. Nothing was stored. Try again later."]
  ]

  test("leads to its issues, says each reason, is looked for if nobody knows, and is signed once by a double press", async () => {
    const { page } = await open()
    await ready(page)
    await answerOnce(page, signPath, 400, {
      error: "invalid_request",
      message: "The request does not fit the schema: see 'issues'.",
      issues: [
        { path: ["expiration", "date"], message: "Expected a date that is not past" },
        { path: ["recipient", "email"], message: "Expected an e-mail address" },
        { path: ["veteran", "dateOfBirth"], message: "Expected a date that is not in the future" }
      ]
    })
    await signButton(page).click()
    await heading(page, "Who gets it, and why?").waitFor()
    const summary = page.getByRole("alert").filter({ hasText: "2 things to mend" })
    await summary.getByText("Write the whole date of birth.").or(summary.getByText("Write your whole date of birth."))
      .waitFor()
    await summary.getByRole("button", { name: "Write the whole e-mail address" }).click()
    assert.strictEqual(await page.evaluate(() => document.activeElement?.getAttribute("data-place")), "email")
    for (const title of ["What does it carry?", "Until when?", "Look at it before you sign", "Sign the release"]) {
      await next(page)
      await heading(page, title).waitFor()
    }
    // A service that was away may have heard of the release, and one whose answer is lost too.
    await answerOnce(page, signPath, 503, { error: "service_unavailable", message: "x", requestId: "r1" })
    await signButton(page).click()
    await looked(page)
    for (const [what, status, json, words] of reasons) {
      await answerOnce(page, signPath, status, { requestId: "r1", ...json })
      await signButton(page).click()
      await alert(page, words)
      assert.lengthOf(await releasesOf(app, veteran), 0, what)
    }
    await page.route(signPath, once((route) => route.abort()))
    await signButton(page).click()
    await looked(page)
    assert.lengthOf(await releasesOf(app, veteran), 0)
    await page.route(signPath, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      await route.continue()
    })
    await signButton(page).dblclick()
    await signButton(page).click({ force: true })
    await atDone(page)
    assert.lengthOf(await releasesOf(app, veteran), 1)
  })
})

test("A release asks for a confirmation first, is signed once, and a second window then says that there is one", async () => {
  const { context, page } = await open()
  await ready(page)
  assert.strictEqual(await page.getByText("already has a release in force").count(), 0)
  const second = await context.newPage()
  await second.goto(`${app.url}/#/release`)
  await fillWho(second)
  for (let n = 0; n < 3; n++) await next(second)
  await second.getByText(/^\d+ pages$/).waitFor()
  const superuser = await app.database.connect("superuser")
  await superuser.query(
    "update veteran_sessions set confirmed_at = now() - interval '6 minutes' where veteran_id = $1",
    [veteran.id]
  )
  await signButton(page).click()
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" })
  await button(page, "Cancel").click()
  await page.getByText("You did not confirm that it is you. Nothing was signed.").waitFor()
  assert.include(await focused(page), "You did not confirm that it is you. Nothing was signed.")
  assert.lengthOf(await releasesOf(app, veteran), 0)
  await signButton(page).click()
  const [other] = await Promise.all([
    context.waitForEvent("page"),
    dialog.getByText("Sign in at VA in a new window").click()
  ])
  await other.getByRole("link", { name: veteran.name, exact: true }).click()
  await atDone(page)
  assert.lengthOf(await releasesOf(app, veteran), 1)
  await next(second)
  await second.getByText("This e-mail already has a release in force, signed:").waitFor()
})

describe("A release without a connection", () => {
  test("is off at each step, loses nothing of the form, and is not signed while nobody knows whether it was", async () => {
    // The app opens its other screens without a connection.
    const { context, page, requests } = await open({ serviceWorkers: "allow" })
    await toPreview(page, app, veteran)
    await context.setOffline(true)
    await page.getByText("You are offline").first().waitFor()
    await next(page)
    await fillSignature(page)
    // Enter in a field sends nothing either.
    await page.getByLabel("Type your full name").press("Enter")
    await heading(page, "Sign the release").waitFor()
    assert.strictEqual(await signButton(page).getAttribute("aria-disabled"), "true")
    assert.lengthOf(requests.filter((one) => one.endsWith("/roi")), 0)
    await button(page, "Back").click()
    await button(page, "Back").click()
    await page.getByLabel("After 7 days").or(page.getByLabel("After 1 week")).check()
    await next(page)
    await page.getByText("The service can't be reached").waitFor()
    await context.setOffline(false)
    await button(page, "Try again").click()
    await page.getByText(/^\d+ pages$/).waitFor()
    await next(page)
    await page.route(
      signPath,
      once(async (route) => {
        await route.fetch()
        await context.setOffline(true)
        await route.abort()
      })
    )
    await signButton(page).click()
    await alert(page, doubt)
    assert.strictEqual(await signButton(page).getAttribute("aria-disabled"), "true")
    await page.getByText("We look for the release first.", { exact: true }).waitFor()
    // A page whose requests are intercepted has no cache.
    await page.unroute(signPath)
    // The veteran leaves the screen, and comes back to it.
    await page.evaluate(() => location.assign("#/sharing"))
    await heading(page, "Who has my record now").waitFor()
    await page.evaluate(() => location.assign("#/release"))
    await alert(page, doubt)
    await context.setOffline(false)
    await atDone(page)
    assert.lengthOf(await releasesOf(app, veteran), 1)
  })
})

describe("An unsigned release", () => {
  test("shows what to mend, is gone once its screen is left, and stays in a lock without the parts about health", async () => {
    const { context, page } = await open()
    await enterRelease(page, app, veteran)
    await heading(page, "Who gets it, and why?").waitFor()
    // What to mend is far above the pressed button, and is brought into sight.
    await next(page)
    await page.getByText("things to mend").waitFor()
    assert.match(await focused(page), /things to mend/)
    await fillWho(page)
    await page.evaluate(() => location.assign("#/sharing"))
    await heading(page, "Who has my record now").waitFor()
    await page.evaluate(() => location.assign("#/release"))
    await heading(page, "Who gets it, and why?").waitFor()
    assert.strictEqual(await page.getByLabel("Their name").inputValue(), "")
    await fillWho(page)
    await page.getByLabel("In your words").fill("a second opinion on my cancer")
    await next(page)
    await page.getByLabel("HIV").check()
    await next(page)
    await heading(page, "Until when?").waitFor()
    await endSessions()
    await next(page)
    await signInBeside(context, page)
    await heading(page, "Who gets it, and why?").waitFor()
    await page.getByText("this app forgot the protected parts and the reasons").waitFor()
    assert.strictEqual(await page.getByLabel("Their name").inputValue(), "Morgan Lee")
    assert.strictEqual(await page.getByLabel("In your words").inputValue(), "")
    await next(page)
    assert.isFalse(await page.getByLabel("HIV").isChecked())
  })

  test("lets its pages be given up while they are made, and says why they are not made", async () => {
    const { page } = await open()
    await enterRelease(page, app, veteran)
    await fillWho(page)
    await next(page)
    await next(page)
    let hold = () => {}
    const held = new Promise<void>((resolve) => {
      hold = resolve
    })
    await page.route(
      previewPath,
      once(async (route) => {
        await held
        await route.abort().catch(() => {})
      })
    )
    await next(page)
    await page.getByText("Making your pages").waitFor()
    await button(page, "Cancel").click()
    hold()
    await answerOnce(page, previewPath, 429, {
      error: "rate_limited",
      message: "x",
      requestId: "r1",
      retryAfterSeconds: 600
    })
    await button(page, "Make the pages").click()
    await alert(page, "You made 10 previews in a short time. Wait 10 minutes, then try again.")
    await answerOnce(page, previewPath, 409, {
      error: "conflict",
      message: "A release holds 64 MiB of record at most. Choose fewer kinds of record, or a shorter range of dates.",
      requestId: "r1"
    })
    await button(page, "Make the pages").click()
    await alert(page, "A release holds at most 64 MiB of record. Choose fewer kinds, or some dates.")
    await button(page, "Change what it carries").click()
    await heading(page, "What does it carry?").waitFor()
    await next(page)
    await next(page)
    await page.getByText(/^\d+ pages$/).waitFor()
  })
})
