import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { BrowserContext, Page } from "playwright-core"
import { assert, beforeEach, describe, test } from "vitest"
import { openFolder } from "../../support/App.ts"
import { call } from "../../support/Client.ts"
import { until } from "../../support/Until.ts"
import { openBrowser, openTab } from "../Browser.ts"
import { answerOnce, once, refused } from "../pages/Refusals.ts"
import { button, heading } from "../Portal.ts"
import { loseAnswer } from "./Inspected.ts"
import { enterApp, newSharer, type Sharer } from "./Sharers.ts"
import { atLocked, openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

const browser = await openBrowser()

let veteran: Sharer

beforeEach(async () => {
  veteran = await newSharer(app)
})

const enter = async (page: Page) => {
  await enterApp(page, app, veteran, "#/documents")
  await page.getByText("Nothing here yet.").waitFor()
}

/** A text of this many bytes, of which no two are alike. */
let made = 0

const text = (size: number) => Buffer.alloc(size, `${made++} line of a long letter\n`)

const choose = async (page: Page, buffer: Buffer, name = "letter.txt") => {
  await page.locator("input[type=file]").first().setInputFiles({ name, mimeType: "text/plain", buffer })
  await page.getByRole("heading", { name: "Check it, then save it" }).waitFor()
}

const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click()

const stored = async (): Promise<ReadonlyArray<any>> =>
  (await call(app.service, "GET", "/api/veteran/me/documents", { headers: veteran.headers })).json.items

/** Lets the page send this many bytes a second. */
const slow = async (context: BrowserContext, page: Page, uploadThroughput: number) => {
  const tools = await context.newCDPSession(page)
  await tools.send("Network.enable")
  const limit = (uploadThroughput: number) =>
    tools.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput
    })
  await limit(uploadThroughput)
  return () => limit(-1)
}

const uploads = "**/api/veteran/me/documents"

describe("A file on its way", () => {
  test("tells how much of it has left, is stopped by Cancel, is stored once for each window, and is let go by a lock", async () => {
    const { context, page } = await openTab(browser)
    await enter(page)
    const fast = await slow(context, page, 100_000)
    await choose(page, text(1_000_000))
    await save(page)
    const progress = page.getByRole("progressbar", { name: "Sending" })
    const sent = () => progress.evaluate((one: HTMLProgressElement) => one.value)
    await until("some of it has left", async () => await sent() > 150_000)
    assert.isBelow(await sent(), 1_000_000)
    await page.getByText(/^(\d+ KB|[\d.]+ MB) of 1\.0 MB$/).waitFor()
    await button(page, "Cancel").click()
    await page.getByRole("status").getByText("Cancelled. Nothing was saved.").waitFor()
    assert.isTrue(await button(page, "Do not save").evaluate((one) => one === document.activeElement))
    assert.deepStrictEqual(await stored(), [])
    await fast()
    await save(page)
    await page.getByRole("status").getByText("Saved: letter.txt").waitFor()
    assert.deepStrictEqual((await stored()).map(({ byteSize }) => byteSize), [1_000_000])
    const second = await context.newPage()
    await second.goto(`${app.url}/#/documents`)
    await second.getByRole("button", { name: "Delete, letter.txt" }).waitFor()
    const same = text(500_000)
    for (const one of [page, second]) await choose(one, same, "same.txt")
    await Promise.all([save(page), save(second)])
    for (const one of [page, second]) await one.getByRole("status").getByText("Saved: same.txt").waitFor()
    assert.strictEqual((await stored()).length, 3)
    await slow(context, page, 300_000)
    await choose(page, text(3_000_000))
    await save(page)
    await progress.waitFor()
    await second.evaluate(() => void (location.hash = "#/account"))
    await second.getByRole("button", { name: "Sign out" }).click()
    await atLocked(page)
    assert.strictEqual((await stored()).length, 3)
  })

  test("is refused in words for each reason, is looked up if nobody knows, and is sent again after a renewal", async () => {
    const { expect, page } = await openTab(browser)
    expect(refused)
    await enter(page)
    const saved = (name: string) => page.getByRole("status").getByText(`Saved: ${name}`).waitFor()
    await choose(page, text(1_000))
    for (
      const [status, error, words] of [
        [409, "conflict", "Your documents are full"],
        [413, "payload_too_large", "This file is too large"],
        [415, "unsupported_media_type", "This kind of file can’t be kept"],
        [429, "rate_limited", "Too many tries"],
        [507, "storage_full", "There is no room just now"],
        [503, "service_unavailable", "The service can't be reached"]
      ] as const
    ) {
      await answerOnce(page, uploads, status, { error, message: "x", requestId: "x", retryAfterSeconds: 120 })
      await save(page)
      await page.getByRole("alert").getByRole("heading", { name: words }).waitFor()
    }
    assert.deepStrictEqual(await stored(), [])

    // A file whose answer is lost is looked up before it is offered again.
    await loseAnswer(page, uploads)
    await save(page)
    await saved("letter.txt")
    assert.strictEqual((await stored()).length, 1)
    // The same file once more: the one that is stored already is no answer.
    const same = text(2_000)
    await choose(page, same, "second.txt")
    await save(page)
    await saved("second.txt")
    await page.route(uploads, once((route) => route.abort()))
    await choose(page, same, "third.txt")
    await save(page)
    await page.getByRole("alert").getByText("The connection was lost").waitFor()
    await save(page)
    await saved("third.txt")
    assert.strictEqual((await stored()).length, 3)

    // It is not offered again while nobody knows, and the service is asked until it answers.
    await choose(page, text(1_000), "fourth.txt")
    await page.route(
      uploads,
      once(async (route) => {
        await route.fetch()
        await page.route("**/api/veteran/me/documents?limit=200", (list) => list.abort())
        await route.abort()
      })
    )
    await save(page)
    await page.getByRole("alert").getByText("We don’t know whether it was saved").waitFor()
    assert.strictEqual(await button(page, "Save").getAttribute("aria-disabled"), "true")
    assert.strictEqual(await button(page, "Do not save").getAttribute("aria-disabled"), "true")
    await page.getByRole("link", { name: "Home", exact: true }).click()
    await page.goBack()
    await page.getByRole("alert").getByText("We don’t know whether it was saved").waitFor()
    await page.unroute("**/api/veteran/me/documents?limit=200")
    await page.evaluate(() => dispatchEvent(new Event("online")))
    await saved("fourth.txt")
    assert.strictEqual((await stored()).length, 4)

    // One that was stored before Cancel is told as stored.
    const arrived = Promise.withResolvers<void>()
    await page.route(
      uploads,
      once(async (route) => {
        await route.fetch()
        arrived.resolve()
      })
    )
    await choose(page, text(1_000), "fifth.txt")
    await save(page)
    await arrived.promise
    await button(page, "Cancel").click()
    await page.getByRole("status").getByText("It was saved before you pressed Cancel.").waitFor()
    await page.getByRole("button", { name: "Delete, fifth.txt" }).waitFor()

    // It is sent again if the token is refused, and the app locks if the new one is refused too.
    const unauthenticated = { error: "unauthenticated", message: "x", requestId: "x" }
    await choose(page, text(1_000), "sixth.txt")
    await answerOnce(page, uploads, 401, unauthenticated)
    await save(page)
    await saved("sixth.txt")
    await choose(page, text(1_000), "seventh.txt")
    await answerOnce(page, uploads, 401, unauthenticated)
    await answerOnce(page, uploads, 401, unauthenticated)
    await save(page)
    await atLocked(page)
  })

  test("is refused by a service that is full for the veteran, while it is still being sent", async () => {
    const { expect, page } = await openTab(browser)
    expect(refused)
    await enter(page)
    const superuser = await app.database.connect("superuser")
    await superuser.query(
      `insert into storage_used (veteran_id, upload_bytes) values ($1, 2047 * 1024 * 1024)
       on conflict (veteran_id) do update set upload_bytes = excluded.upload_bytes`,
      [veteran.id]
    )
    // The browser reads the file itself: Playwright would send its bytes to the browser as text.
    const path = join(await openFolder(), "large.txt")
    await writeFile(path, text(20_000_000))
    await page.locator("input[type=file]").first().setInputFiles(path)
    await page.getByRole("heading", { name: "Check it, then save it" }).waitFor()
    await save(page)
    await page.getByRole("alert").getByText("Your documents are full").waitFor()
    await button(page, "Do not save").click()
    await choose(page, text(500_000))
    await save(page)
    await page.getByRole("status").getByText("Saved: letter.txt").waitFor()
  })
})

describe("A chosen file", () => {
  test("that changes while it is read, or is a folder, is refused", async () => {
    const { context, page } = await openTab(browser)
    await page.addInitScript(() => {
      const read = File.prototype.arrayBuffer
      File.prototype.arrayBuffer = function() {
        return new Promise((done) => setTimeout(done, 1_000)).then(() => read.call(this))
      }
    })
    await enter(page)
    const folder = await openFolder()
    await mkdir(join(folder, "inner"))
    const path = join(folder, "letter.txt")
    await writeFile(path, "Dear Dr. Gray")
    await page.locator("input[type=file]").first().setInputFiles(path)
    await writeFile(path, "Dear Dr. Gray, this is another letter")
    await page.getByRole("alert").getByText("This file can’t be read.").waitFor()
    const tools = await context.newCDPSession(page)
    const drop = async (...files: Array<string>) => {
      const data = { items: [], files, dragOperationsMask: 1 }
      for (const type of ["dragEnter", "dragOver", "drop"] as const) {
        await tools.send("Input.dispatchDragEvent", { type, x: 300, y: 300, data })
      }
    }
    await drop(path, path)
    await page.getByRole("alert").getByText("Choose one file at a time.").waitFor()
    await drop(join(folder, "inner"))
    await page.getByRole("alert").getByText("It may be a folder").waitFor()
    await drop(path)
    await page.getByRole("heading", { name: "Check it, then save it" }).waitFor()
    await heading(page, "My documents").waitFor()
  })
})
