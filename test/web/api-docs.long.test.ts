import { assert, test } from "vitest"
import { openApp } from "../support/App.ts"
import { openBrowser, openTab } from "./Browser.ts"

const { service } = await openApp()

test("The API's documentation shows its routes in a browser, runs its own scripts alone, and loads nothing else", async () => {
  const { expect, page, requests } = await openTab(await openBrowser())
  // The library asks whether it may make code from text, and goes on without.
  expect(/^policy: script-src eval$/)
  const address = `${service.url}/api/docs`
  await page.goto(address)
  await page.getByText("/api/ready").first().waitFor()
  await page.getByText("Veteran's passkeys").first().click()
  await page.getByText("Begin a new passkey").first().waitFor()
  expect(/inline/)
  const title = await page.evaluate(() => {
    const script = document.createElement("script")
    script.textContent = "document.title = 'injected'"
    document.body.append(script)
    return document.title
  })
  assert.notStrictEqual(title, "injected")
  assert.deepStrictEqual(requests, [`GET ${address}`])
})
