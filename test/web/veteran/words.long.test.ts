import type { Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { call } from "../../support/Client.ts"
import { until } from "../../support/Until.ts"
import { answerOnce } from "../pages/Refusals.ts"
import { button, heading } from "../Portal.ts"
import { card, textsOf } from "../record/Records.ts"
import { inspectVeteranApp } from "./Inspected.ts"
import { write } from "./OwnRecords.ts"
import { newVeteran, openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

type Veteran = Awaited<ReturnType<typeof newVeteran>>

const path = "/api/veteran/me/self-reported-entries"

const open = async (veteran: Veteran) => {
  const tab = await inspectVeteranApp(app, veteran, { route: "#/words" })
  await heading(tab.page, "My own words").waitFor()
  return tab
}

const entriesOf = async ({ headers }: Veteran) =>
  (await call(app.service, "GET", path, { headers })).json.items.map((
    { category, occurredOn, text }: Record<string, unknown>
  ) => [category, text, occurredOn])

const isOnHeading = (page: Page) =>
  until(
    "the heading has the focus",
    () => heading(page, "My own words").evaluate((h1) => h1 === document.activeElement)
  )

describe("The veteran's own words", () => {
  test("An entry is added, changed and removed, by keyboard, and a form names what it lacks and keeps its text", async () => {
    const veteran = await newVeteran(app)
    const { look, page } = await open(veteran)
    await page.getByText("Nothing here yet. Medicines from other doctors belong here.").waitFor()
    await page.getByText("Providers you share this with see it marked as yours.").waitFor()
    await look("own words, none")
    await button(page, "Add my own words").focus()
    await page.keyboard.press("Enter")
    await until(
      "the form has the focus",
      () => page.getByRole("heading", { name: "Add my own words" }).evaluate((h2) => h2 === document.activeElement)
    )
    await page.keyboard.press("Tab")
    await page.keyboard.press("Space")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Tab")
    await page.keyboard.type("Warfarin 5 mg in the evening")
    await page.getByLabel("Day").fill("2026-03-04")
    await page.getByLabel("In my own words").press("Tab")
    await button(page, "Save").press("Enter")
    await page.getByRole("status").getByText("Saved.").waitFor()
    await isOnHeading(page)
    await card(page, "Medicines I take").waitFor()
    assert.deepStrictEqual(await entriesOf(veteran), [["medication", "Warfarin 5 mg in the evening", "2026-03-04"]])
    assert.deepStrictEqual(await textsOf(card(page, "Medicines I take").getByRole("listitem")), [
      "Warfarin 5 mg in the evening Mar 4, 2026 Change Remove"
    ])

    await button(page, "Change: Warfarin 5 mg in the evening").press("Enter")
    await page.getByRole("heading", { name: "Change my words" }).waitFor()
    await page.getByLabel("Note", { exact: true }).check()
    await page.getByLabel("In my own words").fill("Warfarin makes me tired")
    await page.getByLabel("Day").fill("")
    await button(page, "Save").click()
    await card(page, "Notes").waitFor()
    assert.deepStrictEqual(await entriesOf(veteran), [["note", "Warfarin makes me tired", null]])

    await button(page, "Remove: Warfarin makes me tired").click()
    const dialog = page.getByRole("dialog", { name: "Remove this?" })
    await dialog.getByText("Warfarin makes me tired").waitFor()
    await look("own words, removing")
    await button(page, "Keep it").click()
    await dialog.waitFor({ state: "hidden" })
    assert.strictEqual((await entriesOf(veteran)).length, 1)
    await button(page, "Remove: Warfarin makes me tired").click()
    await button(page, "Remove").click()
    await page.getByRole("status").getByText("Removed.").waitFor()
    await page.getByText("Nothing here yet.").waitFor()
    await isOnHeading(page)
    assert.deepStrictEqual(await entriesOf(veteran), [])

    // What was written and is not saved stays while another screen is shown.
    await button(page, "Add my own words").click()
    await page.getByLabel("In my own words").fill("Knee hurts")
    await page.getByRole("link", { name: "Sharing", exact: true }).click()
    await page.goBack()
    assert.strictEqual(await page.getByLabel("In my own words").inputValue(), "Knee hurts")
    await button(page, "Cancel").click()
    await button(page, "Add my own words").click()
    assert.strictEqual(await page.getByLabel("In my own words").inputValue(), "")

    // A form that lacks something names each thing, and leads to it.
    await page.getByLabel("In my own words").fill("   ")
    await button(page, "Save").click()
    const summary = page.getByRole("alert").filter({ hasText: "2 things to mend" })
    assert.deepStrictEqual(await textsOf(summary.getByRole("listitem")), [
      "Choose what it is.",
      "Write it in your own words."
    ])
    await summary.getByRole("button", { name: "Write it in your own words." }).click()
    const field = page.getByLabel("In my own words")
    assert.isTrue(await field.evaluate((field) => field === document.activeElement))
    await summary.getByRole("button", { name: "Choose what it is." }).click()
    assert.isTrue(await page.getByLabel("Symptom").evaluate((radio) => radio === document.activeElement))
    await page.getByLabel("Symptom").check()
    await field.fill("x".repeat(7_999))
    assert.strictEqual(await page.getByText("letters left").count(), 0)
    await field.fill("x".repeat(8_000))
    await page.getByText("2,000 letters left").waitFor()
    await look("own words, form")
    await field.fill("x".repeat(10_001))
    await page.getByText("1 letter too many").waitFor()
    await button(page, "Save").click()
    await page.getByRole("alert").getByText("Make it shorter by 1 letter.").waitFor()
  })

  test("The list has every entry by kind, more than a page of 200, and cannot be changed when it is full or offline", async () => {
    const veteran = await newVeteran(app)
    const texts = Array.from({ length: 199 }, (_, n) => ({ category: "vital", text: `Weight ${n}` }))
    // Each write waits for the veteran's others, and all at once could wait for longer than the service lets them.
    for (let at = 0; at < texts.length; at += 10) {
      await Promise.all(texts.slice(at, at + 10).map((text) => write(app, veteran, text)))
    }
    await write(app, veteran, { category: "allergy", text: "Latex" }, {
      category: "symptom",
      text: "Knee hurts on stairs ".repeat(30)
    })
    const { context, look, page } = await open(veteran)
    await card(page, "Measurements").waitFor()
    assert.deepStrictEqual(await textsOf(page.getByRole("heading", { level: 2 })), [
      "Symptoms",
      "Allergies",
      "Measurements"
    ])
    assert.strictEqual(await card(page, "Measurements").getByRole("listitem").count(), 199)

    // A full list says what the service says, and keeps the text.
    const message = "Up to 2 entries are kept. Delete some that you no longer need, then write this one."
    await answerOnce(page, `**${path}`, 409, { error: "conflict", message })
    await button(page, "Add my own words").click()
    await page.getByLabel("Symptom").check()
    await page.getByLabel("In my own words").fill("Knee hurts")
    await button(page, "Save").click()
    await page.getByRole("alert").getByText(message).waitFor()
    assert.strictEqual(await page.getByLabel("In my own words").inputValue(), "Knee hurts")
    await button(page, "Cancel").click()
    await look("own words")

    // Without a connection nothing can be changed, and the reason stands beside.
    await context.setOffline(true)
    await page.getByText("You are offline", { exact: true }).waitFor()
    await page.getByText(/What you see was loaded at/).waitFor()
    assert.strictEqual(await button(page, "Add my own words").getAttribute("aria-disabled"), "true")
    await button(page, "Remove: Latex").press("Enter")
    assert.strictEqual(await page.getByRole("dialog").count(), 0)
  })
})
