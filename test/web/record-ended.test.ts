import type { Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { revoke } from "../http/Sharing.ts"
import { giveGrant } from "../support/Client.ts"
import { openBrowser, openTab } from "./Browser.ts"
import { openPortal } from "./Portal.ts"
import { linesOf, openRecord, share, wholeRecord } from "./record/Records.ts"
import { small } from "./record/Small.ts"

const { portal, service } = await openPortal()
const browser = await openBrowser()

const open = async () => {
  const shared = await share(service, small)
  const tab = await openTab(browser)
  await openRecord(tab, portal, shared)
  await wholeRecord(tab.page)
  return { ...tab, shared }
}

describe("A record that is no longer shared", () => {
  const ended = (page: Page) =>
    page.getByRole("heading", { level: 1, name: "You no longer have access to this record" })

  const assertGone = async (page: Page) => {
    await ended(page).waitFor()
    await page.getByText("The patient ended this share, or its end date has passed.").waitFor()
    assert.notMatch(await page.content(), /Hopper|Penicillin|Hypertension|Glucose/)
    assert.lengthOf(page.workers(), 0)
  }

  test("The record leaves the screen at the next request", async () => {
    const { expect, page, shared: { grant, veteran } } = await open()
    expect(/403/)
    await page.getByLabel("Write a note").fill("Too late")
    await revoke(service, veteran, grant)
    await page.getByRole("button", { name: "Save note" }).click()
    await assertGone(page)
  })

  test("The record leaves the screen even if nobody touches it", async () => {
    const { page, shared: { grant, veteran } } = await (async () => {
      const shared = await share(service, small)
      const tab = await openTab(browser)
      await tab.page.clock.install()
      await openRecord(tab, portal, shared)
      await wholeRecord(tab.page)
      return { ...tab, shared }
    })()
    await revoke(service, veteran, grant)
    await page.clock.fastForward(16_000)
    await assertGone(page)
  })

  test("The record shows its age while offline, and leaves the screen when the connection is back", async () => {
    const { context, expect, page, shared: { grant, veteran } } = await open()
    expect(/ERR_INTERNET_DISCONNECTED/)
    await context.setOffline(true)
    await page.getByText("You are offline", { exact: true }).waitFor()
    await page.getByText(/What you see was loaded at \d+:\d\d [AP]M\./).waitFor()
    assert.strictEqual(await page.getByRole("button", { name: "Save note" }).getAttribute("aria-disabled"), "true")
    await page.getByRole("heading", { level: 1, name: "Grace Hopper" }).waitFor()
    await revoke(service, veteran, grant)
    await context.setOffline(false)
    await assertGone(page)
  })

  test("The record is read again if another share of the same patient remains", async () => {
    const { page, shared: { grant, provider, veteran } } = await open()
    await giveGrant(service, veteran, provider, { resourceTypes: ["Condition"] })
    await revoke(service, veteran, grant)
    await page.evaluate(() => dispatchEvent(new Event("focus")))
    await page.getByRole("heading", { level: 1, name: "Eagle" }).waitFor()
    await wholeRecord(page)
    assert.deepStrictEqual(await linesOf(page, "Active problems 1"), ["Hypertension since Nov 3, 1999"])
    assert.notMatch(await page.content(), /Hopper|Penicillin|Glucose/)
  })

  test("The record leaves the screen when the grant expires", async () => {
    const shared = await share(service, small, {}, { expiresAt: new Date(Date.now() + 8_000).toISOString() })
    const { page } = await openTab(browser)
    await openRecord({ page }, portal, shared)
    await assertGone(page)
  })
})
