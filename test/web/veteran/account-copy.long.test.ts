import { readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { setTimeout } from "node:timers/promises"
import type { Browser, Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { bytesOfPdf, linesOf, noneRuns, running, unpack } from "../../http/export/Exports.ts"
import { upload } from "../../http/release/Releases.ts"
import { openFolder } from "../../support/App.ts"
import { call } from "../../support/Client.ts"
import { sync } from "../../support/Sync.ts"
import { openBrowser } from "../Browser.ts"
import { answerOnce, once } from "../pages/Refusals.ts"
import { button } from "../Portal.ts"
import { card, isFocused, mailTo, openAccount } from "./Account.ts"
import { stored } from "./Stored.ts"
import { openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

const { service } = app

const folder = await openFolder()

const mebibyte = 1024 * 1024

type Owner = Awaited<ReturnType<typeof openAccount>>["veteran"]

const signedIn = (veteran: Owner) => ({
  ...veteran,
  token: veteran.headers.authorization.slice("Bearer ".length)
})

const start = (page: Page) => button(page, "Get all my data").click()

/** A page that receives 1 MiB a second at most. */
const slowly = async (page: Page) => {
  const tools = await page.context().newCDPSession(page)
  await tools.send("Network.enable")
  await tools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    uploadThroughput: -1,
    downloadThroughput: mebibyte
  })
}

const small = `{"resourceType":"Condition","id":"c1","code":{"text":"Caf\\u00e9 \\"x\\""},"n":1.00}`

const withRecord = async () => {
  const opened = await openAccount(app)
  await sync(service, signedIn(opened.veteran), { Condition: "complete" }, { Condition: [small] })
  return opened
}

/** The memory of the pages' processes, in MiB. */
const memory = async (browser: Browser) => {
  const tools = await browser.newBrowserCDPSession()
  const { processInfo } = await tools.send("SystemInfo.getProcessInfo")
  await tools.detach()
  return processInfo.filter(({ type }) => type === "renderer").reduce((sum, { id }) => {
    const rss = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, "utf8"))
    return sum + Number(rss?.[1] ?? 0) / 1024
  }, 0)
}

describe("A copy of all data", () => {
  test("is saved as a whole ZIP archive with the exact texts, is told by mail, and can be saved again", async () => {
    const { page, requests, veteran } = await withRecord()
    const mine = card(page, "Get all my data")
    await mine.getByText("You can get it 3 times a day. We mail you each time.").waitFor()
    const [download] = await Promise.all([page.waitForEvent("download"), start(page)])
    assert.match(download.suggestedFilename(), /^veteran-records-\d{4}-\d\d-\d\d\.zip$/)
    await mine.getByText(/^Your copy is whole: \d+ KB\. Look in your downloads\./).waitFor()
    assert.isTrue(await isFocused(page, "Get all my data"))
    const files = await unpack(await readFile((await download.path())!), folder)
    assert.deepStrictEqual(linesOf(files.get("record/Condition.ndjson")), [small])
    assert.include(`${files.get("README.txt")}`, veteran.name)
    await mailTo(app, veteran.email, /copy/i)
    const asked = () => requests.filter((request) => request.startsWith("POST") && request.endsWith("/exports")).length
    assert.strictEqual(asked(), 1)
    const [again] = await Promise.all([page.waitForEvent("download"), button(page, "Save it again").click()])
    assert.deepStrictEqual(await readFile((await again.path())!), await readFile((await download.path())!))
    assert.strictEqual(asked(), 1)
    assert.deepStrictEqual((await stored(page)).session, {})
    // Leaving the screen forgets it.
    await page.getByRole("link", { name: "Home", exact: true }).click()
    await page.getByRole("link", { name: "Account" }).click()
    await button(page, "Get all my data").waitFor()
  })

  test("is not saved at all if the connection ends too early, or if the archive has no end", async () => {
    const { page, veteran } = await withRecord()
    let downloads = 0
    page.on("download", () => downloads++)
    const mine = card(page, "Get all my data")
    await page.route(
      "**/me/exports",
      once(async (route) => {
        const answer = await route.fetch()
        const body = await answer.body()
        await route.fulfill({ response: answer, body: body.subarray(0, body.length - 22) })
      })
    )
    await start(page)
    await mine.getByText("The copy is not complete").waitFor()
    await mine.getByText("The connection ended too early, so nothing was saved. Try again.").waitFor()
    await upload(service, signedIn(veteran), bytesOfPdf(20 * mebibyte), "large.pdf")
    await slowly(page)
    await start(page)
    await mine.getByText(/^\d.* so far$/).waitFor()
    await mine.getByText("Your copy is arriving. Keep this page open until it is saved.").waitFor()
    // A session that ends breaks the connection off.
    await call(service, "POST", "/api/veteran/me/sessions/end-all", { headers: veteran.headers })
    await mine.getByText("The copy is not complete").waitFor()
    assert.strictEqual(downloads, 0)
  }, 60_000)

  test("is stopped by Cancel and by leaving the screen, and then the service stops sending", async () => {
    const { page, veteran } = await withRecord()
    await upload(service, signedIn(veteran), bytesOfPdf(20 * mebibyte), "large.pdf")
    await slowly(page)
    const mine = card(page, "Get all my data")
    await start(page)
    await mine.getByText(/^\d.* so far$/).waitFor()
    assert.strictEqual(await running(service), 1)
    await mine.getByRole("button", { name: "Cancel" }).click()
    await mine.getByText("You stopped it. Nothing was saved.").waitFor()
    assert.isTrue(await isFocused(page, "Get all my data"))
    await noneRuns(service)
    await start(page)
    await mine.getByText(/^\d.* so far$/).waitFor()
    await page.getByRole("link", { name: "Home", exact: true }).click()
    await noneRuns(service)
  }, 60_000)

  test("says that another one is made, that the day's copies are used up, and that the service is away", async () => {
    const { page, veteran } = await withRecord()
    const mine = card(page, "Get all my data")
    await answerOnce(page, "**/me/exports", 429, { error: "rate_limited", message: "", retryAfterSeconds: 10 })
    await start(page)
    await mine.getByText("A copy is being made already").waitFor()
    await answerOnce(page, "**/me/exports", 503, { error: "service_unavailable", message: "" })
    await start(page)
    await mine.getByText("The service can't be reached").waitFor()
    for (let count = 0; count < 3; count++) {
      const made = await fetch(`${service.url}/api/veteran/me/exports`, { method: "POST", headers: veteran.headers })
      assert.strictEqual(made.status, 200)
      await made.arrayBuffer()
      // The last byte is here before the service lets go of the veteran's turn.
      await noneRuns(service)
    }
    await start(page)
    await mine.getByText("No more copies today").waitFor()
    await mine.getByText("You can get 3 copies in 24 hours. Wait 24 hours.").waitFor()
  })

  test("of 100 MB arrives whole, and the page's memory does not grow with it", async () => {
    const { page, veteran } = await openAccount(app)
    const sent = Array.from({ length: 5 }, () => bytesOfPdf(20 * mebibyte))
    for (const [index, bytes] of sent.entries()) await upload(service, signedIn(veteran), bytes, `large-${index}.pdf`)
    const browser = await openBrowser()
    const before = await memory(browser)
    let most = before
    const done = new AbortController()
    const watched = (async () => {
      while (!done.signal.aborted) {
        most = Math.max(most, await memory(browser))
        await setTimeout(200)
      }
    })()
    const [download] = await Promise.all([page.waitForEvent("download", { timeout: 200_000 }), start(page)])
    const path = (await download.path())!
    done.abort()
    await watched
    const bytes = await readFile(path)
    assert.isAbove(bytes.length, 95 * mebibyte)
    assert.isBelow(most - before, 80)
    const files = [...(await unpack(bytes, folder)).values()]
    for (const one of sent) assert.isTrue(files.some((file) => file.equals(one)))
  }, 300_000)
})
