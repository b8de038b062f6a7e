import type { Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { mailsOf } from "../http/link/Links.ts"
import { providerPassword, signInProvider } from "../support/Client.ts"
import { until } from "../support/Until.ts"
import { openBrowser, openTab } from "./Browser.ts"
import { atPatients, atSignIn, button, heading, openPortal } from "./Portal.ts"

const { portal, service } = await openPortal()
const browser = await openBrowser()

const newPassword = "nine brown owls at dusk"

const newField = (page: Page) => page.getByLabel("New password", { exact: true })

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? "")

describe("By keyboard alone", () => {
  test("Sign-in works, and a missing entry is reported beside its field", async () => {
    const { email } = await signInProvider(service)
    const { page, requests } = await openTab(browser)
    await page.goto(portal)
    await atSignIn(page)
    assert.strictEqual(await page.title(), "Sign in - Veteran Records")
    assert.strictEqual(await page.evaluate("document.activeElement.tagName"), "H1")
    // The Google button is shown only if Google sign-in is configured.
    await page.waitForLoadState("networkidle")
    assert.strictEqual(await page.getByRole("button", { name: /Google/ }).count(), 0)
    // A missing entry is reported beside its field, and nothing is sent to the service.
    await page.getByRole("button", { name: "Sign in", exact: true }).click()
    assert.deepStrictEqual(await page.getByRole("alert").allTextContents(), [
      "Enter your e-mail.",
      "Enter your password."
    ])
    assert.deepStrictEqual(requests.filter((request) => request.startsWith("POST")), [])

    await page.getByRole("heading", { level: 1 }).focus()
    await page.keyboard.press("Tab")
    await page.keyboard.type(email)
    await page.keyboard.press("Tab")
    await page.keyboard.type(providerPassword)
    await page.keyboard.press("Tab")
    assert.strictEqual(await page.evaluate("document.activeElement.textContent"), "Show password")
    await page.keyboard.press("Enter")
    assert.strictEqual(await page.getByLabel("Password", { exact: true }).getAttribute("type"), "text")
    await page.keyboard.press("Tab")
    assert.strictEqual(await page.evaluate("document.activeElement.textContent"), "Sign in")
    await page.keyboard.press("Enter")
    await atPatients(page)
    assert.strictEqual(await page.title(), "Patients - Veteran Records")
    assert.strictEqual(await page.evaluate("document.activeElement.tagName"), "H1")
  })

  test("A provider who forgot the password gets the same words for any address, and a password, whose link leaves no trace", async () => {
    const { email } = await signInProvider(service)
    const { page, requests } = await openTab(browser)
    await page.goto(`${portal}/password`)
    await page.getByLabel("E-mail").fill("nobody@clinic.example")
    await button(page, "Send me a link").click()
    await heading(page, "Check your mail").waitFor()
    const words = await page.locator("main").innerText()

    await page.goto(portal)
    await atSignIn(page)
    await page.getByRole("link", { name: "Forgot your password?" }).focus()
    await page.keyboard.press("Enter")
    await heading(page, "Forgot your password?").waitFor()
    assert.strictEqual(await page.title(), "Forgot your password? - Veteran Records")
    assert.strictEqual(await focused(page), "Forgot your password?")
    await page.keyboard.press("Tab")
    await page.keyboard.type(email)
    await page.keyboard.press("Tab")
    assert.strictEqual(await focused(page), "Send me a link")
    await page.keyboard.press("Enter")
    await heading(page, "Check your mail").waitFor()
    assert.strictEqual(await focused(page), "Check your mail")
    assert.strictEqual(await page.locator("main").innerText(), words)

    const link = await until("the link is mailed", async () => {
      const mail = (await mailsOf(service)).find(({ headers }) => headers.get("to") === email)
      return mail?.text.split("\n").find((line) => line.startsWith(`${portal}/password#`))
    })
    const token = link.split("#")[1]!
    await page.goto(link)
    await heading(page, "Choose a password").waitFor()
    assert.strictEqual(await focused(page), "Choose a password")
    assert.strictEqual(page.url(), `${portal}/password`)
    await page.keyboard.press("Tab")
    assert.strictEqual(await newField(page).getAttribute("autocomplete"), "new-password")
    assert.strictEqual(await newField(page).getAttribute("type"), "password")
    await page.keyboard.type(newPassword)
    await page.keyboard.press("Tab")
    assert.strictEqual(await focused(page), "Show new password")
    await page.keyboard.press("Enter")
    assert.strictEqual(await newField(page).getAttribute("type"), "text")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await atSignIn(page)
    await page.getByRole("status").filter({ hasText: "Your password is set. Sign in with it." }).waitFor()
    assert.strictEqual(await page.evaluate(() => document.activeElement?.getAttribute("autocomplete")), "username")
    // One body has the token, and nothing else of a request.
    assert.deepStrictEqual(requests.filter((request) => request.includes(token) && !request.includes("#")), [])
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]))
    assert.notInclude(kept, token)
    await page.keyboard.type(email)
    await page.keyboard.press("Tab")
    await page.keyboard.type(newPassword)
    await page.keyboard.press("Enter")
    await atPatients(page)
    assert.strictEqual(page.url(), `${portal}/#/patients`)
    // The way back leads to a page that has no token any more.
    await page.goBack()
    await page.waitForLoadState()
    assert.notInclude(page.url(), token)
    assert.notInclude(await page.content(), token)
    assert.strictEqual(await newField(page).count(), 0)
  })
})
