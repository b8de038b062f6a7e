import type { Page } from "playwright-core"
import { assert, beforeAll, describe, test } from "vitest"
import { listLinks, step } from "../../http/link/Links.ts"
import { signed } from "../../http/release/Releases.ts"
import { call } from "../../support/Client.ts"
import { until } from "../../support/Until.ts"
import { openBrowser, openTab, type Tab } from "../Browser.ts"
import { answerOnce, once, refused } from "../pages/Refusals.ts"
import { button, heading } from "../Portal.ts"
import { inspectTab, loseAnswer } from "./Inspected.ts"
import { follow } from "./OwnRecords.ts"
import { scanned } from "./Qr.ts"
import { enterApp, newSharer, type Sharer } from "./Sharers.ts"
import { stored } from "./Stored.ts"
import { atLocked, openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

const { database, mailbox, service } = app

const superuser = await database.connect("superuser")

const browser = await openBrowser()

let veteran: Sharer
let documentId: string

// The tests share one veteran and one release: the first ones want no link, and the last one ends all sessions.
beforeAll(async () => {
  veteran = await newSharer(app)
  documentId = (await signed(service, veteran)).document.id
})

const enter = async (page: Page) => {
  await enterApp(page, app, veteran, `#/link/${documentId}`)
  await atForm(page)
}

const atForm = async (page: Page) => {
  await heading(page, "Make a link").waitFor()
  await page.getByRole("heading", { name: "For Dr. Ada Gray" }).waitFor()
}

/** Leaves the screen, and comes back to the form for another link. */
const enterAgain = async (page: Page) => {
  await heading(page, "Who has my record now").waitFor()
  await follow(page, `#/link/${documentId}`)
  await atForm(page)
}

const made = (page: Page) => heading(page, "The link is ready").waitFor()

const mailsTo = (address: string) => mailbox.mails.filter(({ recipients }) => recipients.includes(address))

/** The mails with a link's address: other links are mailed to the same person. */
const mailsWith = (url: string) => mailsTo("ada.gray@clinic.example").filter(({ text }) => text.includes(url))

const typeAddress = async (page: Page, address: string) => {
  await button(page, "Change who gets it").click()
  await page.getByLabel("Their e-mail").fill(address)
}

const createPath = "**/api/veteran/me/secure-links"

const allowClipboard = ({ context }: Tab) => context.grantPermissions(["clipboard-read", "clipboard-write"])

const hashes = async ({ context, page }: Tab) => {
  const tools = await context.newCDPSession(page)
  const { entries } = await tools.send("Page.getNavigationHistory")
  return entries.map(({ title, url }) => `${title} ${url}`)
}

describe("A link that is not made", () => {
  test("says why: a wrong name or address, a refusal, or no connection", async () => {
    const { context, look, order, page } = await inspectTab()
    await enter(page)
    await look("link, form")
    const stops = await order()
    assert.deepStrictEqual(stops.slice(stops.indexOf("button Change who gets it")), [
      "button Change who gets it",
      "radio 3 days",
      "checkbox Also for apps that read SMART Health Links",
      "button Mail it for me",
      "button Show it at the front desk",
      "button Give it another way",
      "link Back to Sharing",
      "combobox Language, idioma"
    ])
    await typeAddress(page, "robin@")
    await page.getByLabel("Their name").fill(" ")
    const press = () => button(page, "Mail it for me").click()
    await press()
    await page.getByText("Type the whole e-mail address, such as name@example.org.").waitFor()
    await page.getByText("Type their name.").waitFor()
    await look("link, fields wrong")
    await page.getByLabel("Their name").fill("x".repeat(201))
    await press()
    await page.getByText("This name is too long. Use at most 200 characters.").waitFor()
    await button(page, "As in the release").click()
    await atForm(page)

    await answerOnce(page, createPath, 429, { error: "rate_limited", message: "x", retryAfterSeconds: 40_000 })
    await press()
    await page.getByText("Make it without the mail, or try again in 12 hours.").waitFor()
    await look("link, refused")
    await answerOnce(page, createPath, 409, { error: "deletion_pending", message: "x" })
    await press()
    await page.getByText("You asked us to delete your data, so nothing new can be shared.").waitFor()
    await answerOnce(page, createPath, 400, { error: "invalid_request", message: "x", issues: [] })
    await press()
    await page.getByText("The service could not take the name or the e-mail address.").waitFor()
    assert.deepStrictEqual(await listLinks(service, veteran), [])

    await context.setOffline(true)
    await page.getByText("You are offline.").first().waitFor()
    await look("link, offline")
    // The page hears of it a moment later than the request fails.
    await page.evaluate(() => Object.defineProperty(navigator, "onLine", { value: true, configurable: true }))
    await page.evaluate(() => dispatchEvent(new Event("online")))
    await press()
    await page.getByText("A link may have been made. We keep asking.").waitFor()
    await context.setOffline(false)
    await page.getByText("No link was made. Nothing was sent.").waitFor()
    assert.deepStrictEqual(await listLinks(service, veteran), [])
    await button(page, "Try again").click()
    await page.getByRole("heading", { name: "For Dr. Ada Gray" }).waitFor()
  })
})

describe("A link whose answer was lost", () => {
  test("is found in the list, and may be turned off, or kept if it was mailed", async () => {
    const { look, order, page } = await inspectTab()
    await enter(page)
    await loseAnswer(page, createPath)
    await button(page, "Show it at the front desk").click()
    await page.getByText("A link was made, but its address did not reach this phone.").waitFor()
    await page.getByText("We can’t show the address again, and it was not mailed.").waitFor()
    await look("link, lost")
    await button(page, "Turn it off").click()
    await page.getByRole("status").getByText("That link is off. You can make a new one.").waitFor()
    assert.deepStrictEqual((await listLinks(service, veteran)).map(({ status }: { status: string }) => status), [
      "disabled"
    ])
    await loseAnswer(page, createPath)
    await button(page, "Mail it for me").click()
    await page.getByText(/^It was mailed: \d{1,2}:\d\d [AP]M\. They can use it\.$/).waitFor()
    await button(page, "Keep it").click()
    await page.getByText("You already made a link to this release, and it works. Its address can’t be shown again.")
      .waitFor()
    await button(page, "Show it at the front desk").click()
    await page.getByRole("dialog").waitFor()
    await look("link, full screen")
    assert.deepStrictEqual(await order(), ["button Close"])
    assert.isDefined(await scanned(page), "the code at 1280 pixels")
  })
})

describe("Making a link", () => {
  test("works by the keyboard alone, and by mail takes one press, and follows what becomes of it", async () => {
    const { look, page } = await inspectTab()
    await enter(page)
    const pressed: Array<string> = []
    for (let n = 0; n < 12 && pressed.at(-1) !== "Show it at the front desk"; n++) {
      await page.keyboard.press("Tab")
      pressed.push(await page.evaluate(() => document.activeElement!.textContent ?? ""))
    }
    await page.keyboard.press("Enter")
    await page.getByRole("dialog").waitFor()
    assert.strictEqual(await page.evaluate(() => document.activeElement?.textContent), "Close")
    await page.keyboard.press("Enter")
    await made(page)
    assert.strictEqual(await page.evaluate(() => document.activeElement?.tagName), "H1")
    await button(page, "Done").click()

    await enterAgain(page)
    await page.getByText("They need the link, and a code that we mail to ada.gray@clinic.example.").waitFor()
    await button(page, "Mail it for me").click()
    await made(page)
    await page.getByRole("status").getByText(/^Mail sent \d{1,2}:\d\d [AP]M$/).waitFor()
    assert.strictEqual(await page.evaluate(() => document.activeElement?.tagName), "H1")
    const url = await scanned(page)
    await look("link, mailed")
    assert.lengthOf(mailsWith(url!), 1)
    const [link] = await listLinks(service, veteran)
    assert.strictEqual(link.recipientName, "Dr. Ada Gray")
    const hours = (Date.parse(link.expiresAt) - Date.parse(link.createdAt)) / 3_600_000
    assert.strictEqual(Math.round(hours), 72)
    await step(service, "open", { token: url!.split("#")[1] })
    const track = page.getByRole("list", { name: "What became of the link" })
    await track.getByRole("listitem").filter({ hasText: "Opened" }).getByText(/[AP]M$/).waitFor()
    await button(page, "Done").click()

    // A mail that did not go out is told, and a new link may be made.
    await enterAgain(page)
    await page.route(
      createPath,
      once(async (route) => {
        const answer = await route.fetch({ postData: { ...route.request().postDataJSON(), notifyRecipient: false } })
        return route.fulfill({ response: answer })
      })
    )
    await button(page, "Mail it for me").click()
    await page.getByRole("alert").getByText("The mail did not go out. Give the link yourself, or make a new one.")
      .waitFor()
    await button(page, "Make a new one").click()
    await page.getByText(/^You already made \d links to this release/).waitFor()
  })

  test("asks about another address than the release's, unless it differs only in the case of its letters", async () => {
    const { look, page, requests } = await inspectTab()
    await enter(page)
    const other = "robin@other.example"
    await typeAddress(page, other)
    await button(page, "Mail it for me").click()
    const dialog = page.getByRole("dialog", { name: "This is another address than in your release" })
    await dialog.getByText("What you signed does not change").waitFor()
    assert.strictEqual(
      await page.evaluate(() => document.activeElement?.textContent),
      "Use the address in my release"
    )
    await look("link, another address")
    assert.isFalse(requests.some((request) => request.startsWith("POST") && request.endsWith("/secure-links")))
    await dialog.getByRole("button", { name: "Use the address in my release" }).click()
    assert.strictEqual(await page.getByLabel("Their e-mail").inputValue(), "ada.gray@clinic.example")
    await page.getByLabel("Their e-mail").fill(other)
    await button(page, "Mail it for me").click()
    await dialog.getByRole("button", { name: "Use the address that I typed" }).click()
    await made(page)
    await page.getByText("This link goes to another address than your release names.").waitFor()
    await page.getByText(/^Mail sent /).waitFor()
    assert.lengthOf(mailsTo(other), 1)
    await button(page, "Done").click()

    await enterAgain(page)
    await typeAddress(page, "Ada.Gray@CLINIC.example")
    await button(page, "Give it another way").click()
    await made(page)
  })

  test("for the front desk shows the code full screen at once, and leaves its address nowhere", async () => {
    const tab = await openTab(browser, { viewport: { width: 360, height: 740 }, colorScheme: "dark" })
    const { page, requests } = tab
    await allowClipboard(tab)
    await page.addInitScript(() => {
      Object.defineProperty(navigator, "wakeLock", {
        value: { request: async () => ({ release: async () => Object.assign(globalThis, { released: true }) }) }
      })
    })
    await enter(page)
    await button(page, "Show it at the front desk").click()
    const full = page.getByRole("dialog", { name: /^Point the clinic’s camera here/ })
    await full.getByText("The screen stays on.").waitFor()
    const url = await scanned(page)
    assert.match(url!, /\/link#[\w-]{45}$/)
    const token = url!.split("#")[1]!
    assert.strictEqual((await step(service, "open", { token })).status, 200)
    const box = await full.boundingBox()
    assert.deepStrictEqual([box?.width, box?.height], [360, 740])
    await page.keyboard.press("Escape")
    await full.waitFor({ state: "hidden" })
    assert.isTrue(await page.evaluate(() => Object(globalThis).released))
    const opener = button(page, "Show it full screen")
    await opener.click()
    await full.getByRole("button", { name: "Close" }).click()
    assert.isTrue(await opener.evaluate((element) => element === document.activeElement))
    assert.strictEqual(await scanned(page), url, "the code on the screen, in the dark")
    assert.lengthOf(mailsWith(url!), 0, "nothing is mailed")
    assert.isNull((await listLinks(service, veteran))[0].notifiedAt)

    // The address is in no history, title or storage, and is never shown again.
    await button(page, "Copy the link").click()
    await page.getByText("Copied. The link is in your clipboard.").waitFor()
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), new RegExp(`/link#${token}$`))
    const kept = JSON.stringify([await stored(page), await hashes(tab), await page.title(), requests])
    assert.notInclude(kept, token)
    assert.notInclude(service.output(), token)
    await button(page, "Done").click()
    await heading(page, "Who has my record now").waitFor()
    assert.notInclude(await page.content(), token)
    await page.goBack()
    await page.getByText(/^You already made \d links to this release, .* Their addresses can’t be shown again\.$/)
      .waitFor()
    assert.notInclude(await page.content(), token)
  })

  test("offers no length beyond the release's end, and is not offered nor made once the release has ended", async () => {
    const { look, page } = await inspectTab()
    const date = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
    const { document } = await signed(service, veteran, { expiration: { date } })
    await enterApp(page, app, veteran, `#/link/${document.id}`)
    await atForm(page)
    const names = await page.getByRole("radio").evaluateAll((radios) =>
      radios.map((radio) => (radio as HTMLInputElement).labels![0]!.textContent)
    )
    assert.match(names.join("; "), /^1 day; (?:3 days; )?Until your release ends, [A-Z][a-z]{2} \d+, \d{4}$/)
    assert.isTrue(await page.getByLabel(/^Until your release ends/).isChecked())
    await button(page, "Show it at the front desk").click()
    await page.getByRole("dialog").waitFor()
    const [link] = await listLinks(service, veteran)
    assert.strictEqual(link.expiresAt, document.release.endsAt)
    await page.getByRole("button", { name: "Close" }).click()
    await button(page, "Done").click()
    await heading(page, "Who has my record now").waitFor()
    await follow(page, `#/link/${document.id}`)
    await atForm(page)
    await call(service, "POST", `/api/veteran/me/roi/${document.id}/revoke`, { headers: veteran.headers })
    await button(page, "Mail it for me").click()
    await page.getByText("No link was made. The release has ended").waitFor()
    assert.strictEqual((await listLinks(service, veteran))[0].id, link.id)
    await follow(page, "#/home")
    await heading(page, /^Hello/).waitFor()
    await follow(page, `#/link/${document.id}`)
    await page.getByText("This release has ended, or it is not here.").waitFor()
    await look("link, release ended")
    await page.getByRole("link", { name: "Open Sharing" }).click()
    await heading(page, "Who has my record now").waitFor()
  })
})

describe("A link that could not be given", () => {
  test("is asked about before the veteran leaves, also by closing the window, but not once it was copied", async () => {
    const tab = await inspectTab()
    const { look, page } = tab
    await allowClipboard(tab)
    await enterApp(page, app, veteran, "#/sharing")
    await page.getByRole("link", { name: "Make a link, Dr. Ada Gray" }).first().click()
    await button(page, "Give it another way").click()
    await made(page)
    const url = await scanned(page)
    const dialog = page.getByRole("dialog", { name: "Leave without giving the link?" })
    for (
      const leave of [() => button(page, "Done").click(), () => page.goBack(),
        () => page.getByRole("link", { name: "Account" }).click()]
    ) {
      await leave()
      await dialog.waitFor()
      assert.strictEqual(await page.evaluate(() => document.activeElement?.textContent), "Stay here")
      await page.keyboard.press("Escape")
      await dialog.waitFor({ state: "hidden" })
      assert.strictEqual(await scanned(page), url)
      assert.match(page.url(), /#\/link\//)
    }
    const asked: Array<string> = []
    page.on("dialog", (opened) => asked.push(opened.type()))
    await page.goBack()
    await dialog.waitFor()
    await look("link, leaving")
    await dialog.getByRole("button", { name: "Leave" }).click()
    await heading(page, "Who has my record now").waitFor()
    assert.match(page.url(), /#\/sharing$/)
    await page.reload()
    assert.deepStrictEqual(asked, [])

    // The browser asks before a window with an unshared link is closed.
    await enterAgain(page)
    await button(page, "Give it another way").click()
    await made(page)
    await page.goto("about:blank")
    assert.deepStrictEqual(asked, ["beforeunload"])
    await page.goto(`${app.url}/#/link/${documentId}`)
    await button(page, "Give it another way").click()
    await button(page, "Copy the link").click()
    await page.getByText(/^Copied\./).waitFor()
    await page.getByRole("link", { name: "Account" }).click()
    await heading(page, "Account").waitFor()
    assert.deepStrictEqual(asked, ["beforeunload"])
  })

  test("to another app or to the clipboard is no failure if the veteran closes the list, or copies it by hand", async () => {
    const { look, page } = await inspectTab()
    await page.addInitScript(() => {
      Object.defineProperty(navigator, "clipboard", {
        value: { writeText: () => Promise.reject(new DOMException("no", "NotAllowedError")) }
      })
      const answers = ["AbortError", "NotAllowedError", undefined]
      Object.defineProperty(navigator, "share", {
        value: ({ url }: { url: string }) => {
          Object.assign(globalThis, { shared: url })
          const answer = answers.shift()
          return answer === undefined ? Promise.resolve() : Promise.reject(new DOMException("no", answer))
        }
      })
    })
    await enter(page)
    await button(page, "Give it another way").click()
    await made(page)
    await button(page, "Share the link").click()
    assert.strictEqual(await page.evaluate(() => Object(globalThis).shared), await scanned(page))
    assert.strictEqual(await page.getByText("Sharing did not work here.").count(), 0)
    await button(page, "Done").click()
    await page.getByRole("dialog", { name: "Leave without giving the link?" }).getByRole("button", {
      name: "Stay here"
    }).click()
    await button(page, "Share the link").click()
    await page.getByText("Sharing did not work here. Copy the link.").waitFor()
    await button(page, "Share the link").click()
    await page.getByText("Shared.").waitFor()
    await button(page, "Done").click()

    // Where the browser refuses its clipboard, the link is selected.
    await enterAgain(page)
    await button(page, "Give it another way").click()
    await button(page, "Copy the link").click()
    await page.getByText("The link is selected: copy it yourself.").waitFor()
    const selected = await page.evaluate(() => getSelection()?.toString())
    assert.strictEqual(selected, await scanned(page))
    await look("link, made")
    await page.keyboard.press("Control+C")
    await button(page, "Done").click()
    await heading(page, "Who has my record now").waitFor()
  })
})

test("A link after the session's end keeps what was typed", async () => {
  const { expect, page } = await openTab(browser)
  expect(refused)
  await enter(page)
  await typeAddress(page, "robin@other.example")
  await superuser.query("update veteran_sessions set ended_at = clock_timestamp() where veteran_id = $1", [
    veteran.id
  ])
  await button(page, "Mail it for me").click()
  await page.getByRole("button", { name: "Use the address that I typed" }).click()
  await atLocked(page)
  await page.getByText("What you began is still here.").waitFor()
  const other = await page.context().newPage()
  await enterApp(other, app, veteran, "#/home")
  await page.bringToFront()
  await until("the form is back", async () => await page.getByLabel("Their e-mail").count() > 0)
  assert.strictEqual(await page.getByLabel("Their e-mail").inputValue(), "robin@other.example")
})
