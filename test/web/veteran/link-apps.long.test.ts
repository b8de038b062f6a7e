import type { Page } from "playwright-core"
import { assert, beforeEach, describe, test } from "vitest"
import { askManifest, payloadOf } from "../../http/link/AppLinks.ts"
import { listLinks } from "../../http/link/Links.ts"
import { signed } from "../../http/release/Releases.ts"
import { call } from "../../support/Client.ts"
import { until } from "../../support/Until.ts"
import { openBrowser, openTab } from "../Browser.ts"
import { narrow } from "../pages/Inspection.ts"
import { answerOnce } from "../pages/Refusals.ts"
import { button, heading } from "../Portal.ts"
import { inspectTab } from "./Inspected.ts"
import { follow } from "./OwnRecords.ts"
import { scanned } from "./Qr.ts"
import { enterApp, newSharer, type Sharer } from "./Sharers.ts"
import { openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

const { mailbox, service } = app

const browser = await openBrowser()

let veteran: Sharer
let documentId: string

beforeEach(async () => {
  veteran = await newSharer(app)
  documentId = (await signed(service, veteran)).document.id
})

const enter = async (page: Page) => {
  await enterApp(page, app, veteran, `#/link/${documentId}`)
  await heading(page, "Make a link").waitFor()
  await page.getByRole("heading", { name: "For Dr. Ada Gray" }).waitFor()
}

/** Leaves the screen, and comes back to the form for another link. */
const enterAgain = async (page: Page) => {
  await heading(page, "Who has my record now").waitFor()
  await follow(page, `#/link/${documentId}`)
  await page.getByRole("heading", { name: "For Dr. Ada Gray" }).waitFor()
}

const forApps = (page: Page) => page.getByRole("checkbox", { name: "Also for apps that read SMART Health Links" })

/** Every test's recipient has the same address, so the newest code is found by its place. */
const codesMailed = () =>
  mailbox.mails.filter(({ recipients }) => recipients.includes("ada.gray@clinic.example")).flatMap(({ text }) =>
    /\b(\d{4}) (\d{4})\b/.exec(text)?.slice(1).join("") ?? []
  )

const newCode = (before: number) => until("the code has come", async () => codesMailed()[before])

const codePath = "**/secure-links/*/code"

describe("A link that health apps can open too", () => {
  test("is made only if the veteran chooses it, and the request says nothing of apps otherwise", async () => {
    const { page } = await openTab(browser)
    await enter(page)
    assert.isFalse(await forApps(page).isChecked())
    const asked = page.waitForRequest("**/api/veteran/me/secure-links")
    await button(page, "Give it another way").click()
    assert.notProperty((await asked).postDataJSON(), "smartHealthLink")
    await heading(page, "The link is ready").waitFor()
    assert.match((await scanned(page))!, /\/link#[\w-]{45}$/)
    assert.strictEqual(await button(page, "Send the code now").count(), 0)
    assert.strictEqual(await button(page, "Copy it for an app").count(), 0)
  })

  test("is scanned from the screen, its code is sent at the desk, and an app opens it", async () => {
    const tab = await openTab(browser, { viewport: narrow })
    const { page } = tab
    await tab.context.grantPermissions(["clipboard-read", "clipboard-write"])
    await enter(page)
    await forApps(page).check()
    await button(page, "Show it at the front desk").click()
    const full = page.getByRole("dialog", { name: /^Point the clinic’s camera here/ })
    await full.waitFor()
    const url = await scanned(page)
    assert.match(url!, /\/link#shlink:\/[\w-]+$/)
    const payload = payloadOf(url!)
    assert.include(payload, { flag: "P", label: "Shared health record" })
    const before = codesMailed().length
    await full.getByRole("button", { name: "Send the code now" }).click()
    await full.getByText("The code is in the mail. It works once, for 10 minutes.").waitFor()
    await full.getByText("Tell the front desk: “Type the code that was mailed to ada.gray@clinic.example.”").waitFor()
    assert.strictEqual(
      await full.getByRole("button", { name: /^Send a new code/ }).getAttribute("aria-disabled"),
      "true"
    )
    assert.strictEqual(await scanned(page), url, "the code is still there to be scanned")
    const passcode = await newCode(before)
    await full.getByRole("button", { name: "Close" }).click()
    await button(page, "Copy it for an app").click()
    await page.getByText("Copied. The link is in your clipboard.").waitFor()
    assert.strictEqual(await page.evaluate(() => navigator.clipboard.readText()), url!.split("#")[1])
    const link = { manifestId: new URL(payload.url).pathname.split("/").at(-1)! }
    const answer = await askManifest(service, link, { recipient: "Gray Clinic, desk 2", passcode })
    assert.strictEqual(answer.status, 200, answer.text)
    const how = "They read it in a health app. The reader said it is “Gray Clinic, desk 2”. Nobody has checked that."
    await page.getByText(how).waitFor()
    await button(page, "Done").click()
    await page.getByText(how).waitFor()
    assert.include((await listLinks(service, veteran))[0], {
      viewedVia: "app",
      claimedRecipient: "Gray Clinic, desk 2"
    })
  })

  test("tells kindly why no code was sent, and why no link was made", async () => {
    const { look, order, page } = await inspectTab()
    await enter(page)
    await forApps(page).check()
    await look("link, for apps")
    await answerOnce(page, "**/api/veteran/me/secure-links", 409, { error: "conflict", message: "x" })
    await button(page, "Give it another way").click()
    await page.getByText("Try it without the choice for apps.").waitFor()
    assert.isTrue(await forApps(page).isChecked(), "the choice stays")
    await button(page, "Give it another way").click()
    await heading(page, "The link is ready").waitFor()
    await answerOnce(page, codePath, 503, { error: "service_unavailable", message: "x" })
    await button(page, "Send the code now").click()
    await page.getByRole("alert").getByText("The mail did not go out. Nothing was lost.").waitFor()
    await answerOnce(page, codePath, 410, { error: "link_disabled", message: "x" })
    await button(page, "Send the code now").click()
    await page.getByRole("alert").getByText("This link no longer works.").waitFor()
    await answerOnce(page, codePath, 429, { error: "rate_limited", message: "x", retryAfterSeconds: 1_500 })
    await button(page, "Send the code now").click()
    await page.getByRole("alert").getByText("They may look in their junk folder, or wait 25 minutes for a new one.")
      .waitFor()
    await button(page, "Send the code now (in 25 minutes)").waitFor()
    await look("link, for apps, no code")

    await button(page, "Done").click()
    await page.getByRole("dialog", { name: "Leave without giving the link?" }).getByRole("button", { name: "Leave" })
      .click()
    await enterAgain(page)
    await forApps(page).check()
    await button(page, "Show it at the front desk").click()
    const full = page.getByRole("dialog")
    await full.waitFor()
    assert.deepStrictEqual(await order(), ["button Send the code now", "button Close"])
    await full.getByRole("button", { name: "Send the code now" }).click()
    await full.getByText("The code is in the mail.").waitFor()
    await look("link, for apps, full screen")
    assert.isDefined(await scanned(page), "the code at 1280 pixels")
    await full.getByRole("button", { name: "Close" }).click()
    await look("link, for apps, made")
  })
})

describe("How a link was read", () => {
  /** Makes a link for apps by a call of the service, and lets an app open it that says this of its user. */
  const readByApp = async (recipient: string) => {
    const body = {
      documentId,
      recipientName: "Dr. Ada Gray",
      recipientEmail: "ada.gray@clinic.example",
      smartHealthLink: true
    }
    const created = await call(service, "POST", "/api/veteran/me/secure-links", { headers: veteran.headers, body })
    assert.strictEqual(created.status, 201, created.text)
    const link = { manifestId: new URL(payloadOf(created.json.shlink).url).pathname.split("/").at(-1)! }
    const before = codesMailed().length
    assert.strictEqual((await askManifest(service, link)).status, 401)
    const passcode = await newCode(before)
    assert.strictEqual((await askManifest(service, link, { recipient, passcode })).status, 200)
  }

  test("is told on its card, and whom the app names stays a claim in any script and length", async () => {
    const { look, page } = await inspectTab()
    const claimed = `<img src=x onerror=alert(1)> \u202Eevil ${"W".repeat(150)}`
    await readByApp(claimed)
    await enterApp(page, app, veteran, "#/sharing")
    await page.getByText(/^They read it in a health app\. The reader said it is “/).waitFor()
    const told = page.locator("bdi").filter({ hasText: "onerror" })
    assert.strictEqual(await told.textContent(), claimed)
    await look("sharing, read in an app", [{ width: 1280, height: 900 }, narrow])
  })
})
