import { assert, describe, test } from "vitest"
import { asAdmin, call, signInProvider } from "../support/Client.ts"
import { openBrowser } from "./Browser.ts"
import { openInspection } from "./pages/Inspection.ts"
import { answerOnce, once, refused } from "./pages/Refusals.ts"
import { atPatients, atSignIn, button, fillSignIn, openPortal } from "./Portal.ts"

const { portal, service } = await openPortal()
const browser = await openBrowser()

describe("Sign-in", () => {
  test("A slow answer is announced, and a failed or refused sign-in says what to do and keeps what was typed", async () => {
    const { email, id } = await signInProvider(service)
    const { context, expect, look, order, page, requests } = await openInspection(browser)
    expect(refused)
    const signOut = async () => {
      await button(page, "Sign out").click()
      await atSignIn(page)
    }
    await page.clock.install()
    await page.route("**/config.json", (route) => route.fulfill({ json: { api: service.url, google: true } }))
    await page.goto(portal)
    await button(page, "Sign in with Google").waitFor()
    await look("sign-in, Google")
    assert.deepStrictEqual(await order(), [
      "link Skip to main content",
      "textbox E-mail",
      "textbox Password",
      "button Show password",
      "button Sign in",
      "button Sign in with Google",
      "link Forgot your password?"
    ])
    await button(page, "Sign in").click()
    await page.getByText("Enter your e-mail.").waitFor()
    await look("sign-in, empty")
    let answer = () => {}
    await page.route(
      "**/api/provider/login",
      once(async (route) => {
        await new Promise<void>((resolve) => {
          answer = resolve
        })
        await route.continue()
      })
    )
    await fillSignIn(page, email)
    const signingIn = button(page, "Signing in")
    await signingIn.waitFor()
    await page.clock.fastForward(500)
    await page.getByRole("status").filter({ hasText: "Signing in" }).waitFor()
    await signingIn.click({ force: true })
    await page.getByLabel("E-mail").press("Enter")
    await page.clock.fastForward(5_000)
    await page.getByRole("status").filter({ hasText: "Still working" }).waitFor()
    answer()
    await atPatients(page)
    assert.strictEqual(requests.filter((request) => request.endsWith("/api/provider/login")).length, 1)
    await signOut()

    // If the service fails or the browser is offline, the form says what to do and keeps its text.
    const login = "**/api/provider/login"
    const failure = { message: "A sentence of the service.", requestId: "0198-request" }
    await answerOnce(page, login, 500, { error: "internal_error", ...failure })
    await fillSignIn(page, email)
    await page.getByText(
      "Nothing was lost. Try again in a moment. If this happens again, tell support this number: 0198-request"
    ).waitFor()
    await answerOnce(page, login, 503, { error: "service_unavailable", ...failure })
    const away = async () => {
      const alert = page.getByRole("alert")
      await alert.getByRole("heading", { name: "The service can't be reached" }).waitFor()
      await alert.getByText("Nothing was lost. Try again in a moment.", { exact: true }).waitFor()
    }
    await page.keyboard.press("Tab")
    await page.getByLabel("Password", { exact: true }).press("Enter")
    await away()
    await page.route(login, once((route) => route.abort()))
    await page.getByLabel("Password", { exact: true }).press("Enter")
    await away()
    await context.setOffline(true)
    const submit = button(page, "Sign in")
    await page.getByText("You are offline.").first().waitFor()
    assert.strictEqual(await submit.getAttribute("aria-disabled"), "true")
    await look("sign-in, offline")
    await submit.click({ force: true })
    await context.setOffline(false)
    await page.getByText("You are offline.").first().waitFor({ state: "detached" })
    await submit.click()
    await atPatients(page)
    await signOut()

    // A wrong password, an unknown e-mail and a disabled account get the same words, and what was typed stays.
    const isRefused = async () => {
      const alert = page.getByRole("alert").filter({ hasText: "The e-mail or the password is not right." })
      await alert.waitFor()
      assert.isTrue(await alert.evaluate((alert) => document.activeElement?.contains(alert)))
    }
    await fillSignIn(page, email, "not the password")
    await isRefused()
    await look("sign-in, wrong")
    assert.strictEqual(await page.getByLabel("E-mail").inputValue(), email)
    assert.strictEqual(await page.getByLabel("Password", { exact: true }).inputValue(), "not the password")
    await fillSignIn(page, "nobody@clinic.example")
    await isRefused()
    await call(service, "POST", `/api/admin/providers/${id}/disable`, { headers: asAdmin })
    await fillSignIn(page, email)
    await isRefused()
  })

  test("An unknown address gets a page that loads only its style", async () => {
    const { expect, look, order, page, requests } = await openInspection(browser)
    expect(/404/)
    await page.goto(`${portal}/nowhere`)
    await page.getByRole("heading", { level: 1, name: "There is no such page" }).waitFor()
    assert.deepStrictEqual(requests.filter((request) => !/\.(css|svg|woff2)$/.test(request)), [`GET ${portal}/nowhere`])
    await look("no such page")
    assert.deepStrictEqual(await order(), ["link Sign in as a provider", "link check a document"])
    await page.getByRole("link", { name: "Sign in as a provider" }).click()
    await page.waitForURL(`${portal}/`)
  })

  // This test must be the last: after it the service refuses every try from this IP address.
  test("After too many tries the form says how many minutes to wait", async () => {
    const { email } = await signInProvider(service)
    const { expect, lookAtWords, page } = await openInspection(browser)
    expect(refused)
    await page.goto(portal)
    // Every try counts, even a malformed one.
    await page.evaluate(
      (address) => Promise.all(Array.from({ length: 30 }, () => fetch(address, { method: "POST", body: "no JSON" }))),
      `${service.url}/api/provider/login`
    )
    await fillSignIn(page, email)
    await page.getByRole("alert").filter({
      hasText: /^Too many triesThis was done too often\. Wait 1[45] minutes, then try again\.$/
    }).waitFor()
    await lookAtWords("sign-in, limited")
  })
})
