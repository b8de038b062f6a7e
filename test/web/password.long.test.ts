import type { Page } from "playwright-core"
import { assert, beforeEach, describe, test } from "vitest"
import { mailsOf } from "../http/link/Links.ts"
import { call, providerPassword, signInProvider } from "../support/Client.ts"
import { until } from "../support/Until.ts"
import { openBrowser, openTab } from "./Browser.ts"
import { openInspection } from "./pages/Inspection.ts"
import { answerOnce, refused } from "./pages/Refusals.ts"
import { atPatients, button, enterPortal, fillSignIn, heading, openPortal } from "./Portal.ts"

const { database, portal, service } = await openPortal()

const superuser = await database.connect("superuser")

const browser = await openBrowser()

beforeEach(() => superuser.query("truncate rate_limit_spendings"))

const newPassword = "nine brown owls at dusk"

const mailsTo = async (email: string) => (await mailsOf(service)).filter(({ headers }) => headers.get("to") === email)

const linksTo = async (email: string) =>
  (await mailsTo(email)).flatMap(({ text }) =>
    text.split("\n").filter((line) => line.startsWith(`${portal}/password#`))
  )

const mailedLink = (email: string, count = 1) =>
  until("the link is mailed", async () => (await linksTo(email))[count - 1])

const askByHttp = async (email: string) => {
  const { status } = await call(service, "POST", "/api/provider/password/forgot", { body: { email } })
  assert.strictEqual(status, 202)
}

const newLink = async (email: string) => {
  const before = (await linksTo(email)).length
  await askByHttp(email)
  return mailedLink(email, before + 1)
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? "")

const newField = (page: Page) => page.getByLabel("New password", { exact: true })

const description = async (page: Page, name: string) => {
  const field = page.getByLabel(name, { exact: true })
  const ids = await field.getAttribute("aria-describedby")
  const texts = await Promise.all(ids!.split(" ").map((id) => page.locator(`[id="${id}"]`).innerText()))
  return { invalid: await field.getAttribute("aria-invalid"), text: texts.join(" ") }
}

describe("A provider who forgot the password", () => {
  test("sees the pages accessible, is told beside the field what is wrong, and asks for a new link", async () => {
    const { email } = await signInProvider(service)
    const { context, expect, look, order, page } = await openInspection(browser)
    expect(refused)
    await page.goto(`${portal}/password`)
    await heading(page, "Forgot your password?").waitFor()
    await look("password, forgotten")
    assert.deepStrictEqual(await order(), ["link Skip to main content", "textbox E-mail", "button Send me a link",
      "link Back to sign in"])
    await button(page, "Send me a link").click()
    await page.getByText("Enter your e-mail.").waitFor()
    await look("password, forgotten, empty")
    await page.getByLabel("E-mail").fill(email)
    await answerOnce(page, "**/api/provider/password/forgot", 429, { error: "rate_limited", retryAfterSeconds: 840 })
    await button(page, "Send me a link").click()
    await page.getByText("Wait 14 minutes").waitFor()
    await look("password, forgotten, limited")
    await button(page, "Send me a link").click()
    await heading(page, "Check your mail").waitFor()
    await look("password, sent")

    const older = await mailedLink(email)
    await page.goto(older)
    await heading(page, "Choose a password").waitFor()
    await look("password, choose")
    assert.deepStrictEqual(await order(), ["link Skip to main content", "textbox New password",
      "button Show new password", "button Set password"])
    for (
      const [password, words] of [
        ["", "Enter at least 8 characters."],
        ["short", "Enter at least 8 characters."],
        ["x".repeat(257), "Enter at most 256 characters."],
        [email, "Choose another password. This one is easy to guess"],
        ["password1", "Choose another password. This one is easy to guess"]
      ] as const
    ) {
      await newField(page).fill(password)
      await button(page, "Set password").click()
      await page.getByRole("alert").filter({ hasText: words }).waitFor()
      const { invalid, text } = await description(page, "New password")
      assert.strictEqual(invalid, "true")
      assert.include(text, words)
      assert.isTrue(await newField(page).evaluate((field) => field === document.activeElement))
      assert.strictEqual(await newField(page).inputValue(), password)
    }
    await look("password, choose, refused")
    await context.setOffline(true)
    await page.getByText("You are offline.").first().waitFor()
    await look("password, choose, offline")
    await context.setOffline(false)
    await page.getByText("You are offline.").first().waitFor({ state: "detached" })

    // Another link was mailed meanwhile, so this one no longer works.
    await newLink(email)
    await newField(page).fill(newPassword)
    await button(page, "Set password").click()
    await heading(page, "This link no longer works").waitFor()
    assert.strictEqual(await focused(page), "This link no longer works")
    await look("password, expired")
    // A link that is opened in the same tab loads nothing anew.
    await page.goto(older.slice(0, -1))
    await page.waitForFunction(() => location.hash === "")
    await heading(page, "This link no longer works").waitFor()
    assert.strictEqual(page.url(), `${portal}/password`)
    await page.getByLabel("E-mail").fill(email)
    await button(page, "Send me a link").click()
    await heading(page, "Check your mail").waitFor()
    // What was refused before has not spent a link: this one sets the password after a refusal.
    await page.goto(await mailedLink(email, 3))
    await newField(page).fill("password1")
    await button(page, "Set password").click()
    await page.getByRole("alert").filter({ hasText: "This one is easy to guess" }).waitFor()
    await newField(page).fill(newPassword)
    await button(page, "Set password").click()
    await page.getByText("Your password is set.").waitFor()
    await look("sign-in, password set")
  })
})

describe("A signed-in provider", () => {
  test("changes the password, stays signed in here, and is signed out elsewhere", async () => {
    const { email } = await signInProvider(service)
    const { expect, look, order, page } = await openInspection(browser)
    const other = await openTab(browser)
    expect(/401/)
    other.expect(/401/)
    await enterPortal(other.page, portal, email)
    await atPatients(other.page)
    await enterPortal(page, portal, email)
    await atPatients(page)
    await page.getByRole("link", { name: "Change password" }).click()
    await heading(page, "Change password").waitFor()
    assert.strictEqual(await page.title(), "Change password - Veteran Records")
    await look("change password")
    assert.deepStrictEqual((await order()).slice(-6), ["button Sign out", "textbox Present password",
      "button Show present password", "textbox New password", "button Show new password", "button Change password"])
    const present = page.getByLabel("Present password", { exact: true })
    assert.strictEqual(await present.getAttribute("autocomplete"), "current-password")
    assert.strictEqual(await newField(page).getAttribute("autocomplete"), "new-password")
    assert.strictEqual(await page.locator("input[autocomplete=username]").inputValue(), email)
    await button(page, "Change password").click()
    assert.deepStrictEqual(await page.getByRole("alert").allTextContents(), [
      "Enter your present password.",
      "Enter at least 8 characters."
    ])
    await look("change password, empty")
    await present.fill("not the password")
    await newField(page).fill(newPassword)
    await button(page, "Change password").click()
    await page.getByRole("alert").filter({ hasText: "This is not your present password." }).waitFor()
    assert.isTrue(await present.evaluate((field) => field === document.activeElement))
    await present.fill(providerPassword)
    await newField(page).press("Enter")
    await heading(page, "Your password is changed").waitFor()
    assert.strictEqual(await focused(page), "Your password is changed")
    await look("change password, done")
    await page.getByRole("link", { name: "Back to your patients" }).click()
    await atPatients(page)
    await other.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })))
    await other.page.getByRole("dialog", { name: "You were signed out" }).waitFor()
    await button(other.page, "Sign in again").click()
    await fillSignIn(other.page, email, newPassword)
    await atPatients(other.page)
    await until(
      "the provider is told",
      async () => (await mailsTo(email)).find(({ headers }) => headers.get("subject") === "Your password was changed")
    )
  })
})
