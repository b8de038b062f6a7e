import { assert, describe, test } from "vitest"
import { openBrowser, openTab } from "./Browser.ts"
import { openPortal } from "./Portal.ts"

const { portal } = await openPortal()
const browser = await openBrowser()

describe("/config.json", () => {
  test("is asked for once, and what was asked for ahead is used", async () => {
    const { expect, page, requests } = await openTab(browser)
    // Nobody is signed in whose session could be resumed.
    expect(/401/)
    const warnings: Array<string> = []
    page.on("console", (message) => message.type() === "warning" ? void warnings.push(message.text()) : undefined)
    await page.goto(portal)
    await page.getByRole("heading", { level: 1 }).waitFor()
    // Chromium warns of a preload that nobody took a few seconds after the load.
    await page.waitForTimeout(4_000)
    assert.deepStrictEqual(requests.filter((request) => request.includes("config.json")), [`GET ${portal}/config.json`])
    assert.deepStrictEqual(warnings, [])
  })

  test("leaves a wrong address with a page that loads nothing but its style", async () => {
    const { expect, page, requests } = await openTab(browser)
    expect(/404/)
    await page.goto(`${portal}/nowhere`)
    await page.getByRole("heading", { level: 1, name: "There is no such page" }).waitFor()
    assert.deepStrictEqual(requests.filter((request) => !/\.(css|svg|woff2)$/.test(request)), [`GET ${portal}/nowhere`])
    await page.getByRole("link", { name: "Sign in as a provider" }).click()
    await page.waitForURL(`${portal}/`)
  })
})
