import { assert, describe, test } from "vitest"
import { openBrowser, openTab } from "./Browser.ts"
import { openPortal } from "./Portal.ts"

const { portal } = await openPortal()
const browser = await openBrowser()

describe("/config.json", () => {
  test("The page requests /config.json once, by the preload", async () => {
    const { expect, page, requests } = await openTab(browser)
    // The service answers 401, because there is no session to resume.
    expect(/401/)
    const warnings: Array<string> = []
    page.on("console", (message) => message.type() === "warning" ? void warnings.push(message.text()) : undefined)
    await page.goto(portal)
    await page.getByRole("heading", { level: 1 }).waitFor()
    // Chromium warns about an unused preload a few seconds after the load, so the test waits that long.
    await page.waitForTimeout(4_000)
    assert.deepStrictEqual(requests.filter((request) => request.includes("config.json")), [`GET ${portal}/config.json`])
    assert.deepStrictEqual(warnings, [])
  })
})
