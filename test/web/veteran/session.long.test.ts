import type { Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { call } from "../../support/Client.ts"
import { until } from "../../support/Until.ts"
import { button, heading } from "../Portal.ts"
import { inspectVeteranApp, seen } from "./Inspected.ts"
import { stored } from "./Stored.ts"
import {
  atConnect,
  atLocked,
  type enterVeteranApp,
  newVeteran,
  openVeteranApp,
  signInAtVa,
  signInBeside,
  signOut
} from "./VeteranApp.ts"

const app = await openVeteranApp()
const superuser = await app.database.connect("superuser")

const minute = 60_000

const says = (page: Page, words: string) => page.getByText(words, { exact: true }).waitFor()

/** The app waits a second after a pause of its timers, so that messages of other windows arrive first. */
const awake = (page: Page) => page.clock.fastForward(2_000)

const isCovered = (page: Page) => page.evaluate(() => getComputedStyle(document.body).opacity === "0")

const liveSessions = async (veteranId: string) => {
  const { rows } = await superuser.query(
    "select id from veteran_sessions where veteran_id = $1 and ended_at is null and device_name_ciphertext is not null",
    [veteranId]
  )
  return rows.length
}

/** A veteran who is signed in in a tab, and on another device. */
const openSession = async (options: Parameters<typeof enterVeteranApp>[2] = {}) => {
  const veteran = await newVeteran(app)
  const tab = await inspectVeteranApp(app, veteran, options)
  await heading(tab.page, `Hello, ${veteran.name}`).waitFor()
  return { ...tab, veteran }
}

/** The same with the test's clock. The service refuses proofs of a wrong clock, so that no renewal reaches it. */
const openTimed = async () => {
  const opened = await openSession()
  const { context, page, veteran } = opened
  await page.clock.install()
  await page.reload()
  await heading(page, `Hello, ${veteran.name}`).waitFor()
  await context.route("**/app/renew", (route) => route.abort())
  return opened
}

describe("A veteran's session in the browser", () => {
  test("goes on after a reload and a renewal, is covered when it is hidden, and is not seen again once it is locked", async () => {
    const { context, look, order, page, requests, veteran } = await openSession()
    // It goes on after a reload, at the same address.
    await page.getByRole("link", { name: "Sharing", exact: true }).click()
    await heading(page, "Who has my record now").waitFor()
    await page.reload()
    await heading(page, "Who has my record now").waitFor()
    assert.strictEqual(page.url(), `${app.url}/#/sharing`)
    assert.deepStrictEqual((await stored(page)).session, {})
    assert.strictEqual(await liveSessions(veteran.id), 2)

    // It goes on too when the service is there again.
    await context.route("**/app/renew", (route) => route.abort())
    await page.reload()
    await heading(page, "Your records can't be opened now").waitFor()
    await look("The service is away")
    await context.unroute("**/app/renew")
    await button(page, "Try again").click()
    await heading(page, "Who has my record now").waitFor()

    // A page that the browser keeps for the back button has nothing of it.
    await page.getByRole("link", { name: "Home", exact: true }).click()
    await heading(page, `Hello, ${veteran.name}`).waitFor()
    const kept = await page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }))
      return document.body.textContent
    })
    assert.notInclude(kept!, veteran.name)
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })))
    await heading(page, `Hello, ${veteran.name}`).waitFor()
    assert.isFalse(await isCovered(page))

    // The session is renewed once when a token no longer counts, and the call is repeated.
    const refused = {
      status: 401,
      json: { error: "unauthenticated", message: "" },
      headers: { "access-control-allow-origin": "*" }
    }
    let times = 0
    await page.route("**/api/veteran/me/sharing*", (route) => times++ === 0 ? route.fulfill(refused) : route.continue())
    const renewals = () => requests.filter((request) => request.endsWith("/app/renew")).length
    const before = renewals()
    await page.getByRole("link", { name: "Sharing", exact: true }).click()
    await page.getByText("Nobody can see your record.").and(page.locator("p.soft")).waitFor()
    assert.strictEqual(renewals(), before + 1)
    assert.isAbove(times, 1)

    // A page that is hidden is covered at once, with its dialogs, and shows itself again.
    await page.getByRole("link", { name: "Account" }).click()
    await button(page, "Forget this device").click()
    await page.getByRole("dialog").waitFor()
    await seen(page, "hidden")
    assert.isTrue(await isCovered(page))
    assert.isTrue(await page.evaluate(() => getComputedStyle(document.querySelector("dialog")!).opacity === "0"))
    assert.deepStrictEqual(Object.keys((await stored(page)).session), ["vrss-away"])
    await seen(page, "visible")
    assert.isFalse(await isCovered(page))
    assert.deepStrictEqual((await stored(page)).session, {})
    await page.getByRole("dialog").waitFor()
    await page.keyboard.press("Escape")

    // The back button shows nothing of it.
    await page.getByRole("link", { name: "Sharing", exact: true }).click()
    await heading(page, "Who has my record now").waitFor()
    await signOut(page)
    assert.deepStrictEqual(await order(), ["link Skip to main content", "button Open with face or fingerprint",
      "button Sign in at VA instead", "button Forget this device", "combobox Language, idioma"])
    await look("S3 locked")
    for (const step of [() => page.goBack(), () => page.goForward(), () => page.reload()]) {
      await step()
      await atLocked(page)
      assert.notInclude(await page.content(), veteran.name)
    }
  })

  test("is shared by two windows, and locked in a tab that is opened after both were closed", async () => {
    const { context, page, veteran } = await openSession()
    const second = await context.newPage()
    await second.goto(`${app.url}/#/sharing`)
    await heading(second, "Who has my record now").waitFor()
    await signOut(page)
    await atLocked(second)
    await says(second, "You signed out.")
    assert.strictEqual(second.url(), `${app.url}/#/home`)
    await until("the session has ended", async () => await liveSessions(veteran.id) === 1)
    await signInAtVa(page, veteran)
    await heading(page, `Hello, ${veteran.name}`).waitFor()
    await heading(second, `Hello, ${veteran.name}`).waitFor()

    // It stays locked after a reload.
    await second.close()
    await page.close()
    const later = await context.newPage()
    await later.goto(app.url)
    await atLocked(later)
    await says(later, "The app locks after 5 minutes away, and when you close it.")
    assert.strictEqual((await stored(later)).databases["vrss-device"]!["session"], "")
    await until("the session has ended", async () => await liveSessions(veteran.id) === 1)
    await later.reload()
    await atLocked(later)
    await signInAtVa(later, veteran)
    await heading(later, `Hello, ${veteran.name}`).waitFor()
  })

  test("that another device ends locks the app at the next call, and the form that has no record stays", async () => {
    const { context, page, veteran } = await openSession()
    await page.goto(`${app.url}/#/share`)
    await page.getByLabel("Their e-mail").check()
    await page.getByRole("textbox").fill("nobody@example.org")
    await call(app.service, "POST", "/api/veteran/me/sessions/end-all", { headers: veteran.headers })
    await button(page, "Find").click()
    await atLocked(page)
    await says(page, "Your session has ended. It may have been ended from another device.")
    assert.notInclude(await page.content(), veteran.name)
    await page.getByText("What you began is still here.").waitFor()
    await signInBeside(context, page, veteran)
    await page.getByRole("heading", { level: 1 }).filter({ hasNotText: "Locked" }).waitFor()
    assert.strictEqual(page.url(), `${app.url}/#/share`)
  })
})

describe("A page of the app that is hidden", () => {
  test("locks after 5 minutes, shows nothing before that, and ends the session on the service", async () => {
    const { page, veteran } = await openTimed()
    await seen(page, "hidden")
    await page.clock.fastForward(4 * minute)
    await awake(page)
    await seen(page, "visible")
    await awake(page)
    await heading(page, `Hello, ${veteran.name}`).waitFor()
    await seen(page, "hidden")
    await page.clock.fastForward(6 * minute)
    await seen(page, "visible")
    assert.isTrue(await isCovered(page) || !(await page.content()).includes(veteran.name))
    await awake(page)
    await atLocked(page)
    assert.isFalse(await isCovered(page))
    await says(page, "The app locks after 5 minutes away, and when you close it.")
    assert.notInclude(await page.content(), veteran.name)
    await until("the session has ended", async () => await liveSessions(veteran.id) === 1)
    await page.reload()
    await atLocked(page)
  })
})

describe("A page of the app that nobody uses", () => {
  test("warns a minute before it locks, goes on if the veteran stays, and locks in every window", async () => {
    const { context, look, page, veteran } = await openTimed()
    const second = await context.newPage()
    await context.unroute("**/app/renew")
    await second.goto(app.url)
    await heading(second, `Hello, ${veteran.name}`).waitFor()
    await context.route("**/app/renew", (route) => route.abort())
    const warning = page.getByRole("dialog", { name: "Are you still there?" })
    await page.clock.runFor(14.2 * minute)
    await warning.waitFor()
    await says(page, "For safety this app locks in 1 minute.")
    await look("The warning")
    await button(page, "Stay").click()
    await warning.waitFor({ state: "detached" })
    await page.clock.runFor(14.2 * minute)
    await warning.waitFor()
    await page.clock.runFor(minute)
    await atLocked(page)
    await atLocked(second)
    await says(second, "The app locks after 15 minutes without use.")
    assert.notInclude(await second.content(), veteran.name)
    await until("the session has ended", async () => await liveSessions(veteran.id) === 1)
  })
})

describe("The account screen", () => {
  test("lists the devices, ends another one, says so, and ends all sessions, this one too", async () => {
    const { look, page, veteran } = await openSession()
    await page.getByRole("link", { name: "Account" }).click()
    await page.getByText("Another device").waitFor()
    await button(page, "End on Another device").click()
    await says(page, "Ended on Another device. It can no longer open your record.")
    await page.getByText("Another device", { exact: true }).waitFor({ state: "detached" })
    const card = page.getByRole("heading", { name: "Where I am signed in" })
    assert.isTrue(await card.evaluate((it) => it === document.activeElement))
    const { status } = await call(app.service, "GET", "/api/veteran/me", { headers: veteran.headers })
    assert.strictEqual(status, 401)
    await page.getByText("This device", { exact: true }).waitFor()

    await button(page, "End all, this one too").click()
    await page.getByRole("dialog", { name: "Sign out everywhere?" }).waitFor()
    await look("S15 end all")
    await button(page, "End all").click()
    await atLocked(page)
    assert.strictEqual(await liveSessions(veteran.id), 0)
  })

  test("forgets the device: the session ends, and no key, file or service worker is left, in any window", async () => {
    const { context, lookAtWords, page, veteran } = await openSession({ serviceWorkers: "allow" })
    const second = await context.newPage()
    await second.goto(app.url)
    await heading(second, `Hello, ${veteran.name}`).waitFor()
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.getByRole("link", { name: "Account" }).click()
    await button(page, "Forget this device").click()
    await page.getByRole("dialog", { name: "Forget this device?" }).waitFor()
    await lookAtWords("S15 forget this device")
    await page.getByRole("dialog").getByRole("button", { name: "Forget this device" }).click()
    await atConnect(page)
    await atConnect(second)
    await until("the session has ended", async () => await liveSessions(veteran.id) === 1)
    await until("nothing is left", async () => {
      const { cached, databases, local, session } = await stored(page)
      const workers = await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
      return cached.length === 0 && workers === 0 &&
        [databases, local, session].every((of) => Object.keys(of).length === 0)
    })
  })
})
