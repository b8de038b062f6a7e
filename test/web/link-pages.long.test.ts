import { randomBytes } from "node:crypto"
import type { Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { english } from "../../web/portal/link/words/English.ts"
import { spanish as words } from "../../web/portal/link/words/Spanish.ts"
import { createLink, expire, type Link, recipientCodes, revokeLink } from "../http/link/Links.ts"
import { download, signed } from "../http/release/Releases.ts"
import { call, signInVeteran } from "../support/Client.ts"
import { patientTexts } from "../support/Collection.ts"
import { sync } from "../support/Sync.ts"
import { until } from "../support/Until.ts"
import { openBrowser } from "./Browser.ts"
import { addressOf, askForCode, codeField, enter, frameOf, heading, not, open } from "./link/Recipients.ts"
import { type Inspection, openInspection } from "./pages/Inspection.ts"
import { answerOnce, once, refused } from "./pages/Refusals.ts"
import { button, openPortal } from "./Portal.ts"

const { database, portal, service } = await openPortal()
const browser = await openBrowser()
const superuser = await database.connect("superuser")

const veteran = await signInVeteran(service)
const record = patientTexts("va-florentino8-raynor401")
await sync(service, veteran, Object.fromEntries(Object.keys(record).map((type) => [type, "complete"])), record)
const release = (await signed(service, veteran)).document
const own = await download(service, veteran, `/api/veteran/me/documents/${release.id}/content`)

const newLink = (changes: Record<string, unknown> = {}) =>
  createLink(service, veteran, { documentId: release.id, recipientEmail: "jane.gray@clinic.example", ...changes })

/** Opens a link in a fresh document. Going to it directly would only change the hash of the present page. */
const openAnew = async (page: Page, link: Pick<Link, "token">) => {
  await page.goto("about:blank")
  await page.goto(addressOf(portal, link))
}

const skip = "link Skip to main content"

const language = "combobox Language, idioma"

describe("The recipient's page", () => {
  test("Each step from the link to the saved document is accessible", async () => {
    const link = await newLink()
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
    await openAnew(page, link)
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

  test("A SMART Health Link's page takes a code that was mailed already, and is accessible", async () => {
    const { url } = await newLink({ smartHealthLink: true })
    const token = url.split("#")[1]!
    for (const [locale, { ask, code }] of [["en-US", english], ["es-MX", words]] as const) {
      const { look: inspect, lookAtWords, order, page } = await openInspection(browser, { locale })
      const look = locale === "en-US" ? inspect : lookAtWords
      await page.goto(addressOf(portal, { token }))
      await button(page, ask.have).waitFor()
      await look(`link for apps, ask, ${locale}`)
      assert.deepStrictEqual((await order()).slice(2), [`button ${ask.send}`, `button ${ask.have}`])
      await button(page, ask.have).click()
      await page.getByText(code.newest(8)).waitFor()
      await look(`link for apps, code, ${locale}`)
    }
  })

  test("Each step is accessible in Spanish", async () => {
    const link = await newLink()
    const { lookAtWords, page } = await openInspection(browser, { locale: "es-MX" })
    await page.goto(addressOf(portal, link))
    await heading(page, words.title)
    await lookAtWords("link, ask, Spanish")
    const before = (await recipientCodes(service)).length
    await button(page, words.ask.send).click()
    await heading(page, words.code.title)
    await lookAtWords("link, code, Spanish")
    const code = await until("the code has come", async () => (await recipientCodes(service))[before])
    await page.getByLabel(words.code.label(8)).fill(code)
    await button(page, words.code.open).click()
    await heading(page, words.read.title)
    const frame = frameOf(page)
    await frame.getByRole("row").nth(2).waitFor()
    await lookAtWords("link, record, Spanish")
    await frame.getByRole("tab", { name: "Documento firmado" }).click()
    await frame.locator("canvas").first().waitFor()
    await lookAtWords("link, document, Spanish")
    await page.goto("about:blank")
    await page.goto(`${portal}/link`)
    await heading(page, words.ends.no_link.title)
    await lookAtWords("link, ended, Spanish")
  })

  test("Each page that says why there is nothing to read is accessible", async () => {
    const { expect, look, lookAtWords, order, page } = await openInspection(browser)
    expect(refused)
    const [link, other, over, off] = await Promise.all([newLink(), newLink(), newLink(), newLink()]) as [
      Link,
      Link,
      Link,
      Link
    ]
    await expire(superuser, "secure_links.expires_at", over.id)
    await revokeLink(service, veteran, off)
    const ends: ReadonlyArray<readonly [Pick<Link, "token">, string]> = [
      [{ token: randomBytes(32).toString("base64url") }, "We can't find this link"],
      [off, "This link was turned off"],
      [over, "This link has ended"]
    ]
    for (const [index, [link, title]] of ends.entries()) {
      await openAnew(page, link)
      await heading(page, title)
      await (index === 0 ? look : lookAtWords)(`link, ${title}`)
      assert.deepStrictEqual(await order(), [skip, language])
    }
    await page.reload()
    await heading(page, "Open the link again")
    await lookAtWords("link, loaded again")
    assert.deepStrictEqual(await order(), [skip, language])
    await answerOnce(page, "**/api/secure-links/open", 429, { error: "rate_limited", retryAfterSeconds: 540 })
    await openAnew(page, link)
    await heading(page, "Too many tries")
    await look("link, limited")
    assert.deepStrictEqual(await order(), [skip, language, "button Try again"])
    await page.route("**/api/secure-links/open", once((route) => route.abort()))
    await openAnew(page, link)
    await heading(page, "The service can't be reached")
    await lookAtWords("link, service away")
    const stops = [
      ["view_session_used", "This document was already opened"],
      ["view_session_expired", "Time ran out"],
      ["rate_limited", "Too many tries"]
    ] as const
    for (const [index, [error, title]] of stops.entries()) {
      await superuser.query("update secure_link_otps set created_at = created_at - interval '31 seconds'")
      await openAnew(page, [link, other][index % 2]!)
      await answerOnce(page, "**/api/secure-links/view", 410, { error })
      await enter(page, await askForCode(page, service))
      await heading(page, title)
      await (index === 0 ? look : lookAtWords)(`link, ${title}`)
      assert.match(
        (await order()).join(", "),
        /^link Skip to main content, combobox Language, idioma, button Get a new code/
      )
    }
    await superuser.query("update secure_link_otps set created_at = created_at - interval '31 seconds'")
    await openAnew(page, other)
    await askForCode(page, service)
    await superuser.query("update secure_link_otps set created_at = created_at - interval '11 minutes'")
    await enter(page, "00000000")
    await heading(page, "That code no longer works")
    await lookAtWords("link, code over")
  })

  test("The question about an unsaved document is accessible when another link is opened", async () => {
    const { look, order, page } = await openInspection(browser)
    const link = await newLink()
    await open(page, portal, link)
    await enter(page, await askForCode(page, service))
    await heading(page, "Your document is open")
    await page.goto(addressOf(portal, await newLink()))
    await page.getByRole("dialog").waitFor()
    await look("dialog, other link")
    assert.deepStrictEqual(await order(), ["button Keep this document", "button Open the other link"])
  })
})

describe("The page that verifies a release", () => {
  const choose = (page: Page, buffer: Buffer, name = "release-of-information.pdf") =>
    page.getByLabel("Choose the PDF that you were given").setInputFiles({ name, mimeType: "application/pdf", buffer })

  const found = (page: Page, title: string) =>
    page.getByRole("heading", { level: 2, name: title, exact: true }).waitFor()

  const finds = async ({ look, page }: Inspection, bytes: Buffer, title: string, name?: string) => {
    await choose(page, bytes, name)
    await found(page, title)
    await look(`verify, ${title}`)
  }

  test("Each finding about a file is accessible", async () => {
    const inspection = await openInspection(browser)
    const { expect, look, order, page } = inspection
    expect(refused)
    const changed = Buffer.from(own.bytes)
    changed[2000]! ^= 1
    await page.goto(`${portal}/verify`)
    await heading(page, "Check a signed release")
    await look("verify")
    assert.deepStrictEqual(await order(), [skip, "button Choose the PDF that you were given"])
    await finds(inspection, own.bytes, "Genuine and in force")
    await finds(inspection, changed, "This file was changed")
    const plain = Buffer.from("%PDF-1.7\n1 0 obj <</Type/Catalog>> endobj\ntrailer <</Root 1 0 R>>\n%%EOF")
    await finds(inspection, plain, "This is not a signed release")
    await finds(inspection, Buffer.from("a letter"), "We can't check this file", `${"w".repeat(120)}.txt`)
    await page.route("**/api/releases/verify", once((route) => route.abort()))
    await finds(inspection, own.bytes, "The file is unchanged, but we could not ask about it", `${"w".repeat(120)}.pdf`)
    assert.deepStrictEqual(await order(), [skip, "button Choose the PDF that you were given", "button Try again"])
    await call(service, "POST", `/api/veteran/me/roi/${release.id}/revoke`, { headers: veteran.headers })
    await finds(inspection, own.bytes, "Genuine, but it was revoked")
  })
})

test("The page for an unknown address is accessible", async () => {
  const { expect, look, order, page } = await openInspection(browser)
  expect(/404/)
  await page.goto(`${portal}/nowhere`)
  await look("no such page")
  assert.deepStrictEqual(await order(), ["link Sign in as a provider", "link check a document"])
})
