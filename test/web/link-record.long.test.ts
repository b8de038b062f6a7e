import type { BrowserContextOptions, Locator, Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { createLink } from "../http/link/Links.ts"
import { signed } from "../http/release/Releases.ts"
import { signInVeteran } from "../support/Client.ts"
import { patientTexts } from "../support/Collection.ts"
import { sync } from "../support/Sync.ts"
import { openBrowser, openTab } from "./Browser.ts"
import { openFile } from "./link/OpenFile.ts"
import { frameOf, read, saved } from "./link/Recipients.ts"
import { openPortal } from "./Portal.ts"

const { portal, service } = await openPortal()
const browser = await openBrowser()
const veteran = await signInVeteran(service)

const record = patientTexts("va-florentino8-raynor401")

await sync(service, veteran, Object.fromEntries(Object.keys(record).map((type) => [type, "complete"])), record)

const information = { resourceTypes: Object.keys(record).filter((type) => type !== "AllergyIntolerance") }

/** The name of a drug in the record. */
const drug: string = JSON.parse(record["MedicationRequest"]![3]!).medicationReference.display

const documentId = (await signed(service, veteran, { information })).document.id

/** Leads a tab to the open document, and returns the frame that shows it. */
const openRecord = async (options: BrowserContextOptions = {}) => {
  const tab = await openTab(browser, options)
  await read(tab.page, portal, service, await createLink(service, veteran, { documentId }))
  return { ...tab, frame: frameOf(tab.page) }
}

/** The name of the element that has the focus, within the frame too. */
const focused = (page: Page) =>
  page.frames().at(-1)!.evaluate(() =>
    document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent
  )

/** Presses Tab until the element has the focus. */
const tabTo = async (page: Page, element: Locator) => {
  for (let presses = 0; presses < 50; presses++) {
    await page.keyboard.press("Tab")
    if (await element.evaluate((element) => element === document.activeElement)) return
  }
  assert.fail(`Tab does not lead to ${element}`)
}

/** Leads to the signed document by keyboard alone, as a reader who just got the record. */
const tabToDocument = async (options: BrowserContextOptions = {}) => {
  const tab = await openRecord(options)
  await tab.frame.getByRole("heading", { level: 1, name: "Sean O'Hara" }).waitFor()
  await tabTo(tab.page, tab.frame.getByRole("tab", { name: "Record", exact: true }))
  await tab.page.keyboard.press("ArrowRight")
  await tab.frame.getByRole("region", { name: "Page 1 of" }).locator("canvas").waitFor()
  return tab
}

/** Presses Enter on an entry of the contents. Its page gets the focus. */
const goByEnter = async (page: Page, entry: Locator) => {
  const number = Number(/\d+$/.exec(await entry.innerText())![0])
  assert.isAbove(number, 1)
  await page.keyboard.press("Enter")
  await frameOf(page).getByRole("region", { name: `Page ${number} of`, exact: false }).locator("canvas").waitFor()
  assert.match(`${await focused(page)}`, new RegExp(`^Page ${number} of `))
}

describe("What a link opens", () => {
  test("The record in the PDF is shown as in the portal, with no other request, in a frame that reaches nothing", async () => {
    const { expect, frame, page, requests } = await openRecord()
    await frame.getByRole("heading", { level: 1, name: "Sean O'Hara" }).waitFor()
    const patient = frame.getByRole("region", { name: "Patient" })
    // The age comes once the record is read.
    await patient.filter({ hasText: /Born\s*Mar 4, 1962 \(\d+\)/ }).waitFor()
    await frame.getByText("What is not listed here is not in this document.").waitFor()
    // A type that is not in the release is not told as none.
    const card = frame.locator(".glance-card", { hasText: "Allergies" })
    await card.waitFor()
    assert.notInclude(await card.innerText(), "None in this record")
    assert.include(await card.innerText(), "not the same as")
    const medications = frame.locator(".glance-card", { hasText: "Medications" }).first()
    await medications.getByRole("button").first().waitFor()
    await frame.getByRole("row").nth(3).waitFor()
    const before = requests.length
    await frame.getByLabel("Search by name or value").fill("body")
    await frame.getByRole("status").filter({ hasText: /^\d+ of \d+ items$/ }).waitFor()
    await frame.locator("[data-item]").first().click()
    await frame.locator("h3:focus").waitFor()
    await frame.getByRole("heading", { name: "Trend" }).waitFor()
    const views = requests.slice(before).filter((request) => !/ blob:|secure-links\/status/.test(request))
    assert.deepStrictEqual(views, [])
    assert.lengthOf(requests.filter((request) => request.endsWith("/api/secure-links/view")), 1)

    // A print has no record that a sheet's end would cut, and says to print the PDF.
    assert.isTrue(await page.locator("iframe.release").isVisible())
    await page.emulateMedia({ media: "print" })
    assert.isFalse(await page.locator("iframe.release").isVisible())
    assert.isTrue(await page.getByText("To print, save the PDF and print that.").isVisible())
    await page.emulateMedia({ media: null })
    await page.locator("iframe.release").waitFor()

    // Forged messages to the page and to the frame are ignored.
    const downloads: Array<string> = []
    page.on("download", (download) => downloads.push(download.suggestedFilename()))
    const forged = [
      "the frame is ready",
      { is: "save", name: "evil.html", bytes: new Uint8Array(1) },
      { is: "files", names: ["evil"] },
      { ask: "show", release: new Uint8Array(1) }
    ]
    const send = (messages: ReadonlyArray<unknown>) => {
      for (const message of messages) {
        window.postMessage(message, "*", [new MessageChannel().port1])
        for (const frame of document.querySelectorAll("iframe")) frame.contentWindow!.postMessage(message, "*")
        parent.postMessage(message, "*")
      }
    }
    await page.evaluate(send, forged)
    await page.frames().at(-1)!.evaluate(send, forged)
    await page.waitForTimeout(300)
    assert.deepStrictEqual(downloads, [])
    assert.strictEqual(await page.getByText("evil").count(), 0)
    await frame.getByRole("heading", { level: 1, name: "Sean O'Hara" }).waitFor()

    // The frame has an opaque origin without storage, cookies and network, and its page around it is out of reach.
    assert.strictEqual(await page.locator("iframe").getAttribute("sandbox"), "allow-scripts")
    expect(/Content Security Policy|policy: |Refused|violates/)
    const reached = await page.frames().at(-1)!.evaluate(async (api) => {
      const tries: Record<string, () => unknown> = {
        cookie: () => document.cookie,
        localStorage: () => localStorage.length,
        sessionStorage: () => sessionStorage.length,
        indexedDB: () =>
          new Promise((done, fail) => {
            const request = indexedDB.open("a")
            request.addEventListener("success", done)
            request.addEventListener("error", fail)
          }),
        parent: () => parent.document.title,
        fetch: () => fetch(`${api}/health`),
        own: () => fetch("/config.json")
      }
      const reached = []
      for (const [name, attempt] of Object.entries(tries)) {
        try {
          await attempt()
          reached.push(name)
        } catch {
          // It is out of reach.
        }
      }
      return [origin, ...reached]
    }, service.url)
    assert.deepStrictEqual(reached, ["null"])
  })

  test("A release of some dates does not tell a problem of other years as none", async () => {
    const dated = { resourceTypes: ["Condition"], dateFrom: "2999-01-01" }
    const { document } = await signed(service, veteran, { information: dated })
    const tab = await openTab(browser)
    await read(tab.page, portal, service, await createLink(service, veteran, { documentId: document.id }))
    await frameOf(tab.page).locator(".glance-card", { hasText: "Some dates only" }).filter({
      hasText: /No problems of these dates as of [\w ,]+\. This is not the same as “none\.” Ask the patient\./
    }).waitFor()
  })

  test("By keyboard alone, a reader finds words, with how often they are there, and goes to a chapter or a page", async () => {
    const { frame, page } = await tabToDocument()
    await tabTo(page, frame.getByLabel("Search the document"))
    await page.keyboard.type(drug)
    const status = frame.getByRole("search").getByRole("status")
    const told = async (words: RegExp) => {
      await status.filter({ hasText: words }).waitFor()
      return words.exec(await status.innerText())!.slice(1).map(Number)
    }
    const first = await told(/^(1) of (\d+), on page (\d+)/)
    await page.keyboard.press("Enter")
    const second = await told(/^(2) of (\d+), on page (\d+)/)
    const entry = frame.getByRole("navigation", { name: "Contents" }).getByRole("button", { name: /^Medications/ })
    await tabTo(page, entry.first())
    await goByEnter(page, entry.first())
    const file = await openFile((await saved(page, /^Save the PDF/)).bytes)
    const pages = await file.pagesWith(drug)
    assert.deepStrictEqual([first, second], [[1, pages.length, pages[0]], [2, pages.length, pages[1]]])

    // The contents have the titles, levels and pages of the saved file's bookmarks.
    const entries = frame.getByRole("navigation", { name: "Contents" }).getByRole("button")
    await entries.first().waitFor()
    const shown = await entries.evaluateAll((buttons) =>
      buttons.map((button) => {
        let depth = 0
        for (let list = button.closest("ul"); list !== null; list = list.parentElement!.closest("ul")) depth++
        const [title, number] = button.children
        return { depth, title: title!.textContent, page: Number(number!.textContent) }
      })
    )
    const outline = await file.outline()
    assert.isAbove(outline.length, 10)
    assert.deepStrictEqual(shown, outline)

    // A search says which of how many matches is shown, and Enter goes to the next.
    await frame.getByLabel("Search the document").fill("")
    await page.keyboard.type("oral tablet")
    await status.filter({ hasText: /^1 of \d+, on page \d+/ }).waitFor()
    const text = await status.innerText()
    const [, all, shownFirst] = /^1 of (\d+), on page (\d+)/.exec(text)!
    assert.match(text, /oral tablet/i)
    assert.isAbove(Number(all), 1)
    await frame.getByRole("region", { name: new RegExp(`^Page ${shownFirst} of`) }).locator("canvas").waitFor()
    await page.keyboard.press("Enter")
    await status.filter({ hasText: `2 of ${all}` }).waitFor()
    await page.keyboard.press("Shift+Enter")
    await page.keyboard.press("Shift+Enter")
    await status.filter({ hasText: `${all} of ${all}` }).waitFor()
    await frame.getByLabel("Search the document").fill("no such word")
    await status.filter({ hasText: "Not found in the document" }).waitFor()

    // The list of pages leads to a page.
    await frame.getByLabel("Go to page").selectOption("5")
    await frame.getByRole("region", { name: "Page 5 of" }).locator("canvas").waitFor()
  })

  test("On a phone the contents are folded, and lead to a page by keyboard too", async () => {
    const { frame, page } = await tabToDocument({ viewport: { width: 360, height: 740 } })
    const entry = frame.getByRole("button", { name: /^Medications/ }).first()
    const summary = frame.locator("summary", { hasText: "Contents" })
    await tabTo(page, summary)
    assert.isFalse(await entry.isVisible())
    await page.keyboard.press("Enter")
    await tabTo(page, entry)
    await goByEnter(page, entry)
  })
})
