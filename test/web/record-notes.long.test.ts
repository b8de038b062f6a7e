import type { Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { readNotes } from "../http/Sharing.ts"
import { giveGrant, signInProvider } from "../support/Client.ts"
import { openBrowser } from "./Browser.ts"
import { openInspection } from "./pages/Inspection.ts"
import { refused } from "./pages/Refusals.ts"
import { atSignIn, enterPortal, fillSignIn, openPortal } from "./Portal.ts"
import { card, linesOf, openRecord, selfReport, share, wholeRecord } from "./record/Records.ts"
import { small } from "./record/Small.ts"

const { database, portal, service } = await openPortal()
const browser = await openBrowser()
const owner = await database.connect("owner")

describe("Items and notes", () => {
  test("Items can be searched and reached with the keyboard alone, and a note is saved once or keeps its text", async () => {
    const shared = await share(service, small)
    const { provider, veteran } = shared
    const tab = await openInspection(browser)
    const { context, expect, look, page } = tab
    await openRecord(tab, portal, shared)
    await wholeRecord(page)
    expect(refused)
    const table = page.getByRole("table", { name: "Items" })
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    assert.strictEqual(await table.getAttribute("aria-rowcount"), "16")
    const search = page.getByLabel("Search by name or value")
    await search.fill("GLUC 76.5")
    await page.getByText("1 of 15 items", { exact: true }).waitFor()
    await search.fill("nothing of this")
    await page.getByText("No item matches this search.").waitFor()
    await look("record, nothing found")
    await search.fill("")
    await page.getByRole("button", { name: "Problems 3" }).click()
    await page.getByText("3 of 15 items", { exact: true }).waitFor()
    // The table is one Tab stop, in which the arrow keys move.
    await table.locator("[data-item][tabindex='0']").focus()
    assert.strictEqual(await focused(), "Gout")
    await page.keyboard.press("ArrowDown")
    await page.waitForFunction(() => document.activeElement?.textContent === "Hypertension")
    await page.keyboard.press("End")
    await page.waitForFunction(() => document.activeElement?.textContent === "Broken wrist")
    await page.keyboard.press("Home")
    await page.waitForFunction(() => document.activeElement?.textContent === "Gout")
    await page.keyboard.press("Enter")
    const detail = page.getByRole("region", { name: "Gout" })
    await detail.getByText("Marked as an error by the source.").waitFor()
    assert.strictEqual(await detail.locator("h3 s").innerText(), "Gout")
    await look("item, entered in error")
    await page.keyboard.press("Escape")
    await page.waitForFunction(() => document.activeElement?.textContent === "Gout")
    // "All N" on a card leads to the list of the items of that kind.
    await card(page, "Medications 2").getByRole("button", { name: "All 2 medication entries" }).click()
    assert.strictEqual(await focused(), "Items")
    await page.getByText("2 of 15 items", { exact: true }).waitFor()

    // A double click saves one note, which is then listed first, and a blank note is not sent.
    await selfReport(service, veteran, { category: "symptom", text: "Knee hurts on stairs" })
    await page.getByRole("button", { name: "Write a note" }).click()
    const field = page.getByLabel("Write a note")
    assert.isTrue(await field.evaluate((field) => field === document.activeElement))
    await field.fill("\u3164 \u2800\u034f")
    await page.getByRole("button", { name: "Save note" }).click()
    await page.getByText("Write the note first.").waitFor()
    await look("record, note empty")
    await field.fill("Reviewed before the visit.")
    await page.getByRole("button", { name: "Save note" }).dblclick()
    await page.getByText(/^Saved\. \d+:\d\d [AP]M$/).waitFor()
    assert.strictEqual(await field.inputValue(), "")
    await look("record, note saved")
    assert.match((await linesOf(page, "Notes"))[0]!, /^Reviewed before the visit\. Dr\. Ada Gray, \d+:\d\d [AP]M$/)
    assert.lengthOf((await readNotes(service, provider, veteran)).json.items, 1)

    // Near the limit the page shows how many letters are left, and text that was not sent stays.
    await field.fill("x".repeat(16_001))
    await page.getByText("3,999 letters left").waitFor()
    await field.fill("x".repeat(20_001))
    await page.getByRole("button", { name: "Save note" }).click()
    await page.getByText("The note is too long by 1 letters.").waitFor()
    await look("record, note too long")
    await field.fill("To be kept")
    await context.route("**/notes", (route) => route.abort())
    await page.getByRole("button", { name: "Save note" }).click()
    await page.getByRole("alert").getByText("Nothing was lost.").waitFor()
    await look("record, note not saved")
    assert.strictEqual(await field.inputValue(), "To be kept")
    let asked = false
    page.on("dialog", (dialog) => {
      asked ||= dialog.type() === "beforeunload"
    })
    await page.goto("about:blank")
    assert.isTrue(asked)
  })
})

const note = (page: Page) => page.getByLabel("Write a note")

const text = "Asked about the cough; will call on Monday."

/** Opens a tab in which a provider types a note and does not save it. */
const openNote = async () => {
  const { provider, veteran } = await share(service, {})
  const tab = await openInspection(browser)
  tab.expect(/401/)
  await enterPortal(tab.page, portal, provider.email)
  await tab.page.getByRole("link", { name: "Eagle" }).click()
  await note(tab.page).fill(text)
  return { ...tab, provider, veteran }
}

const endSession = async (page: Page, providerId: string) => {
  await owner.query("update provider_sessions set revoked_at = now() where provider_id = $1", [providerId])
  await page.getByRole("link", { name: "Patients", exact: true }).click()
  await page.getByRole("button", { name: "Sign in again" }).click()
}

describe("A note that is not saved", () => {
  test("A sign-out deletes the note after a question, and a session that ended keeps it, but only for the same provider", async () => {
    const { look, order, page, provider, veteran } = await openNote()
    // The page asks before a sign-out, which deletes the note.
    const signOut = page.getByRole("navigation").getByRole("button", { name: "Sign out" })
    await signOut.click()
    await page.getByRole("dialog", { name: "Your note is not saved" }).waitFor()
    await look("dialog, note not saved")
    assert.deepStrictEqual(await order(), ["button Go back", "button Sign out"])
    await page.keyboard.press("Escape")
    assert.strictEqual(await note(page).inputValue(), text)
    assert.isTrue(await signOut.evaluate((button) => button === document.activeElement))
    await signOut.click()
    await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click()
    await atSignIn(page)
    await fillSignIn(page, provider.email)
    await page.getByRole("link", { name: "Eagle" }).click()
    assert.strictEqual(await note(page).inputValue(), "")

    await note(page).fill(text)
    await endSession(page, provider.id)
    assert.notInclude(await page.content(), text)
    await fillSignIn(page, provider.email)
    await page.getByRole("link", { name: "Eagle" }).click()
    assert.strictEqual(await note(page).inputValue(), text)
    const other = await signInProvider(service)
    await giveGrant(service, veteran, other)
    await endSession(page, provider.id)
    await fillSignIn(page, other.email)
    await page.getByRole("link", { name: "Eagle" }).click()
    assert.strictEqual(await note(page).inputValue(), "")
  })
})
