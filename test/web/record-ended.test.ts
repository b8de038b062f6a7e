import type { Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { revoke } from "../http/Sharing.ts"
import { giveGrant, signInProvider } from "../support/Client.ts"
import { isWhole } from "../support/Runs.ts"
import { openBrowser, openTab } from "./Browser.ts"
import { openInspection } from "./pages/Inspection.ts"
import { atSignIn, enterPortal, fillSignIn, openPortal } from "./Portal.ts"
import { linesOf, openRecord, openWhole, share, type Shared, wholeRecord } from "./record/Records.ts"
import { small } from "./record/Small.ts"

const { database, portal, service } = await openPortal()
const browser = await openBrowser()
const owner = await database.connect("owner")

describe("A record that is no longer shared", () => {
  const ended = (page: Page) =>
    page.getByRole("heading", { level: 1, name: "You no longer have access to this record" })

  const assertGone = async (page: Page) => {
    await ended(page).waitFor()
    await page.getByText("The patient ended this share, or its end date has passed.").waitFor()
    assert.notMatch(await page.content(), /Hopper|Penicillin|Hypertension|Glucose/)
    assert.lengthOf(page.workers(), 0)
  }

  test("The record leaves the screen at the next request, when the connection is back, or when the grant expires", async () => {
    const shared = await share(service, small)
    const { provider } = shared
    const { context, expect, page } = await openWhole(browser, portal, shared)
    expect(/403|ERR_INTERNET_DISCONNECTED/)
    /** Opens the record of another patient. */
    const openNext = async (next: Shared) => {
      await page.goto(`${portal}/#/patients/${next.veteran.id}`)
      await page.getByRole("heading", { level: 1, name: "Grace Hopper" }).waitFor()
      await wholeRecord(page)
    }
    await page.getByLabel("Write a note").fill("Too late")
    await revoke(service, shared.veteran, shared.grant)
    await page.getByRole("button", { name: "Save note" }).click()
    await assertGone(page)

    // While offline it shows its age.
    const second = await share(service, small, {}, {}, provider)
    await openNext(second)
    await context.setOffline(true)
    await page.getByText("You are offline", { exact: true }).waitFor()
    await page.getByText(/What you see was loaded at \d+:\d\d [AP]M\./).waitFor()
    assert.strictEqual(await page.getByRole("button", { name: "Save note" }).getAttribute("aria-disabled"), "true")
    await page.getByRole("heading", { level: 1, name: "Grace Hopper" }).waitFor()
    await revoke(service, second.veteran, second.grant)
    await context.setOffline(false)
    await assertGone(page)

    const inSeconds = new Date(Date.now() + 8_000).toISOString()
    const third = await share(service, small, {}, { expiresAt: inSeconds }, provider)
    await page.goto(`${portal}/#/patients/${third.veteran.id}`)
    await ended(page).waitFor({ state: "hidden" })
    await assertGone(page)
  })

  test("The record is read again if another share of the patient remains, and leaves even if nobody touches it", async () => {
    const shared = await share(service, small)
    const { grant, provider, veteran } = shared
    const tab = await openTab(browser)
    const { page } = tab
    await page.clock.install()
    await openRecord(tab, portal, shared)
    await wholeRecord(page)
    const other = await giveGrant(service, veteran, provider, { resourceTypes: ["Condition"] })
    await revoke(service, veteran, grant)
    await page.evaluate(() => dispatchEvent(new Event("focus")))
    await page.getByRole("heading", { level: 1, name: "Eagle" }).waitFor()
    await wholeRecord(page)
    assert.deepStrictEqual(await linesOf(page, "Active problems 1"), ["Hypertension since Nov 3, 1999"])
    assert.notMatch(await page.content(), /Hopper|Penicillin|Glucose/)

    await revoke(service, veteran, other)
    await page.clock.fastForward(16_000)
    await assertGone(page)
  })
})

const note = (page: Page) => page.getByLabel("Write a note")

const text = "Asked about the cough; will call on Monday."

/** Opens a tab in which a provider types a note and does not save it. */
const openNote = async () => {
  const { provider, veteran } = await share(service, {})
  const tab = await openInspection(browser, {}, isWhole)
  tab.expect(/401/)
  await enterPortal(tab.page, portal, provider.email)
  await tab.page.getByRole("link", { name: "Eagle" }).click()
  await note(tab.page).fill(text)
  return { ...tab, provider, veteran }
}

const endSession = async (page: Page, providerId: string) => {
  await owner.query("update provider_sessions set revoked_at = now() where provider_id = $1", [providerId])
  await page.getByRole("link", { name: "Patients", exact: true }).click()
  await page.getByRole("button", { name: "Sign in again" }).click()
}

describe("A note that is not saved", () => {
  test("A sign-out deletes the note after a question, and a session that ended keeps it, but only for the same provider", async () => {
    const { look, order, page, provider, veteran } = await openNote()
    // The page asks before a sign-out, which deletes the note.
    const signOut = page.getByRole("navigation").getByRole("button", { name: "Sign out" })
    await signOut.click()
    await page.getByRole("dialog", { name: "Your note is not saved" }).waitFor()
    await look("dialog, note not saved")
    assert.deepStrictEqual(await order(), ["button Go back", "button Sign out"])
    await page.keyboard.press("Escape")
    assert.strictEqual(await note(page).inputValue(), text)
    assert.isTrue(await signOut.evaluate((button) => button === document.activeElement))
    await signOut.click()
    await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click()
    await atSignIn(page)
    await fillSignIn(page, provider.email)
    await page.getByRole("link", { name: "Eagle" }).click()
    assert.strictEqual(await note(page).inputValue(), "")

    await note(page).fill(text)
    await endSession(page, provider.id)
    assert.notInclude(await page.content(), text)
    await fillSignIn(page, provider.email)
    await page.getByRole("link", { name: "Eagle" }).click()
    assert.strictEqual(await note(page).inputValue(), text)
    const other = await signInProvider(service)
    await giveGrant(service, veteran, other)
    await endSession(page, provider.id)
    await fillSignIn(page, other.email)
    await page.getByRole("link", { name: "Eagle" }).click()
    assert.strictEqual(await note(page).inputValue(), "")
  })
})
