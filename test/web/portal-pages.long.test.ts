import { assert, describe, test } from "vitest"
import { revoke } from "../http/Sharing.ts"
import { call, giveGrant, signInProvider, signInVeteran } from "../support/Client.ts"
import { openBrowser } from "./Browser.ts"
import { encryptedPdf, pdfOf } from "./document/Pdfs.ts"
import { pngOf, tiff } from "./document/Pictures.ts"
import { share as upload, showDocument } from "./document/SharedDocuments.ts"
import { openInspection } from "./pages/Inspection.ts"
import { answerOnce, once, refused } from "./pages/Refusals.ts"
import { atPatients, atSignIn, button, enterPortal, fillSignIn, heading, openPortal } from "./Portal.ts"
import { share } from "./record/Records.ts"

const { database, portal, service } = await openPortal()
const browser = await openBrowser()
const owner = await database.connect("owner")

const inDays = (days: number) => ({ expiresAt: new Date(Date.now() + days * 24 * 3_600_000).toISOString() })

const openVeteran = async (callSign: string) => {
  const veteran = await signInVeteran(service)
  await owner.query("update veterans set call_sign = $2 where id = $1", [veteran.id, callSign])
  return veteran
}

describe("The sign-in", () => {
  test("The sign-in is accessible in each of its states", async () => {
    const { context, expect, look, lookAtWords, order, page } = await openInspection(browser)
    expect(refused)
    // The sign-in without Google is seen after the end of a session.
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
    await fillSignIn(page, "nobody@clinic.example", "not the password")
    await page.getByText("The e-mail or the password is not right.").waitFor()
    await look("sign-in, wrong")
    await answerOnce(page, "**/api/provider/login", 429, { error: "rate_limited", retryAfterSeconds: 840 })
    await button(page, "Sign in").click()
    await page.getByText("Wait 14 minutes").waitFor()
    await lookAtWords("sign-in, limited")
    await context.setOffline(true)
    await page.getByText("You are offline.").first().waitFor()
    await look("sign-in, offline")
  })
})

describe("The patients", () => {
  test("The list is accessible in each of its states, and so are the dialogs at the end of a session", async () => {
    const provider = await signInProvider(service)
    const names = ["Eagle 7", "Álvarez", "Owl", "Kestrel", "W".repeat(60)]
    const [eagle, alvarez, owl, kestrel, long] = await Promise.all(names.map(openVeteran))
    await giveGrant(service, eagle!, provider, { ...inDays(2.9), purpose: "a second opinion" })
    await giveGrant(service, alvarez!, provider, inDays(30))
    const grant = await giveGrant(service, owl!, provider, inDays(0.01))
    await giveGrant(service, kestrel!, provider, {
      ...inDays(300),
      purpose: "physical therapy after the knee operation"
    })
    await giveGrant(service, long!, provider, { ...inDays(90), purpose: "x".repeat(200) })
    await call(service, "POST", "/api/veteran/me/health-record/sync", {
      headers: eagle!.headers,
      body: { fhirResourceFetchStatuses: { Condition: "partial", Immunization: "partial" }, resources: {} }
    })
    const { context, expect, look, order, page } = await openInspection(browser)
    expect(refused)
    await page.clock.install()
    // Each request fails, for the list is read again by itself while it is looked at.
    const list = "**/api/provider/patients?*"
    await page.route(list, (route) => route.abort())
    await enterPortal(page, portal, provider.email)
    await button(page, "Try again").waitFor()
    await look("patients, not read")
    await page.unroute(list)
    await button(page, "Try again").click()
    await page.getByText("5 patients").waitFor()
    await look("patients")
    assert.deepStrictEqual(await order(), [
      "link Skip to main content",
      "link Patients",
      "link Desk codes",
      "link Change password",
      "button Sign out",
      "searchbox Search by call sign, name or birth date",
      "button New since you last looked (0)",
      "button Ending this week (2)",
      "link Álvarez",
      "link Eagle 7",
      "link Kestrel",
      "link Owl",
      `link ${"W".repeat(60)}`
    ])
    await button(page, /^Ending this week/).click()
    await look("patients, ending this week")
    await page.getByLabel("Search by call sign, name or birth date").fill("nobody of this name")
    await page.getByText("None of 5 patients").waitFor()
    await look("patients, none found")
    await button(page, "Show all patients").click()
    await revoke(service, owl!, grant)
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })))
    await page.getByText("Owl no longer shares with you.").waitFor()
    await look("patients, one left")
    await context.setOffline(true)
    await page.getByText("You are offline").waitFor()
    await look("patients, offline")
    await context.setOffline(false)
    await page.getByText("You are offline").waitFor({ state: "detached" })
    await page.clock.fastForward("28:30")
    await page.getByRole("dialog", { name: "Are you still there?" }).waitFor()
    await look("dialog, still there")
    assert.deepStrictEqual(await order(), ["button Stay signed in"])
    await button(page, "Stay signed in").click()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await owner.query("update provider_sessions set revoked_at = now() where provider_id = $1", [provider.id])
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })))
    await page.getByRole("dialog", { name: "You were signed out" }).waitFor()
    await look("dialog, signed out")
    assert.deepStrictEqual(await order(), ["button Sign in again"])
    await button(page, "Sign in again").click()
    await atSignIn(page)
    await look("sign-in, signed out")
  })

  test("The empty list, and the list while the service is away, are accessible", async () => {
    const { email } = await signInProvider(service)
    const { context, expect, look, order, page } = await openInspection(browser)
    expect(refused)
    await enterPortal(page, portal, email)
    await page.getByText("No one shares with you yet.").waitFor()
    await look("patients, none")
    assert.deepStrictEqual(await order(), [
      "link Skip to main content",
      "link Patients",
      "link Desk codes",
      "link Change password",
      "button Sign out",
      "button Copy your e-mail"
    ])
    await context.route("**/api/provider/**", (route) => route.abort())
    await page.reload()
    await heading(page, "Shared health records").waitFor()
    await look("portal, service away")
    await context.unroute("**/api/provider/**")
    await button(page, "Try again").click()
    await atPatients(page)
    await context.route("**/api/provider/**", (route) => route.abort())
    await button(page, "Sign out").click()
    await page.getByText("Signing out is not finished").waitFor()
    await look("sign-in, sign-out not finished")
  })
})

describe("A document", () => {
  test("Each type of document is accessible", async () => {
    const shared = await share(service, {})
    const ids = {
      pdf: await upload(service, shared, await pdfOf(3), "letter.pdf"),
      picture: await upload(
        service,
        shared,
        pngOf(640, 400),
        "A picture with a rather long name, taken in the front garden last summer.png"
      ),
      text: await upload(
        service,
        shared,
        `${"Dear Dr. Gray, this is a line. ".repeat(40)}\n${"W".repeat(400)}`,
        "letter.txt"
      ),
      html: await upload(
        service,
        shared,
        "<!doctype html><h1>Visit</h1><p>Seen on <b>Nov 3</b>.</p><table><tr><th>Test<th>Value<tr><td>Glucose<td>76</table>",
        "visit.html"
      ),
      tiff: await upload(service, shared, tiff, "scan.tiff"),
      locked: await upload(service, shared, encryptedPdf(), "locked.pdf")
    }
    const { expect, look, lookAtWords, order, page } = await openInspection(browser)
    expect(refused)
    await enterPortal(page, portal, shared.provider.email)
    await atPatients(page)
    const show = async (id: string, there: () => Promise<unknown>) => {
      await showDocument(page, shared, id)
      await there()
    }
    const top = ["link Skip to main content", "link Patients", "link Desk codes", "link Change password",
      "button Sign out", "link Back to the record", "button Download"]
    await show(ids.pdf, () => page.locator("canvas").first().waitFor())
    await look("document, PDF")
    assert.deepStrictEqual(await order(), [
      ...top,
      "combobox Go to page",
      "button Smaller",
      "button Larger",
      "button Show as text",
      "searchbox Search the document",
      "button Previous match",
      "button Next match",
      "region Pages"
    ])
    await button(page, "Show as text").click()
    await page.getByText("This is page 1.").waitFor()
    await look("document, PDF as text")
    await show(ids.picture, () => page.getByRole("img", { name: /picture/ }).waitFor())
    await look("document, picture")
    await show(ids.text, () => page.getByRole("region", { name: "Text" }).waitFor())
    await look("document, text")
    assert.deepStrictEqual(await order(), [...top, "region Text"])
    await show(ids.html, () => page.frameLocator("iframe").getByText("Seen on").waitFor())
    await look("document, web page")
    assert.deepStrictEqual(await order(), [...top, "Iframe visit.html"])
    await show(ids.tiff, () => page.getByText("We can't show this here.").waitFor())
    await look("document, TIFF")
    await show(ids.locked, () => heading(page, "locked.pdf").waitFor())
    await page.getByText("We can't show this here.").waitFor()
    await lookAtWords("document, locked PDF")
    await show("0198a000-0000-7000-8000-000000000001", () => page.getByText("This is not here").waitFor())
    await look("document, not here")
    await page.route("**/content", once(() => {}))
    await show(ids.picture, () => page.getByText("Loading the document").waitFor())
    await look("document, loading")
    await revoke(service, shared.veteran, shared.grant)
    await show(ids.text, () => heading(page, "You no longer have access to this record").waitFor())
    await look("document, revoked")
    assert.deepStrictEqual(await order(), ["link Skip to main content", "link Patients", "link Desk codes",
      "link Change password", "button Sign out", "link Back to your patients"])
  })
})
