import { readFile } from "node:fs/promises"
import type { Page } from "playwright-core"
import { assert, describe, test, vi } from "vitest"
import { download, signed } from "../http/release/Releases.ts"
import { revoke } from "../http/Sharing.ts"
import { nobody } from "../support/Formats.ts"
import { openBrowser, openTab } from "./Browser.ts"
import { encryptedPdf, leanPdf, pdfOf } from "./document/Pdfs.ts"
import { brokenJpeg, hugePng, pngOf, tiff } from "./document/Pictures.ts"
import { showDocument, signInAt, uploadTo } from "./document/SharedDocuments.ts"
import { openInspection } from "./pages/Inspection.ts"
import { once, refused } from "./pages/Refusals.ts"
import { openPortal } from "./Portal.ts"
import { share } from "./record/Records.ts"
import { small } from "./record/Small.ts"

const { portal, service } = await openPortal()
const browser = await openBrowser()
const shared = await share(service, {})

const signedIn = async (options = {}, of = shared) => {
  const tab = await openTab(browser, options)
  await signInAt(tab.page, portal, of)
  return tab
}

const show = async (page: Page, content: string | Uint8Array, name: string) =>
  showDocument(page, shared, await uploadTo(service, shared, content, name))

const top = ["link Skip to main content", "link Patients", "link Desk codes", "link Change password", "button Sign out"]

const notShown = "We can't show this here. You can download it."

const isShown = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor()

describe("The document screen", () => {
  test("The screen describes the document, saves it with the same bytes, and shows each type, or says why not", async () => {
    const { expect, look, lookAtWords, order, page, requests } = await openInspection(browser)
    expect(refused)
    await signInAt(page, portal, shared)
    const above = [...top, "link Back to the record", "button Download"]
    const bytes = pngOf(20, 10)
    await show(page, bytes, "scan")
    await page.getByRole("heading", { level: 1, name: "scan", exact: true }).waitFor()
    await isShown(page, "Picture (PNG)")
    await isShown(page, `${bytes.length} bytes`)
    const saving = page.waitForEvent("download")
    await page.getByRole("button", { name: "Download" }).click()
    const saved = await saving
    assert.strictEqual(saved.suggestedFilename(), "scan.png")
    assert.deepStrictEqual(await readFile(await saved.path()), bytes)
    const image = page.getByRole("img", { name: "scan" })
    assert.strictEqual(await image.evaluate((one: HTMLImageElement) => one.decode().then(() => one.naturalWidth)), 20)
    await page.getByRole("link", { name: "Back to the record" }).click()
    await page.waitForURL(`**/#/patients/${shared.veteran.id}`)
    const pictured = "A picture with a rather long name, taken in the front garden last summer.png"
    await show(page, pngOf(640, 400), pictured)
    await page.getByRole("img", { name: pictured }).waitFor()
    await look("document, picture")

    // Text is shown as text, and a long text only in part.
    const letter = `Dear Dr. Gray,\n\tblood pressure 120/80 – <b>fine</b>.\n${"W".repeat(400)}`
    await show(page, letter, "letter")
    const text = page.getByRole("region", { name: "Text" })
    assert.strictEqual(await text.textContent(), letter)
    await look("document, text")
    assert.deepStrictEqual(await order(), [...above, "region Text"])
    await show(page, "word ".repeat(200_000), "long")
    await isShown(page, "This is the beginning of a long text. Download it to see the rest.")
    assert.strictEqual((await text.textContent())!.length, 500_000)

    // A broken, locked, huge or unknown file is not shown.
    for (
      const [content, name] of [
        [tiff, "scan.tiff"],
        [brokenJpeg, "broken.jpg"],
        [hugePng(), "huge.png"],
        ["%PDF-1.7\nnothing else", "broken.pdf"],
        [encryptedPdf(), "locked.pdf"]
      ] as const
    ) {
      await show(page, content, name)
      await page.getByRole("heading", { level: 1, name }).waitFor()
      await isShown(page, notShown)
      await page.getByRole("button", { name: "Download" }).waitFor()
      if (name === "scan.tiff") await look("document, TIFF")
      if (name === "locked.pdf") await lookAtWords("document, locked PDF")
    }

    // A PDF may need our character maps and picture decoders, which work without WebAssembly.
    await show(page, leanPdf(), "lean.pdf")
    await page.getByText("日本").waitFor({ state: "attached" })
    await page.locator("canvas").waitFor()
    const asked = requests.flatMap((request) => /\/assets\/pdfjs-[\d.]+\/(.*)/.exec(request)?.[1] ?? [])
    assert.includeMembers(asked, ["cmaps/UniJIS-UCS2-H.bcmap", "decoders/openjpeg_nowasm_fallback.js"])

    await show(page, await pdfOf(3), "letter.pdf")
    await page.locator("canvas").first().waitFor()
    await look("document, PDF")
    assert.deepStrictEqual(await order(), [
      ...above,
      "combobox Go to page",
      "button Smaller",
      "button Larger",
      "button Show as text",
      "searchbox Search the document",
      "button Previous match",
      "button Next match",
      "region Pages"
    ])
    await page.getByRole("button", { name: "Show as text" }).click()
    await page.getByText("This is page 1.").waitFor()
    await look("document, PDF as text")

    // An uploaded HTML page is shown as plain text and tables, and can be scrolled by keyboard.
    await show(
      page,
      "<!doctype html><h1>Discharge</h1><table><tr><th>A1c<td>7.1 %</table>" + "<p>More.".repeat(400),
      "letter.html"
    )
    const frame = page.frameLocator("iframe")
    await frame.getByRole("heading", { name: "Discharge" }).waitFor()
    await frame.getByRole("cell", { name: "7.1 %" }).waitFor()
    await isShown(page, "This page comes from outside. Links and pictures in it are off.")
    await look("document, web page")
    assert.deepStrictEqual(await order(), [...above, "Iframe letter.html"])
    let loads = 0
    page.on("framenavigated", () => loads++)
    await page.getByRole("button", { name: "Download" }).focus()
    await page.keyboard.press("Tab")
    await page.waitForFunction(() => document.activeElement?.tagName === "IFRAME")
    await page.keyboard.press("End")
    // The sandboxed frame runs no script that could report the scroll, so the test polls the position.
    const scrolled = () => frame.locator("html").evaluate(() => scrollY)
    await vi.waitUntil(async () => await scrolled() > 0, { timeout: 20_000 })
    await page.keyboard.press("Shift+Tab")
    await page.waitForFunction(() => document.activeElement?.tagName === "BUTTON")
    await page.locator("iframe:not(.focused)").waitFor()
    assert.strictEqual(loads, 0, "the page from outside begins again when the keyboard comes or goes")
    assert.isAbove(await scrolled(), 0)

    // A document does not exist, or nothing is shared.
    const stranger = await share(service, {})
    await showDocument(page, shared, nobody)
    await isShown(page, "This is not here")
    await look("document, not here")
    const id = await uploadTo(service, shared, bytes, "late.png")
    await page.route("**/content", once(() => {}))
    await showDocument(page, shared, id)
    await page.getByText("Loading the document").waitFor()
    await look("document, loading")
    await showDocument(page, stranger, nobody)
    await page.getByRole("heading", { level: 1, name: "You no longer have access to this record" }).waitFor()
    await look("document, revoked")
    assert.deepStrictEqual(await order(), [...top, "link Back to your patients"])
  })

  test("The pages of a PDF are drawn when they are scrolled to, and at most six stay drawn", async () => {
    const { page } = await signedIn()
    await show(page, await pdfOf(120), "long.pdf")
    await isShown(page, "120 pages")
    const pageOf = (number: number) => page.getByRole("region", { name: `Page ${number} of 120`, exact: true })
    for (const number of [1, 60, 120]) {
      await pageOf(number).scrollIntoViewIfNeeded()
      await pageOf(number).locator("canvas").waitFor()
      assert.isAtMost(await page.locator("canvas").count(), 6)
    }
    await pageOf(5).getByText("This is page 5.").waitFor({ state: "attached" })
    const before = await pageOf(120).locator("canvas").boundingBox()
    await page.getByRole("button", { name: "Larger" }).click()
    await isShown(page, "125 %")
    await pageOf(120).scrollIntoViewIfNeeded()
    await pageOf(120).locator("canvas").waitFor()
    assert.closeTo((await pageOf(120).locator("canvas").boundingBox())!.width, before!.width * 1.25, 2)
  })

  test("A PDF page of any size is drawn with at most 8 million pixels", async () => {
    const { page } = await signedIn({ deviceScaleFactor: 3 })
    for (const size of [[14_400, 14_400], [14_400, 3], [3, 14_400]] as const) {
      await show(page, await pdfOf(1, [...size]), `${size.join(" by ")}.pdf`)
      await page.getByRole("heading", { level: 1, name: `${size.join(" by ")}.pdf` }).waitFor()
      await page.locator("canvas").waitFor()
      const pixels = await page.locator("canvas").evaluate((one: HTMLCanvasElement) => one.width * one.height)
      assert.isAtMost(pixels, 8_000_000)
    }
  })

  test("A signed release can also be read as text, which comes from the PDF's tags", async () => {
    const { document } = await signed(service, shared.veteran)
    const { bytes } = await download(service, shared.veteran, `/api/veteran/me/documents/${document.id}/content`)
    const { page } = await signedIn({ viewport: { width: 360, height: 740 } })
    await show(page, bytes, "release.pdf")
    await page.locator("canvas").first().waitFor()
    const heading = page.getByRole("heading", { name: "Authorization to Release Health Information" })
    await heading.waitFor({ state: "attached" })
    await page.getByRole("button", { name: "Show as text" }).click()
    await page.getByText("Whose record Sean O'Hara").first().waitFor()
    assert.strictEqual(await page.getByRole("cell", { name: "Not loaded" }).count(), 2)
    assert.isFalse(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
  })

  test("The screen and its print name the patient, and the document leaves it within 30 s after the share ends", async () => {
    const named = await share(service, { Patient: small["Patient"]! })
    const { page } = await openTab(browser)
    await page.clock.install()
    await signInAt(page, portal, named)
    await showDocument(page, named, await uploadTo(service, named, pngOf(20, 10), "scan"))
    const facts = page.locator(".document .facts")
    await facts.getByText("Grace Hopper; Born Sep 10, 1947; Call sign Eagle").waitFor()
    await page.emulateMedia({ media: "print" })
    assert.isTrue(await facts.isVisible())
    await page.emulateMedia({ media: "screen" })

    // It leaves even if nobody does anything.
    const id = await uploadTo(service, named, await pdfOf(1), "letter.pdf")
    await showDocument(page, named, id)
    await page.locator("canvas").waitFor()
    await revoke(service, named.veteran, named.grant)
    await page.clock.fastForward(30_000)
    await page.getByRole("heading", { level: 1, name: "You no longer have access to this record" }).waitFor()
    assert.strictEqual(await page.getByText("letter.pdf").count(), 0)
    assert.strictEqual(page.workers().length, 0)
  })
})
