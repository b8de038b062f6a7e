import type { Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { revoke } from "../http/Sharing.ts"
import { giveGrant } from "../support/Client.ts"
import { openBrowser, openTab } from "./Browser.ts"
import { openPortal } from "./Portal.ts"
import { linesOf, openRecord, openWhole, share, type Shared, wholeRecord } from "./record/Records.ts"
import { small } from "./record/Small.ts"

const { portal, service } = await openPortal()
const browser = await openBrowser()

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
