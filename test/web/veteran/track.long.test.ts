import type { Page } from "playwright-core"
import { assert, beforeEach, describe, test } from "vitest"
import { isUnread, reachedBetween } from "../../../web/veteran/sharing/LinkSteps.ts"
import { createLink, step } from "../../http/link/Links.ts"
import { signed } from "../../http/release/Releases.ts"
import { call } from "../../support/Client.ts"
import { until } from "../../support/Until.ts"
import { openBrowser, openTab } from "../Browser.ts"
import { answerOnce, refused } from "../pages/Refusals.ts"
import { heading } from "../Portal.ts"
import { inspectTab, seen } from "./Inspected.ts"
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
  await enterApp(page, app, veteran, "#/sharing")
  await page.getByText(/ can see it\./).waitFor()
}

const card = (page: Page, name: string) => page.locator("main > ul > li").filter({ hasText: name })

const stepOf = (page: Page, name: string, words: string) =>
  card(page, name).getByRole("list", { name: "What became of the link" }).getByRole("listitem").filter({
    hasText: words
  })

const readings = (requests: ReadonlyArray<string>) =>
  requests.filter((request) => /^GET .*\/me\/sharing\?limit=200/.test(request)).length

describe("The track of a link", () => {
  test("moves while the screen is open, with the time of each step, and is said once", async () => {
    const { page, requests } = await openTab(browser)
    const link = await createLink(service, veteran, { recipientName: "Morgan Lee" })
    await enter(page)
    await stepOf(page, "Morgan Lee", "Opened").getByText("(not yet)").waitFor({ state: "attached" })
    await step(service, "open", { token: link.token })
    await stepOf(page, "Morgan Lee", "Opened").getByText(/^\d{1,2}:\d\d [AP]M$/).waitFor()
    const said = page.getByRole("status").getByText(/^The link for Morgan Lee was opened: /)
    await said.waitFor({ state: "attached" })
    const before = readings(requests)
    await page.waitForRequest(/\/me\/sharing\?limit=200/)
    await page.waitForRequest(/\/me\/sharing\?limit=200/)
    assert.isAtLeast(readings(requests), before + 2)
    assert.strictEqual(await said.count(), 1)
    assert.strictEqual(await page.getByText("They can still open it until it ends.").count(), 0)
  })

  test("of a hundred links is read by one request, and no more often than every five seconds", async () => {
    const { page, requests } = await openTab(browser)
    const { document } = await signed(service, veteran)
    for (let n = 0; n < 100; n++) await createLink(service, veteran, { documentId: document.id })
    await page.addInitScript(() => {
      const { fetch } = globalThis
      const asked: Array<number> = []
      Object.assign(globalThis, {
        asked,
        fetch: (...[of, options]: Parameters<typeof fetch>) => {
          if (/\/me\/sharing\?limit=200/.test(of instanceof Request ? of.url : `${of}`)) asked.push(Date.now())
          return fetch(of, options)
        }
      })
    })
    await page.clock.install()
    await enter(page)
    await page.getByText("101 can see it.").waitFor()
    for (let n = 1; n <= 3; n++) {
      const before = readings(requests)
      await page.clock.runFor(5_100)
      await until("the list is read again", async () => readings(requests) > before)
    }
    // By the page's clock, which also goes on by itself.
    const asked = await page.evaluate<Array<number>>(() => Object(globalThis).asked)
    assert.isAtLeast(asked.length, 4)
    for (const [index, at] of asked.slice(1).entries()) assert.isAtLeast(at - asked[index]!, 5_000)
  })

  test("asks nothing while the page is hidden, at once when it is seen again, and less often after it could not be read", async () => {
    const { expect, page, requests } = await openTab(browser)
    expect(refused)
    await createLink(service, veteran, { recipientName: "Morgan Lee" })
    await page.clock.install()
    await enter(page)
    await seen(page, "hidden")
    const at = readings(requests)
    await page.clock.runFor(20_000)
    assert.strictEqual(readings(requests), at)
    await seen(page, "visible")
    await until("the list is read", async () => readings(requests) > at)
    assert.strictEqual(readings(requests), at + 1)

    // A list that could not be read stays as it was.
    await answerOnce(page, "**/me/sharing?limit=200", 503, { error: "service_unavailable", message: "x" })
    await page.clock.runFor(5_100)
    await page.getByRole("alert").getByText("The service can't be reached").waitFor()
    await card(page, "Morgan Lee").waitFor()
    const refusedAt = readings(requests)
    await page.clock.runFor(20_000)
    assert.strictEqual(readings(requests), refusedAt)
  })
})

describe("A signed release in the list", () => {
  test("is shown in the app, saved whole, left by Back, and leads to a new link and to a new release in its place", async () => {
    const { look, page } = await inspectTab({ acceptDownloads: true })
    const { document } = await signed(service, veteran)
    await enter(page)
    await page.getByRole("button", { name: "Show release, Dr. Ada Gray" }).click()
    await heading(page, "Release for Dr. Ada Gray").waitFor()
    await page.getByText(/^\d+ pages?$/).waitFor()
    await look("sharing, a release")
    assert.strictEqual(await page.title(), "Sharing - Veteran Records")
    assert.match(page.url(), /#\/sharing$/)
    const download = page.waitForEvent("download")
    await page.getByRole("button", { name: "Save the PDF" }).click()
    const stream = await (await download).createReadStream()
    let size = 0
    for await (const chunk of stream) size += (chunk as Buffer).length
    assert.strictEqual(size, document.byteSize)
    await page.goBack()
    await heading(page, "Who has my record now").waitFor()
    await page.getByRole("button", { name: "Show release, Dr. Ada Gray" }).click()
    await page.getByRole("button", { name: "Back to the list" }).click()
    await heading(page, "Who has my record now").waitFor()

    const address = (name: string) => page.getByRole("link", { name: `${name}, Dr. Ada Gray` }).getAttribute("href")
    assert.strictEqual(await address("Make a link"), `#/link/${document.id}`)
    assert.strictEqual(await address("Change"), `#/release/${document.id}`)
    await call(service, "POST", `/api/veteran/me/roi/${document.id}/revoke`, { headers: veteran.headers })
    await page.getByRole("button", { name: "Show release, Dr. Ada Gray" }).click()
    await page.evaluate(() => dispatchEvent(new Event("online")))
    await page.getByText("Nobody can see your record.").waitFor()
  })
})

test("A step is told only if it came between two readings of the same link", () => {
  const at = (minute: number) => new Date(2026, 10, 26, 9, minute)
  const link = (
    id: string,
    ...[notifiedAt = null, openedAt = null, codeSentAt = null, viewedAt = null]: Array<
      Date | null
    >
  ) => Object.assign(Object.create(null), { id, kind: "link", steps: { notifiedAt, openedAt, codeSentAt, viewedAt } })
  const told = (before: ReadonlyArray<object>, after: ReadonlyArray<object>) =>
    reachedBetween(before as never, after as never).map(({ at, link, step }) => `${link.id} ${step} ${at.getMinutes()}`)
  assert.deepStrictEqual(told([], [link("a", at(1))]), [], "a new link")
  assert.deepStrictEqual(told([link("a")], [link("a")]), [])
  assert.deepStrictEqual(told([link("a"), link("b")], [link("a", null, at(2), at(3)), link("b", at(4))]), [
    "a codeSent 3",
    "b mailed 4"
  ])
  assert.deepStrictEqual(told([link("a", null, at(1), at(2), at(3))], [link("a", null, at(1), at(5), at(3))]), [
    "a codeSent 5"
  ], "a second code")
  assert.deepStrictEqual([link("a"), link("a", at(1), at(1), at(1), at(1))].map(isUnread), [true, false])
})
