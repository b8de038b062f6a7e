import { assert, describe, test } from "vitest"
import { createLink, revokeLink } from "../http/link/Links.ts"
import { signed } from "../http/release/Releases.ts"
import { signInVeteran } from "../support/Client.ts"
import { patientTexts } from "../support/Collection.ts"
import { sync } from "../support/Sync.ts"
import { openBrowser } from "./Browser.ts"
import { addressOf, askForCode, codeField, enter, frameOf, heading, not, open } from "./link/Recipients.ts"
import { openInspection } from "./pages/Inspection.ts"
import { answerOnce, refused } from "./pages/Refusals.ts"
import { button, openPortal } from "./Portal.ts"

const { portal, service } = await openPortal()
const browser = await openBrowser()
const veteran = await signInVeteran(service)

const record = patientTexts("va-florentino8-raynor401")
await sync(service, veteran, Object.fromEntries(Object.keys(record).map((type) => [type, "complete"])), record)

const skip = "link Skip to main content"

const language = "combobox Language, idioma"

describe("The recipient's page", () => {
  test("Each step from the link to the saved document is accessible", async () => {
    const { document: release } = await signed(service, veteran)
    const link = await createLink(service, veteran, {
      documentId: release.id,
      recipientEmail: "jane.gray@clinic.example"
    })
    const { context, expect, look, order, page, picture } = await openInspection(browser)
    expect(refused)
    await page.clock.install()
    await open(page, portal, link)
    await look("link, ask")
    assert.deepStrictEqual(await order(), [skip, language, "button E-mail me a code"])
    await answerOnce(page, "**/api/secure-links/otp", 429, { error: "rate_limited", retryAfterSeconds: 540 })
    await button(page, "E-mail me a code").click()
    await page.getByText("No more codes can be sent just now.").waitFor()
    await look("link, no more codes")
    await page.goto("about:blank")
    await page.goto(addressOf(portal, link))
    const code = await askForCode(page, service)
    await look("link, code")
    const atCode = [skip, language, "textbox 8-digit code", "button Open the document",
      "button Send a new code (in 30 seconds)"]
    assert.deepStrictEqual((await order()).map((name) => name.replace(/in \d+ s/, "in 30 s")), atCode)
    await enter(page, not(code))
    await page.getByText("You have 4 tries left.").waitFor()
    await look("link, wrong code")
    await context.setOffline(true)
    await page.getByText("You are offline", { exact: true }).waitFor()
    await look("link, offline")
    await context.setOffline(false)
    await page.getByText("You are offline", { exact: true }).waitFor({ state: "detached" })
    await codeField(page).fill("")
    await enter(page, code)
    await heading(page, "Your document is open")
    await button(page, "Save the record (FHIR)").waitFor()
    const frame = frameOf(page)
    await frame.getByRole("row").nth(2).waitFor()
    await look("link, record")
    await picture("recipient")
    assert.deepStrictEqual((await order()).map((name) => name.replace(/\d+ KB/, "N KB")), [
      skip,
      language,
      "button Save the PDF (N KB)",
      "button Save the record (FHIR)",
      "button Save the authorization (JSON)",
      "button Download as C-CDA (for your EHR)",
      "Iframe The record and the signed document"
    ])
    await frame.getByRole("tab", { name: "Signed document" }).click()
    await frame.locator("canvas").first().waitFor()
    await frame.getByLabel("Search the document").fill("body")
    await frame.getByText(/^1 of \d+, on page/).waitFor()
    await look("link, document searched")
    await frame.getByRole("button", { name: "Show as text" }).click()
    const saving = page.waitForEvent("download")
    await button(page, /^Save the PDF/).click()
    await saving
    await page.getByText("Saved. Look in your downloads.").waitFor()
    await look("link, read as text, and saved")
    await revokeLink(service, veteran, link)
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")))
    await heading(page, "The veteran turned this link off")
    await look("link, turned off while open")
  })
})
