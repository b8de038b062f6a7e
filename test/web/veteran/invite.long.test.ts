import type { Page } from "playwright-core"
import { assert, beforeEach, describe, test } from "vitest"
import { call, signInProvider } from "../../support/Client.ts"
import { until } from "../../support/Until.ts"
import { openBrowser, openTab } from "../Browser.ts"
import { button, heading } from "../Portal.ts"
import { openBuiltApp } from "./BuiltApp.ts"
import { stored } from "./Stored.ts"
import { openAuthenticator } from "./Touches.ts"
import {
  atConnect,
  atLocked,
  enterVeteranApp,
  newUnpaired,
  newVeteran,
  openVeteranApp,
  pairByPaper,
  signInAtVa,
  signOut
} from "./VeteranApp.ts"

const app = await openVeteranApp()
const superuser = await app.database.connect("superuser")

beforeEach(async () => void await superuser.query("truncate rate_limit_spendings"))

/** A code of a clinic's desk. */
const newCode = async () => {
  const { headers } = await signInProvider(app.service)
  const { json } = await call(app.service, "POST", "/api/provider/invitations", { headers, body: {} })
  return json.code as string
}

const opened = async (code: string) => {
  const tab = await openTab(await openBrowser(), { serviceWorkers: "allow" })
  await tab.page.goto(`${app.url}/#invite=${code}`)
  await atConnect(tab.page)
  assert.strictEqual(tab.page.url(), `${app.url}/#/share`)
  return tab
}

/** The share's first step, with the provider of the code. The code is nowhere any more. */
const isFound = async (page: Page, code: string) => {
  await page.getByText("Added by Veteran Records. You scanned this clinic’s code.").waitFor()
  assert.strictEqual(page.url(), `${app.url}/#/share`)
  const { history, local, session } = await stored(page)
  assert.notInclude(JSON.stringify([history, local, session]), code)
}

/** Comes by the code into a window that is open already, as by a link. */
const follow = (page: Page, code: string) =>
  page.evaluate((hash) => {
    location.hash = hash
  }, `#invite=${code}`)

describe("A clinic's code in the address leads to the share", () => {
  test("after a refusal at the VA, and a sign-in", async () => {
    const [code, veteran] = [await newCode(), await newVeteran(app)]
    const { page } = await opened(code)
    await button(page, "Connect to VA").click()
    await page.getByRole("link", { name: "Do not connect" }).click()
    await page.getByText("You chose not to connect. Nothing was saved.").waitFor()
    await page.getByText("Connect first. Then you can share with the clinic.").waitFor()
    await signInAtVa(page, veteran)
    await isFound(page, code)
  })

  test("over the pairing of a veteran who comes for the first time", async () => {
    const [code, person] = [await newCode(), await newUnpaired(app)]
    const { expect, page } = await opened(code)
    expect(/409/)
    await signInAtVa(page, person)
    await pairByPaper(page, app, person)
    await isFound(page, code)
  })

  test("in a window that is locked, by the VA and by a passkey", async () => {
    const [code, later, veteran] = [await newCode(), await newCode(), await newVeteran(app)]
    const { page } = await enterVeteranApp(app, veteran, { route: "#/account" })
    await openAuthenticator(page)
    await button(page, "Set up on this device").click()
    await page.getByText("It is set up.").waitFor()
    await signOut(page)
    await follow(page, code)
    await page.getByText("Open the app first. Then you can share with the clinic.").waitFor()
    await signInAtVa(page, veteran)
    await isFound(page, code)
    await signOut(page)
    await follow(page, later)
    await button(page, "Open with face or fingerprint").click()
    await isFound(page, later)
  })

  test("in a second window while the first one is open, and in the first one itself", async () => {
    const [code, later, veteran] = [await newCode(), await newCode(), await newVeteran(app)]
    const { context, page } = await enterVeteranApp(app, veteran)
    const second = await context.newPage()
    await second.goto(`${app.url}/#invite=${code}`)
    await isFound(second, code)
    await follow(page, later)
    await isFound(page, later)
    // A further code, in a window where the share is open.
    await follow(page, code)
    await isFound(page, code)
  })

  test("if the session ended before the code was looked up, for another veteran than the one who was here before", async () => {
    const [code, first, second] = [await newCode(), await newVeteran(app), await newVeteran(app)]
    const { expect, page } = await enterVeteranApp(app, first)
    expect(/401/)
    await superuser.query("update veteran_sessions set ended_at = now() where veteran_id = $1", [first.id])
    await follow(page, code)
    await atLocked(page)
    await page.getByText("Open the app first. Then you can share with the clinic.").waitFor()
    await signInAtVa(page, second)
    await isFound(page, code)
  })

  test("after a new build of the app has begun, which loads the page again", async () => {
    const built = await openBuiltApp()
    const { page } = await openTab(await openBrowser(), { serviceWorkers: "allow" })
    await page.goto(built.origin)
    await page.evaluate(async () => void await navigator.serviceWorker.ready)
    const script = built.rebuild()
    await page.goto(`${built.origin}/#invite=ABCDE12345`)
    await until("the new build runs", async () => {
      await page.evaluate(async () => void await (await navigator.serviceWorker.ready).update()).catch(() => {})
      const address = await page.locator("script[type=module]").getAttribute("src").catch(() => "")
      return address?.includes(script) === true
    })
    await page.getByText("Connect first. Then you can share with the clinic.").waitFor()
    assert.strictEqual(page.url(), `${built.origin}/#/share`)
    await heading(page, "See your VA health record").waitFor()
  })
})
