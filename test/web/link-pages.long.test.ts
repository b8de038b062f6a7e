import { assert, describe, test } from "vitest"
import { spanish } from "../../web/portal/link/words/Spanish.ts"
import { createLink, recipientCodes, revokeLink } from "../http/link/Links.ts"
import { signed } from "../http/release/Releases.ts"
import { signInVeteran } from "../support/Client.ts"
import { patientTexts } from "../support/Collection.ts"
import { sync } from "../support/Sync.ts"
import { until } from "../support/Until.ts"
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

const documentId = (await signed(service, veteran)).document.id

const skip = "link Skip to main content"

const language = "combobox Language, idioma"

describe("The recipient's page", () => {
  test("Each step from the link to the saved document is accessible", async () => {
    const link = await createLink(service, veteran, { documentId, recipientEmail: "jane.gray@clinic.example" })
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

  test("The whole flow is in Spanish for a browser in Spanish, and the record says that it is in English", async () => {
    const options = { locale: "es-MX", timezoneId: "America/New_York" }
    const { lookAtWords, page } = await openInspection(browser, options)
    await page.goto(addressOf(portal, await createLink(service, veteran, { documentId })))
    await heading(page, "Un documento de salud para usted")
    assert.strictEqual(await page.getAttribute("html", "lang"), "es-US")
    assert.strictEqual(await page.title(), "Un documento de salud para usted - Veteran Records")
    assert.match(await page.locator("main").innerText(), /sirve hasta\s+\d+ [a-z]{3} \d{4}/)
    await lookAtWords("link, ask, Spanish")
    const before = (await recipientCodes(service)).length
    await button(page, "Enviarme un código").click()
    await heading(page, "Escriba su código")
    await lookAtWords("link, code, Spanish")
    const code = await until("the code has come", async () => (await recipientCodes(service))[before])
    await page.getByLabel("Código de 8 cifras").fill(code)
    await button(page, "Abrir el documento").click()
    await heading(page, "Su documento está abierto")
    const frame = frameOf(page)
    await frame.getByText("El expediente se muestra en inglés, como se registró.").waitFor()
    assert.match(await frame.getByRole("region", { name: "Paciente" }).innerText(), /Nacimiento\s+4 mar 1962/)
    await frame.getByRole("row").nth(2).waitFor()
    await lookAtWords("link, record, Spanish")
    await frame.getByRole("tab", { name: "Documento firmado" }).click()
    await frame.getByLabel("Buscar en el documento").waitFor()
    await frame.locator("canvas").first().waitFor()
    await lookAtWords("link, document, Spanish")
    await page.getByLabel("idioma").selectOption("English")
    await heading(page, "Your document is open")
    await frame.getByLabel("Search the document").waitFor()
    assert.strictEqual(await page.getAttribute("html", "lang"), "en-US")
    // The choice of English is not stored. A page without a link is in Spanish again.
    await page.goto("about:blank")
    await page.goto(`${portal}/link`)
    await heading(page, spanish.ends.no_link.title)
    await lookAtWords("link, ended, Spanish")
  })
})
