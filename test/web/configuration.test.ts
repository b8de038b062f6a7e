import { assert, describe, test } from "vitest"
import { isWhole } from "../support/Runs.ts"
import { openBrowser, openTab } from "./Browser.ts"
import { openInspection } from "./pages/Inspection.ts"
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

  test("An unknown address gets a page that loads only its style", async () => {
    const { expect, look, order, page, requests } = await openInspection(browser, {}, isWhole)
    expect(/404/)
    await page.goto(`${portal}/nowhere`)
    await page.getByRole("heading", { level: 1, name: "There is no such page" }).waitFor()
    assert.deepStrictEqual(requests.filter((request) => !/\.(css|svg|woff2)$/.test(request)), [`GET ${portal}/nowhere`])
    await look("no such page")
    assert.deepStrictEqual(await order(), ["link Sign in as a provider", "link check a document"])
    await page.getByRole("link", { name: "Sign in as a provider" }).click()
    await page.waitForURL(`${portal}/`)
  })
})
