import type { Page } from "playwright-core"
import { assert, beforeEach, describe, test } from "vitest"
import { signed } from "../../http/release/Releases.ts"
import { call } from "../../support/Client.ts"
import { openBrowser } from "../Browser.ts"
import { openInspection } from "../pages/Inspection.ts"
import { answerOnce, once, refused } from "../pages/Refusals.ts"
import { button, heading } from "../Portal.ts"
import { scanned } from "./Qr.ts"
import { enterApp, newSharer, type Sharer } from "./Sharers.ts"
import { openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

const { service } = app

const browser = await openBrowser()

let veteran: Sharer
let documentId: string

beforeEach(async () => {
  veteran = await newSharer(app)
  documentId = (await signed(service, veteran)).document.id
})

const enter = async (page: Page) => {
  await enterApp(page, app, veteran, `#/link/${documentId}`)
  await heading(page, "Make a link").waitFor()
  await page.getByRole("heading", { name: "For Dr. Ada Gray" }).waitFor()
}

const createPath = "**/api/veteran/me/secure-links"

describe("The screen of a link", () => {
  test("is accessible in each state of its form", async () => {
    const { context, expect, look, order, page } = await openInspection(browser)
    expect(refused)
    await enter(page)
    await look("link, form")
    const stops = await order()
    assert.deepStrictEqual(stops.slice(stops.indexOf("button Change who gets it")), [
      "button Change who gets it",
      "radio 3 days",
      "checkbox Also for apps that read SMART Health Links",
      "button Mail it for me",
      "button Show it at the front desk",
      "button Give it another way",
      "link Back to Sharing",
      "combobox Language, idioma"
    ])
    await button(page, "Change who gets it").click()
    await page.getByLabel("Their name").fill("")
    await page.getByLabel("Their e-mail").fill("robin@")
    await button(page, "Mail it for me").click()
    await page.getByText("Type their name.").waitFor()
    await look("link, fields wrong")
    await page.getByLabel("Their name").fill("Robin Roe")
    await page.getByLabel("Their e-mail").fill("robin@other.example")
    await button(page, "Mail it for me").click()
    await page.getByRole("dialog").waitFor()
    await look("link, another address")
    await page.keyboard.press("Escape")
    await answerOnce(page, createPath, 429, { error: "rate_limited", message: "x", retryAfterSeconds: 40_000 })
    await button(page, "As in the release").click()
    await button(page, "Mail it for me").click()
    await page.getByText("We can’t mail this address more links now.").waitFor()
    await look("link, refused")
    await context.setOffline(true)
    await page.getByText("You are offline.").first().waitFor()
    await look("link, offline")
    await context.setOffline(false)
    await call(service, "POST", `/api/veteran/me/roi/${documentId}/revoke`, { headers: veteran.headers })
    await page.reload()
    await page.getByText("This release has ended, or it is not here.").waitFor()
    await look("link, release ended")
  })

  test("is accessible with the new link, full screen, mailed, in doubt, and before it is left", async () => {
    const { expect, look, order, page } = await openInspection(browser)
    expect(refused)
    await page.addInitScript(() => {
      Object.defineProperty(navigator, "clipboard", { value: undefined })
      Object.defineProperty(navigator, "share", { value: () => Promise.resolve() })
    })
    await enter(page)
    await button(page, "Show it at the front desk").click()
    await page.getByRole("dialog").waitFor()
    await look("link, full screen")
    assert.deepStrictEqual(await order(), ["button Close"])
    assert.isDefined(await scanned(page), "the code at 1280 pixels")
    await button(page, "Close").click()
    await page.getByRole("list", { name: "What became of the link" }).waitFor()
    await button(page, "Copy the link").click()
    await page.getByText("The link is selected: copy it yourself.").waitFor()
    await look("link, made")
    await button(page, "Done").click()
    await page.getByRole("link", { name: "Make a link, Dr. Ada Gray" }).click()
    await page.getByText("You already made a link to this release").waitFor()
    await button(page, "Give it another way").click()
    await heading(page, "The link is ready").waitFor()
    await button(page, "Done").click()
    await page.getByRole("dialog", { name: "Leave without giving the link?" }).waitFor()
    await look("link, leaving")
    await button(page, "Leave").click()
    await page.getByRole("link", { name: "Make a link, Dr. Ada Gray" }).click()
    await button(page, "Mail it for me").click()
    await page.getByText(/^Mail sent /).waitFor()
    await look("link, mailed")
    await button(page, "Done").click()
    await page.getByRole("link", { name: "Make a link, Dr. Ada Gray" }).click()
    await page.route(
      createPath,
      once(async (route) => {
        await route.fetch()
        return route.abort()
      })
    )
    await button(page, "Give it another way").click()
    await page.getByText("A link was made, but its address did not reach this phone.").waitFor()
    await look("link, lost")
  })
})
