import ExifReader from "exifreader"
import { readFile, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { assert, beforeEach, describe, test } from "vitest"
import { createLink } from "../../http/link/Links.ts"
import { download, release, signed, upload } from "../../http/release/Releases.ts"
import { openFolder } from "../../support/App.ts"
import { call } from "../../support/Client.ts"
import { openBrowser, openTab } from "../Browser.ts"
import { pdfOf } from "../document/Pdfs.ts"
import { hidden, photo } from "../document/Photos.ts"
import { brokenJpeg, hugePng, pngOf } from "../document/Pictures.ts"
import { refused } from "../pages/Refusals.ts"
import { button, heading } from "../Portal.ts"
import { enterApp, newSharer, type Sharer } from "./Sharers.ts"
import { openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

const { service } = app

const browser = await openBrowser()

let veteran: Sharer

beforeEach(async () => {
  veteran = await newSharer(app)
})

const enter = async (page: Page) => {
  await enterApp(page, app, veteran, "#/documents")
  await heading(page, "My documents").waitFor()
  await page.getByText("Nothing here yet.").or(page.locator("main .cards > li").first()).first().waitFor()
}

const choose = (page: Page, name: string, buffer: Uint8Array, mimeType = "application/octet-stream") =>
  page.locator("input[type=file]").first().setInputFiles({ name, mimeType, buffer: Buffer.from(buffer) })

const checking = (page: Page) => page.getByRole("heading", { level: 2, name: "Check it, then save it" })

const save = async (page: Page) => {
  await checking(page).waitFor()
  await page.getByRole("button", { name: "Save", exact: true }).click()
}

const stored = async () =>
  (await call(service, "GET", "/api/veteran/me/documents", { headers: veteran.headers })).json.items

const contentOf = async ({ id }: { readonly id: string }) =>
  (await download(service, veteran, `/api/veteran/me/documents/${id}/content`)).bytes

/** The size of a picture as a browser shows it, and the colors in the middle of its top and bottom. */
const shownAs = (page: Page, bytes: Uint8Array) =>
  page.evaluate(async (base64) => {
    const image = new Image()
    image.src = `data:image/jpeg;base64,${base64}`
    await image.decode()
    const canvas = document.createElement("canvas")
    const { naturalHeight: height, naturalWidth: width } = image
    Object.assign(canvas, { width, height })
    const context = canvas.getContext("2d")!
    context.drawImage(image, 0, 0)
    const colorAt = (x: number, y: number) => {
      const [red = 0, , blue = 0] = context.getImageData(Math.floor(x), Math.floor(y), 1, 1).data
      return red > blue ? "red" : "blue"
    }
    const colors = [[0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9]].map(([x, y]) => colorAt(x! * width, y! * height))
    return { width, height, colors }
  }, Buffer.from(bytes).toString("base64"))

describe("A photo", () => {
  test("is refused in words if this page cannot open it, and otherwise drawn anew, without its place and its device", async () => {
    const { page } = await openTab(browser)
    await enter(page)
    // A photo is refused before it is unpacked.
    const heic = Buffer.from(
      "0000001c6674797068656963000000006d696631686569630000000000000014697370650000000000000fc000000bd0",
      "hex"
    )
    for (
      const [name, bytes, words] of [
        ["bomb.png", hugePng(), /too large for this page/],
        ["broken.jpg", brokenJpeg, /broken, or this browser/],
        ["photo.heic", Buffer.concat([heic, Buffer.alloc(200)]), /\(HEIC\)/],
        ["cut.png", Buffer.from("89504e470d0a1a0a", "hex"), /broken, or this browser/],
        ["empty.jpg", Buffer.alloc(0), /This file is empty/]
      ] as const
    ) {
      await choose(page, name, bytes)
      await page.getByRole("alert").getByText(words).waitFor()
      assert.strictEqual(await checking(page).count(), 0)
    }
    assert.deepStrictEqual(await stored(), [])
    // A small one keeps its size, and a PNG becomes a JPEG on white ground.
    await choose(page, "scan.png", pngOf(40, 30), "image/png")
    await save(page)
    await page.getByRole("status").getByText("Saved: scan.jpg").waitFor()
    const [scan] = await stored()
    assert.strictEqual(scan.contentType, "image/jpeg")
    const { height, width } = await shownAs(page, await contentOf(scan))
    assert.deepStrictEqual([width, height], [40, 30])
    const taken = await photo(page, 3_000, 2_000, 6)
    const before = ExifReader.load(taken, { expanded: true })
    assert.closeTo(before.gps!.Latitude!, hidden.latitude, 0.001)
    assert.strictEqual(before.exif!["Make"]!.description, hidden.make)
    await choose(page, "IMG_2041.JPEG", taken, "image/jpeg")
    await page.getByText("This is what is saved. Place and device are taken out.").waitFor()
    const preview = page.getByRole("img", { name: "The photo as it is saved" })
    assert.deepStrictEqual(
      await preview.evaluate((one: HTMLImageElement) => one.decode().then(() => [one.naturalWidth, one.naturalHeight])),
      [1_600, 2_400]
    )
    await page.getByLabel("Name").fill("Letter from the clinic.jpg")
    await save(page)
    await page.getByRole("status").getByText("Saved: Letter from the clinic.jpg").waitFor()
    assert.isTrue(await heading(page, "My documents").evaluate((one) => one === document.activeElement))
    const [document] = await stored()
    assert.deepInclude(document, { title: "Letter from the clinic.jpg", contentType: "image/jpeg", kind: "upload" })
    const kept = await contentOf(document)
    const after = ExifReader.load(kept, { expanded: true })
    assert.isUndefined(after.exif)
    assert.isUndefined(after.gps)
    assert.isUndefined(after.xmp)
    assert.notInclude(kept.toString("latin1"), hidden.make)
    assert.deepStrictEqual(await shownAs(page, kept), {
      width: 1_600,
      height: 2_400,
      colors: ["red", "red", "blue", "blue"]
    })
  })

  test("comes from the phone's own camera, without a permission of the page", async () => {
    const { page } = await openTab(browser, { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } })
    await enter(page)
    const choosing = page.waitForEvent("filechooser")
    await button(page, "Take a photo").click()
    const chooser = await choosing
    const input = chooser.element()
    assert.deepStrictEqual(
      await Promise.all(["type", "accept", "capture"].map((name) => input.getAttribute(name))),
      ["file", "image/jpeg,image/png,application/pdf", "environment"]
    )
    assert.isFalse(chooser.isMultiple())
    await chooser.setFiles({ name: "image.jpg", mimeType: "image/jpeg", buffer: await photo(page, 400, 300) })
    await save(page)
    await page.getByRole("status").getByText("Saved: image.jpg").waitFor()
  })
})

describe("A file", () => {
  test("is kept byte for byte, needs a name without a path, and is shown, saved, and judged by the service", async () => {
    const { expect, page } = await openTab(browser)
    expect(refused)
    await enter(page)
    await choose(page, "movie.bin", Buffer.from([0, 1, 2, 3, 4, 5, 6, 7, 8]))
    await page.getByText("It is kept as it is, with all that is in it.").waitFor()
    await save(page)
    await page.getByRole("alert").getByText("This kind of file can’t be kept").waitFor()
    await checking(page).waitFor()
    await button(page, "Do not save").click()
    await choose(page, "summary.txt", Buffer.from("Blue Button: blood pressure 120/80"))
    await save(page)
    await page.getByRole("status").getByText("Saved: summary.txt").waitFor()
    assert.deepStrictEqual((await stored()).map(({ contentType }: { contentType: string }) => contentType), [
      "text/plain"
    ])

    const pdf = await pdfOf(2)
    await choose(page, `${"long".repeat(70)}.pdf`, pdf)
    await checking(page).waitFor()
    assert.strictEqual((await page.getByLabel("Name").inputValue()).length, 104)
    await page.getByLabel("Name").fill("  ")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText("Give it a name.").waitFor()
    await page.getByLabel("Name").fill("../../etc/‮fdp.exe\\שלום")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByRole("status").getByText("Saved: _.._etc_fdp").waitFor()
    assert.strictEqual((await stored())[0].title, "_.._etc_fdp.exe_שלום")

    await choose(page, "report.pdf", pdf, "application/pdf")
    await page.getByText("A PDF is kept as it is, with all that is in it.").waitFor()
    await save(page)
    await page.getByRole("status").getByText("Saved: report.pdf").waitFor()
    assert.deepStrictEqual(await contentOf((await stored())[0]), Buffer.from(pdf))
    await page.getByRole("button", { name: "Show, report.pdf" }).click()
    await page.getByText("2 pages", { exact: true }).waitFor()
    await page.locator("canvas").first().waitFor()
    const saving = page.waitForEvent("download")
    await page.getByRole("button", { name: "Save, report.pdf" }).click()
    const saved = await saving
    assert.strictEqual(saved.suggestedFilename(), "report.pdf")
    assert.deepStrictEqual(await readFile(await saved.path()), Buffer.from(pdf))
  })

  test("of 25 MiB is kept, and of one byte more is refused before it is sent", async () => {
    const { page, requests } = await openTab(browser)
    await enter(page)
    // The browser reads the file itself: Playwright would send its bytes to the browser as text.
    const path = join(await openFolder(), "most.pdf")
    const most = 25 * 1024 * 1024
    await writeFile(path, Buffer.alloc(most + 1, "%PDF-1.7\n"))
    const input = page.locator("input[type=file]").first()
    await input.setInputFiles(path)
    await page.getByRole("alert").getByText("This file is larger than 25 MB.").waitFor()
    assert.isFalse(requests.some((request) => request.startsWith("POST") && request.endsWith("/me/documents")))
    await truncate(path, most)
    await input.setInputFiles(path)
    await save(page)
    await page.getByRole("status").getByText("Saved: most.pdf").waitFor()
    assert.strictEqual((await stored())[0].byteSize, most)
  })

  test("is deleted after a question, and one that a release needs is kept", async () => {
    const { expect, page } = await openTab(browser)
    expect(refused)
    const letter = (await upload(service, veteran, "Dear Dr. Gray", "letter.txt")).json
    await upload(service, veteran, "Not needed", "other.txt")
    await signed(service, veteran, { information: { ...release().information, documentIds: [letter.id] } })
    await enter(page)
    await page.getByRole("button", { name: "Delete, letter.txt" }).click()
    await page.getByRole("dialog").getByText("It is removed for good.").waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
    await page.getByRole("dialog").getByText("A release needs this file").waitFor()
    await page.getByRole("button", { name: "Keep it" }).click()
    await page.getByRole("button", { name: "Delete, other.txt" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
    await page.getByRole("status").getByText("Deleted: other.txt").waitFor()
    await page.getByRole("button", { name: "Delete, other.txt" }).waitFor({ state: "hidden" })
    assert.strictEqual((await stored()).length, 2)
  })
})

describe("A release", () => {
  test("stands with its state and its links, and leads to a link and to a change", async () => {
    const { page } = await openTab(browser)
    const { documentId } = await createLink(service, veteran, { recipientName: "Morgan Lee" })
    await enter(page)
    const card = page.locator("li.card").filter({ hasText: "Release to Dr. Ada Gray" })
    await card.getByText("In force", { exact: true }).waitFor()
    await card.getByText(/^Link for Morgan Lee/).waitFor()
    await card.getByText(/^not opened yet, works until [A-Z][a-z]{2} \d{1,2}, \d{4}$/).waitFor()
    assert.strictEqual(await card.getByRole("button", { name: /^Delete/ }).count(), 0)
    assert.strictEqual(
      await card.getByRole("link", { name: "Make a link" }).getAttribute("href"),
      `#/link/${documentId}`
    )
    assert.strictEqual(await card.getByRole("link", { name: "Change" }).getAttribute("href"), `#/release/${documentId}`)
    assert.strictEqual(await page.getByRole("link", { name: "Sign a release" }).getAttribute("href"), "#/release")
    const saving = page.waitForEvent("download")
    await card.getByRole("button", { name: /^Save the record in it/ }).click()
    const record = await saving
    assert.match(record.suggestedFilename(), /^release-of-information-\d{4}-\d\d-\d\d\.fhir\.json$/)
    const { bytes } = await download(service, veteran, `/api/veteran/me/documents/${documentId}/record`)
    assert.deepStrictEqual(await readFile(await record.path()), bytes)
    const savingAll = page.waitForEvent("download")
    await card.getByRole("button", { name: /^Save it all: record, consent and PDF/ }).click()
    const shape = await savingAll
    assert.match(shape.suggestedFilename(), /^release-of-information-\d{4}-\d\d-\d\d\.consent\.fhir\.json$/)
    const { entry, type } = JSON.parse(await readFile(await shape.path(), "utf8"))
    assert.strictEqual(type, "collection")
    assert.includeMembers(entry.map(({ resource }: any) => resource.resourceType), ["Patient", "Consent", "Provenance"])
    await card.getByRole("button", { name: "Show, Release to Dr. Ada Gray" }).click()
    await card.locator("canvas").first().waitFor()
  })

  test("that has ended says so, and is deleted with a word on what stays", async () => {
    const { page } = await openTab(browser)
    const { document: older } = await signed(service, veteran)
    const { document: newer } = await signed(service, veteran, { supersedes: older.id })
    await call(service, "POST", `/api/veteran/me/roi/${newer.id}/revoke`, { headers: veteran.headers })
    await enter(page)
    await page.getByText("A newer release took its place.").waitFor()
    await page.getByText("You ended it", { exact: true }).waitFor()
    assert.strictEqual(await page.getByRole("link", { name: "Make a link" }).count(), 0)
    await page.getByRole("button", { name: "Delete, Release to Dr. Ada Gray" }).first().click()
    await page.getByRole("dialog").getByText("A release that was shown is kept 6 years by law, unseen.").waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
    await page.getByRole("status").getByText("Deleted: Release to Dr. Ada Gray").waitFor()
    assert.deepStrictEqual((await stored()).map(({ id }: { id: string }) => id), [older.id])
  })
})
