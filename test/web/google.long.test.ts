import { randomUUID } from "node:crypto"
import type { Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { googleRefusals } from "../../src/domain/GoogleSignIn.ts"
import { googleWords } from "../../web/portal/google/GoogleSignIn.ts"
import { Problem } from "../../web/shared/Problem.ts"
import { asAdmin, call, giveGrant, signInProvider, signInVeteran } from "../support/Client.ts"
import { openOpenIdProvider } from "../support/OpenIdProvider.ts"
import { openBrowser, openTab } from "./Browser.ts"
import { atPatients, atSignIn, openPortal } from "./Portal.ts"

const google = await openOpenIdProvider()
const { database, portal, service } = await openPortal({ ...google.environment })
const browser = await openBrowser()
const owner = await database.connect("owner")

const press = (page: Page) => page.getByRole("button", { name: "Sign in with Google" }).click()

const choose = (page: Page, subject: string) => page.click(`button[value="${subject}"]`)

const stored = (page: Page) =>
  page.evaluate(() => [...Object.keys(sessionStorage), ...Object.keys(localStorage).map((key) => localStorage[key])])

/** Makes a provider, and a Google account with the same e-mail address unless `account` has another. */
const openAccount = async (account: { readonly email?: string; readonly verified?: boolean } = {}) => {
  const provider = await signInProvider(service)
  const subject = randomUUID()
  google.accounts.set(subject, { subject, email: provider.email, ...account })
  return { ...provider, subject }
}

describe("Sign-in with Google", () => {
  test("Sign-in leads to the patients, survives a reload, and leaves no code in the address or in storage", async () => {
    const { subject } = await openAccount()
    const { page, requests } = await openTab(browser)
    await page.goto(portal)
    await press(page)
    await choose(page, subject)
    await atPatients(page)
    assert.strictEqual(page.url(), `${portal}/`)
    assert.deepStrictEqual(await stored(page), ["kept"])
    await page.reload()
    await atPatients(page)
    // The code is only in the fragment of a redirect's address, and browsers send no fragment to a server.
    assert.deepStrictEqual(requests.filter((request) => request.includes("google_code")), [])
    await page.goBack()
    assert.notInclude(page.url(), "google_code")

    // A forged Google result in the address does not sign out a provider who is signed in.
    for (const fragment of ["google_error=provider_disabled", `google_code=${"a".repeat(43)}`]) {
      await page.goto("about:blank")
      await page.goto(`${portal}/#${fragment}`)
      await atPatients(page)
      assert.strictEqual(page.url(), `${portal}/`)
    }
  })

  test("A refusal by Google or the service is explained in our own words", async () => {
    const [off, unverified] = await Promise.all([openAccount(), openAccount({ verified: false })])
    await call(service, "POST", `/api/admin/providers/${off.id}/disable`, { headers: asAdmin })
    const stranger = randomUUID()
    google.accounts.set(stranger, { subject: stranger, email: "stranger@clinic.example" })
    const { page } = await openTab(browser)
    await page.goto(portal)
    const refused = async (button: string, words: string) => {
      await press(page)
      await choose(page, button)
      await page.getByRole("alert").getByText(words, { exact: true }).waitFor()
      await atSignIn(page)
      assert.strictEqual(page.url(), `${portal}/`)
      assert.deepStrictEqual(await stored(page), [])
    }
    await refused("", "You stopped at Google. Nothing happened. Try again, or use your password.")
    await refused(
      stranger,
      "This Google account is not registered. Ask your clinic's administrator, or choose another account."
    )
    await refused(unverified.subject, "Google has not confirmed this account's e-mail. Confirm it at Google first.")
    await refused(off.subject, "This account is turned off. Ask your administrator.")
  })

  test("The page refuses a code from another sign-in, and shows no text from its address", async () => {
    const { expect, page, requests } = await openTab(browser)
    const said = async (fragment: string, words: string) => {
      await page.goto("about:blank")
      await page.goto(`${portal}/#${fragment}`)
      await page.getByRole("alert").getByText(words, { exact: true }).waitFor()
      assert.strictEqual(page.url(), `${portal}/`)
    }
    await said(`google_code=${"a".repeat(43)}`, "This sign-in has ended. Start again.")
    assert.deepStrictEqual(requests.filter((request) => request.startsWith("POST")), [])
    const unknown = "Google's answer could not be checked. Try again. If this happens again, tell your administrator."
    await said("google_error=Call+555-0100+now", unknown)
    await said(
      "google_error=rate_limited&retry_after=700",
      "This was done too often. Wait 12 minutes, then try again."
    )
    for (const wait of ["1e308", "86401", "700.5", "-7"]) {
      await said(
        `google_error=rate_limited&retry_after=${wait}`,
        "This was done too often. Wait 60 seconds, then try again."
      )
    }
    // Each reason for a refused sign-in has different words. A code that is none has those of an unknown answer.
    const wordsOf = (error: string) => googleWords(Problem.make({ error }))
    assert.strictEqual(new Set(googleRefusals.map(wordsOf)).size, googleRefusals.length)
    assert.deepStrictEqual(["toString", "invalid_credentials"].map(wordsOf), [unknown, unknown])
    const away = "Google can't be reached. Use your password, or try again in a moment."
    assert.strictEqual(wordsOf("google_unavailable"), away)
    // If the tab has a verifier, the page does send the code, and the service refuses it.
    expect(/401/)
    await page.evaluate(() => sessionStorage.setItem("vrss-google-verifier", "b".repeat(43)))
    await page.goto(`${portal}/?#google_code=${"a".repeat(43)}`)
    await page.getByRole("alert").getByText("This sign-in has ended. Start again.").waitFor()
    assert.deepStrictEqual(await stored(page), [])
  })

  test("A note that is not saved stays while another window signs in with Google", async () => {
    const { id, subject } = await openAccount()
    const veteran = await signInVeteran(service)
    await giveGrant(service, veteran, { id })
    const { context, expect, page } = await openTab(browser)
    expect(/401/)
    await page.goto(portal)
    await press(page)
    await choose(page, subject)
    await page.getByRole("link", { name: "Eagle" }).click()
    const text = "Asked about the cough; will call on Monday."
    const note = page.getByLabel("Write a note")
    await note.fill(text)
    await owner.query("update provider_sessions set revoked_at = now() where provider_id = $1", [id])
    await page.getByRole("link", { name: "Patients", exact: true }).click()
    await page.getByRole("button", { name: "Sign in again" }).click()
    const opening = context.waitForEvent("page")
    await press(page)
    const other = await opening
    await choose(other, subject)
    await atPatients(other)
    await page.getByRole("link", { name: "Eagle" }).click()
    assert.strictEqual(await note.inputValue(), text)
    assert.strictEqual(await page.evaluate(() => sessionStorage.length), 0)
  })
})
