import { crc32, deflateSync } from "node:zlib"
import { PDFDocument } from "pdf-lib"
import type { Page } from "playwright-core"
import { assert, beforeEach, describe, test } from "vitest"
import { createLink } from "../../http/link/Links.ts"
import { download, release, signed, upload } from "../../http/release/Releases.ts"
import { call } from "../../support/Client.ts"
import { openBrowser, openTab } from "../Browser.ts"
import { openHostileTab } from "../hostile/Canary.ts"
import { hostileCda, hostileHtml, hostilePdf, hostileSvg, payloads } from "../hostile/Payloads.ts"
import { button, heading } from "../Portal.ts"
import { enterApp, newSharer, type Sharer } from "./Sharers.ts"
import { openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

const { database, service } = app

const superuser = await database.connect("superuser")

const browser = await openBrowser()

let veteran: Sharer

beforeEach(async () => {
  veteran = await newSharer(app)
})

const enter = async (page: Page) => {
  await enterApp(page, app, veteran, "#/documents")
  await heading(page, "My documents").waitFor()
}

const stored = async (): Promise<ReadonlyArray<any>> =>
  (await call(service, "GET", "/api/veteran/me/documents?limit=200", { headers: veteran.headers })).json.items

const choose = (page: Page, name: string, buffer: Uint8Array) =>
  page.locator("input[type=file]").first().setInputFiles({
    name,
    mimeType: "application/octet-stream",
    buffer: Buffer.from(buffer)
  })

const chunk = (type: string, content: Buffer) => {
  const [length, body, sum] = [Buffer.alloc(4), Buffer.concat([Buffer.from(type), content]), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

const numbers = (...values: ReadonlyArray<number>) => {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4))
  return bytes
}

const signature = Buffer.from("89504e470d0a1a0a", "hex")

/** A gray picture of one bit a pixel (PNG, 11.2.2), whose file is as small as it can be. */
const flatPng = (width: number, height: number) =>
  Buffer.concat([
    signature,
    chunk("IHDR", Buffer.concat([numbers(width, height), Buffer.from([1, 0, 0, 0, 0])])),
    chunk("IDAT", deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height))),
    chunk("IEND", Buffer.alloc(0))
  ])

/** A picture that moves: black, then white (PNG, 11.3.6). */
const movingPng = () => {
  const rows = (value: number) => deflateSync(Buffer.concat(Array.from({ length: 8 }, () => Buffer.from([0, value]))))
  const frame = (number: number) =>
    chunk("fcTL", Buffer.concat([numbers(number, 8, 8, 0, 0), Buffer.from([0, 1, 0, 100, 0, 0])]))
  return Buffer.concat([
    signature,
    chunk("IHDR", Buffer.concat([numbers(8, 8), Buffer.from([1, 0, 0, 0, 0])])),
    chunk("acTL", numbers(2, 0)),
    frame(0),
    chunk("IDAT", rows(0)),
    frame(1),
    chunk("fdAT", Buffer.concat([numbers(2), rows(255)])),
    chunk("IEND", Buffer.alloc(0))
  ])
}

describe("Documents from outside", () => {
  test("do not run when they are shown, and neither do their names", { timeout: 240_000 }, async () => {
    for (const name of payloads.slice(0, 12)) await upload(service, veteran, "A letter", name.slice(0, 200))
    for (
      const [content, name] of [
        [hostileHtml, "page.html"],
        [hostileSvg, "drawing.svg"],
        [hostileCda, "summary.xml"],
        [payloads.join("\n"), "notes.txt"],
        [hostilePdf, "form.pdf"]
      ] as const
    ) assert.strictEqual((await upload(service, veteran, content as string, name)).status, 201, name)
    const recipient = { ...release().recipient, name: "<img src=x onerror=canary()>" }
    const { document } = await signed(service, veteran, { recipient })
    await createLink(service, veteran, { documentId: document.id, recipientName: "<script>canary()</script>" })
    const { assertQuiet, page } = await openHostileTab(browser, [
      app.url,
      service.url,
      new URL(app.va.fhirBase).origin
    ])
    await enter(page)
    await page.getByText("Link for <script>canary()</script>").waitFor()
    await assertQuiet()
    for (const name of ["page.html", "drawing.svg", "summary.xml", "notes.txt", "form.pdf"]) {
      await page.getByRole("button", { name: `Show, ${name}` }).click()
      await page.locator("main iframe, main pre.text, main .pdf canvas").first().waitFor()
      await page.waitForTimeout(300)
      await assertQuiet()
      await page.getByRole("button", { name: `Hide, ${name}` }).click()
    }
    await page.getByRole("button", { name: /^Delete, .*canary/ }).first().click()
    await page.getByRole("dialog").waitFor()
    await assertQuiet()
    await button(page, "Keep it").click()
    await choose(page, "<img src=x onerror=canary()>.html", Buffer.from(hostileHtml))
    await button(page, "Save").click()
    await page.getByRole("status").getByText("Saved:").waitFor()
    await assertQuiet()
  })

  test("of 2,001 pages are kept, and the first 2,000 pages can be read", async () => {
    const pdf = await PDFDocument.create()
    for (let number = 0; number < 2_001; number++) pdf.addPage([300, 300])
    const { page } = await openTab(browser)
    await enter(page)
    await choose(page, "long.pdf", await pdf.save())
    await button(page, "Save").click()
    await page.getByRole("status").getByText("Saved: long.pdf").waitFor()
    await page.getByRole("button", { name: "Show, long.pdf" }).click()
    await page.getByText("2001 pages", { exact: true }).waitFor()
    await page.locator("canvas").first().waitFor()
    await page.getByText("There are more pages. Download the file to see them.").waitFor()
  })

  test("that unpack to more than 100 million pixels are refused, and those just below are drawn", {
    timeout: 120_000
  }, async () => {
    const { page } = await openTab(browser)
    await enter(page)
    await choose(page, "bomb.png", flatPng(40_000, 40_000))
    await page.getByRole("alert").getByText("too large for this page").waitFor()
    await choose(page, "wide.png", flatPng(40_000, 2_400))
    await page.getByRole("img").waitFor({ timeout: 60_000 })
    await button(page, "Save").click()
    await page.getByRole("status").getByText("Saved: wide.jpg").waitFor()
    await choose(page, "moving.png", movingPng())
    await button(page, "Save").click()
    await page.getByRole("status").getByText("Saved: moving.jpg").waitFor()
    const kept = await Promise.all(
      (await stored()).map(({ id }) => download(service, veteran, `/api/veteran/me/documents/${id}/content`))
    )
    for (const { bytes } of kept) assert.strictEqual(bytes.subarray(0, 3).toString("hex"), "ffd8ff")
  })

  test("are listed in pages, however many there are", { timeout: 120_000 }, async () => {
    for (let number = 0; number < 60; number++) await upload(service, veteran, `Letter ${number}`, `${number}.txt`)
    await signed(service, veteran)
    // A veteran uploads 60 files an hour at most.
    await superuser.query("truncate rate_limit_spendings")
    for (let number = 60; number < 115; number++) await upload(service, veteran, `Letter ${number}`, `${number}.txt`)
    const { page } = await openTab(browser)
    await enter(page)
    await page.getByText("None among the newest. Show more below.").waitFor()
    assert.strictEqual(await page.locator("main li.card").count(), 50)
    await button(page, "Show more").click()
    await page.getByText("Release to Dr. Ada Gray").waitFor()
    await button(page, "Show more").click()
    await page.getByRole("button", { name: "Delete, 0.txt" }).waitFor()
    assert.strictEqual(await page.locator("main li.card").count(), 116)
    assert.strictEqual(await button(page, "Show more").count(), 0)
  })
})
