import { beforeEach, describe, test } from "vitest"
import { openBrowser, openTab } from "../Browser.ts"
import { button } from "../Portal.ts"
import { newSharer, type Sharer } from "./Sharers.ts"
import { atDone, fillRecord, fillSignature, signButton, toSign } from "./Signers.ts"
import { openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

const browser = await openBrowser()

let veteran: Sharer

beforeEach(async () => {
  veteran = await newSharer(app)
  await fillRecord(app, veteran)
})

describe("A release", () => {
  test("is signed", async () => {
    const { page } = await openTab(browser, { viewport: { width: 360, height: 740 } })
    await toSign(page, app, veteran)
    await page.screenshot({ path: "/tmp/b-pics/sign.png", fullPage: true })
    await page.goBack()
    await page.waitForTimeout(800)
    await page.screenshot({ path: "/tmp/b-pics/preview.png", fullPage: true })
    await page.goBack()
    await page.screenshot({ path: "/tmp/b-pics/until.png", fullPage: true })
    await page.goBack()
    await page.screenshot({ path: "/tmp/b-pics/what.png", fullPage: true })
    await page.goBack()
    await page.screenshot({ path: "/tmp/b-pics/who.png", fullPage: true })
    for (let n = 0; n < 4; n++) await page.goForward()
    await fillSignature(page)
    await button(page, "Draw a signature too (you need not)").click()
    await page.screenshot({ path: "/tmp/b-pics/sign2.png", fullPage: true })
    await signButton(page).click()
    await atDone(page)
    await page.screenshot({ path: "/tmp/b-pics/done.png", fullPage: true })
  })
})
