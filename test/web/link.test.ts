import type { Page } from "playwright-core"
import { assert, beforeEach, describe, test } from "vitest"
import { digitsOf, inGroups } from "../../web/portal/link/Code.ts"
import { recipientCopy } from "../http/document/Copies.ts"
import { expire, type Link, listLinks, recipientCodes, revokeLink, step } from "../http/link/Links.ts"
import { openTab } from "./Browser.ts"
import {
  askForCode,
  codeField,
  enter,
  heading,
  not,
  open,
  openLinks,
  openRefusedTab,
  read,
  saved
} from "./link/Recipients.ts"
import { openTraced } from "./link/Traces.ts"
import { answerOnce } from "./pages/Refusals.ts"
import { button } from "./Portal.ts"

const { browser, newLink, portal, service, superuser, veteran } = await openLinks()

let link: Link

beforeEach(async () => {
  link = await newLink()
})

const hasFocus = (page: Page, selector: string) =>
  page.evaluate((selector) => document.activeElement?.matches(selector) ?? false, selector)

describe("The recipient's page", () => {
  test("Two buttons and one field lead to the document, without a name or the token in sight, byte for byte", async () => {
    const { assertNoTrace, page } = await openTraced(browser, { timezoneId: "America/New_York" })
    const begun = performance.now()
    await open(page, portal, link)
    // The page says where the code goes and until when the link works, and shows nobody's name.
    const text = await page.locator("main").innerText()
    assert.match(
      text,
      /Code goes to\s+j•••@clinic\.example\s+Link works until\s+[A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d [AP]M/
    )
    assert.notMatch(text, /Eagle|Sean|O'Hara|Jane/)
    assert.isTrue(await hasFocus(page, "h1"))
    await enter(page, await askForCode(page, service))
    await heading(page, "Your document is open")

    // The token is removed from the address and kept only in memory.
    assert.strictEqual(page.url(), `${portal}/link`)
    assert.strictEqual(await page.title(), "Your document - Veteran Records")
    await assertNoTrace(link.token)

    const { bytes, name } = await saved(page, /^Save the PDF/)
    console.log(`the recipient's flow took ${Math.round(performance.now() - begun)} ms`)
    assert.strictEqual(name, "release-of-information.pdf")
    assert.isTrue(bytes.equals(await recipientCopy(service, superuser, link.documentId)))
    assert.isNotNull((await listLinks(service, veteran))[0].viewedAt)
  })

  test("The page works with the keyboard alone, and the browser asks before an unsaved document is left", async () => {
    const { page } = await openTab(browser)
    const asked: Array<string> = []
    page.on("dialog", (dialog) => asked.push(dialog.type()))
    await open(page, portal, link)
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await heading(page, "Enter your code")
    assert.isTrue(await hasFocus(page, "input.code"))
    const code = (await recipientCodes(service)).at(-1)!
    await page.keyboard.type(code.replace(" ", ""))
    assert.strictEqual(await codeField(page).inputValue(), code)
    await page.keyboard.press("Enter")
    await heading(page, "Your document is open")
    assert.isTrue(await hasFocus(page, "h1"))
    await page.keyboard.press("Tab")
    const download = page.waitForEvent("download")
    await page.keyboard.press("Enter")
    assert.strictEqual((await download).suggestedFilename(), "release-of-information.pdf")
    await page.getByText("Saved. Look in your downloads.").waitFor()
    await page.goto("about:blank")
    assert.deepStrictEqual(asked, [])
    await page.goBack()
    await heading(page, "Open the link again")

    await read(page, portal, service, await newLink())
    await page.goto("about:blank")
    assert.deepStrictEqual(asked, ["beforeunload"])
  })

  test("The document leaves the screen when the page becomes visible again, and within 30 seconds by itself", async () => {
    const { page } = await openRefusedTab(browser)
    await page.clock.install()
    await read(page, portal, service, link)
    await revokeLink(service, veteran, link)
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")))
    await heading(page, "The veteran turned this link off")
    assert.strictEqual(await page.getByRole("button", { name: /^Save/ }).count(), 0)

    link = await newLink()
    await read(page, portal, service, link)
    await expire(superuser, "secure_links.expires_at", link.id)
    await page.clock.runFor(20_000)
    await heading(page, "This link has ended")
    assert.notInclude(await page.locator("main").innerText(), "Save")
  })
})

/** Makes the link's codes look older. */
const ageCodes = (by: string) =>
  superuser.query("update secure_link_otps set created_at = created_at - $2::interval where link_id = $1", [link.id,
    by])

describe("A code", () => {
  test("A pasted code may have spaces, dashes, words, and digits of any script", () => {
    const same = ["12345678", "1234 5678", " 1234-5678\n", "1234\u00a05678", "Your code is 1234 5678.",
      "１２３４ ５６７８", "١٢٣٤٥٦٧٨", "१२३४५६७८", "𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖"]
    assert.deepStrictEqual(same.map(digitsOf), same.map(() => "12345678"))
    assert.deepStrictEqual(["", "1234", "12345", "12345678"].map(inGroups), ["", "1234", "1234 5", "1234 5678"])
  })

  test("A code that could not be mailed is asked for again, and after five wrong tries a new one after a wait", async () => {
    const { page } = await openRefusedTab(browser)
    await page.clock.install()
    await open(page, portal, link)
    await answerOnce(page, "**/api/secure-links/otp", 503, { error: "service_unavailable" })
    await button(page, "E-mail me a code").click()
    const alert = page.getByRole("alert")
    await alert.getByText("The service can't be reached").waitFor()
    await alert.getByText("The e-mail could not be sent. Nothing was lost. Try again in a moment.").waitFor()
    const code = await askForCode(page, service)
    for (const left of ["4 tries", "3 tries", "2 tries", "1 try"]) {
      await enter(page, not(code))
      await page.getByRole("alert").getByText(`That code is not right. You have ${left} left.`).waitFor()
    }
    assert.deepStrictEqual(
      await codeField(page).evaluate((field) => [field.getAttribute("aria-invalid"), document.activeElement === field]),
      ["true", true]
    )
    await enter(page, not(code))
    await heading(page, "That code no longer works")
    await page.getByRole("button", { name: /^Get a new code \(in \d+ seconds\)$/ }).waitFor()
    await ageCodes("31 seconds")
    await page.clock.runFor(31_000)
    await enter(page, await askForCode(page, service, "Get a new code"))
    await heading(page, "Your document is open")
  })

  test("At most five codes are sent in an hour, the last replaces the others, and a wrong one tells the tries left", async () => {
    for (let sent = 0; sent < 5; sent++) {
      await step(service, "otp", { token: link.token })
      await ageCodes("31 seconds")
    }
    const { page } = await openRefusedTab(browser)
    await page.clock.install()
    await open(page, portal, link)
    await button(page, "E-mail me a code").click()
    await page.getByRole("alert").getByText("No more codes can be sent just now. Wait 58 minutes.").waitFor()
    await page.getByRole("button", { name: /\(in 58 minutes\)$/ }).waitFor()

    // After 30 seconds the page offers a new code, and the new code replaces the old one.
    link = await newLink()
    await open(page, portal, link)
    const first = await askForCode(page, service)
    const waiting = page.getByRole("button", { name: /^Send a new code \(in \d+ seconds\)$/ })
    assert.strictEqual(await waiting.getAttribute("aria-disabled"), "true")
    await ageCodes("31 seconds")
    await page.clock.runFor(31_000)
    const second = await askForCode(page, service, "Send a new code")
    await page.getByRole("status").getByText("A new code is on its way. The older one no longer works.").waitFor()
    await enter(page, first)
    await page.getByRole("alert").getByText("That code is not right. You have 4 tries left.").waitFor()
    await enter(page, second)
    await heading(page, "Your document is open")
  })
})
