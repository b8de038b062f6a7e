import { assert, describe, test } from "vitest"
import { providerPassword, signInProvider } from "../support/Client.ts"
import { openBrowser, openTab } from "./Browser.ts"
import { openPortal } from "./Portal.ts"

const { portal, service } = await openPortal()
const browser = await openBrowser()

describe("Sign-in", () => {
  test("leads to the patients", async () => {
    const { email } = await signInProvider(service)
    const { page } = await openTab(browser)
    await page.goto(portal)
    await page.getByLabel("E-mail").fill(email)
    await page.getByLabel("Password").fill(providerPassword)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("heading", { level: 1, name: "Patients who share with you" }).waitFor()
    assert.strictEqual(await page.title(), "Shared health records - Veteran Records")
  })
})
