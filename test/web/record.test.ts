import { assert, describe, test } from "vitest"
import { readNotes } from "../http/Sharing.ts"
import { isWhole } from "../support/Runs.ts"
import { openBrowser, openTab, type Tab } from "./Browser.ts"
import { openInspection } from "./pages/Inspection.ts"
import { refused } from "./pages/Refusals.ts"
import { atPatients, openPortal } from "./Portal.ts"
import { card, linesOf, openRecord, selfReport, share, wholeRecord } from "./record/Records.ts"
import { plainResults, small } from "./record/Small.ts"

const { portal, service } = await openPortal()
const browser = await openBrowser()

const open = async (...sharing: Parameters<typeof share> extends [any, ...infer Rest] ? Rest : never) => {
  const shared = await share(service, ...sharing)
  const tab = await openInspection(browser, {}, isWhole)
  await openRecord(tab, portal, shared)
  await wholeRecord(tab.page)
  return { ...tab, shared }
}

describe("A record", () => {
  test("The first glance shows the patient and the cards, and an open item its details, trend, table and source", async () => {
    const { context, page } = await open(small)
    await page.getByRole("heading", { level: 1, name: "Grace Hopper" }).waitFor()
    const bar = await page.getByRole("region", { name: "Patient" }).innerText()
    for (const fact of ["Born Sep 10, 1947 (", "Sex Female", "Call sign Eagle", "For treatment"]) {
      assert.include(bar.replaceAll(/\s+/g, " "), fact)
    }
    assert.deepStrictEqual(await linesOf(page, "Allergies"), [
      "Penicillin G Severe High criticality Anaphylaxis (severe)",
      "Latex recorded May 1, 2020"
    ])
    assert.deepStrictEqual(await linesOf(page, "Active problems 1"), ["Hypertension since Nov 3, 1999"])
    assert.deepStrictEqual(await linesOf(page, "Medications 2"), [
      "Lisinopril 10 MG Oral Tablet 1 tablet daily; ordered Sep 16, 2026",
      "Inhaler No dose recorded; ordered Sep 15, 2026"
    ])
    const results = await card(page, "Latest results").locator("tbody tr").allInnerTexts()
    assert.deepStrictEqual(results.map((text) => text.replaceAll(/\s+/g, " ").trim()), [
      "Blood pressure Sep 16, 2026 135/86 mmHg",
      "Glucose Jun 3, 2026 76.50 mg/dL Low Range 70.0 to 110 mg/dL"
    ])
    for (const name of ["Allergies", "Active problems", "Medications", "Latest results"]) {
      assert.include(await card(page, name).innerText(), "Up to date")
      const { height, y } = (await card(page, name).boundingBox())!
      assert.isAtMost(y + height, 900, `${name} is in the first glance`)
    }
    assert.notInclude(page.url(), "Hopper")
    assert.notInclude(await page.title(), "Hopper")

    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: portal })
    const opener = card(page, "Latest results").getByRole("button", { name: "Glucose" })
    await opener.click()
    const detail = page.getByRole("region", { name: "Glucose [Mass/volume] in Blood" })
    await detail.getByText("not in the line").waitFor()
    assert.strictEqual(await page.evaluate(() => document.activeElement?.tagName), "H3")
    const text = (await detail.innerText()).replaceAll(/\s+/g, " ")
    for (
      const said of [
        "Low",
        "Date Jun 3, 2026",
        "Value 76.50 mg/dL",
        "Reference range 70.0 to 110 mg/dL",
        "Interpretation Low (L)",
        "Code LOINC 2339-0",
        "3 values in mg/dL, Jan 5, 2024 to Jun 3, 2026.",
        "2 results are not in the line: another unit, no exact number, or no date."
      ]
    ) assert.include(text, said)
    await detail.getByText("Show the values as a table").click()
    await detail.locator(".values tbody tr").first().waitFor()
    assert.deepStrictEqual(await detail.locator(".values tbody tr").allInnerTexts(), [
      "Jun 3, 2026\t76.50 mg/dL",
      "Sep 3, 2025\t84 mg/dL",
      "Jun 5, 2025\t< 40 mg/dL (not in the line)",
      "Jan 5, 2025\t5.1 mmol/L (not in the line)",
      "Jan 5, 2024\t91.0 mg/dL"
    ])
    await detail.getByText("Show the text that the source wrote").click()
    await detail.frameLocator("iframe").getByText("As the laboratory wrote it").waitFor()
    await detail.getByText("Show the FHIR source").click()
    await detail.getByText("\"value\": 76.50,").waitFor()
    await detail.getByRole("button", { name: "Copy the source" }).click()
    await detail.getByText("Copied.").waitFor()
    assert.strictEqual(await page.evaluate(() => navigator.clipboard.readText()), small["Observation"]![3])
    // Closing the item returns the focus.
    await page.keyboard.press("Escape")
    assert.isTrue(await opener.evaluate((button) => button === document.activeElement))
    assert.strictEqual(await detail.count(), 0)
  })

  test("The page says in its own words what is not up to date or empty, but never that something is withheld", async () => {
    const { page, shared: { provider } } = await open(
      { Observation: small["Observation"]!, Condition: small["Condition"]! },
      { Condition: "partial", AllergyIntolerance: "unavailable", Immunization: "empty" },
      { resourceTypes: ["Condition", "AllergyIntolerance", "Immunization", "Observation"] }
    )
    assert.deepStrictEqual(
      await page.locator(".warnings li").allInnerTexts(),
      [
        "Allergies and medications were not loaded. This is not the same as “none.” Ask the patient.",
        "Problems are not complete. Do not read a missing item as “none.”"
      ]
    )
    assert.include(await card(page, "Allergies").innerText(), "Not loaded")
    assert.include(
      await card(page, "Medications").innerText(),
      "Medications were not loaded. This is not the same as “none.”"
    )
    assert.include(await card(page, "Active problems").innerText(), "Not complete")
    assert.notMatch(
      await page.locator("body").innerText(),
      /withheld|left out|hidden|complete record|everything|sensitive|AllergyIntolerance|MedicationRequest|sync/i
    )
    // The patient's own name is not shared, so the call sign replaces it.
    await page.getByRole("heading", { level: 1, name: "Eagle" }).waitFor()

    const empty = { Condition: "empty", AllergyIntolerance: "empty", MedicationRequest: "empty", Observation: "empty" }
    const { veteran } = await share(service, {}, empty, {}, provider)
    await page.goto(`${portal}/#/patients/${veteran.id}`)
    await card(page, "Allergies").getByText("None in this record").waitFor()
    for (const name of ["Allergies", "Active problems", "Medications", "Latest results"]) {
      assert.match(await card(page, name).innerText(), /None in this record as of [A-Z][a-z]{2} \d+, \d{4}\./)
    }
    assert.strictEqual(await page.locator(".warnings").count(), 0)
  })
})

describe("Items and notes", () => {
  test("Items can be searched and reached with the keyboard alone, and a note is saved once or keeps its text", async () => {
    const { context, expect, look, page, shared: { provider, veteran } } = await open(small)
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

describe("A record that cannot be loaded", () => {
  /** Answers the matching requests in place of the service, until the returned function is called. */
  const fail = async ({ context }: Tab, path: RegExp, status: number, error: string) => {
    await context.route(path, (route) =>
      route.fulfill({
        status,
        contentType: "application/json",
        headers: { "access-control-allow-origin": portal },
        body: JSON.stringify({ error })
      }))
    return () => context.unroute(path)
  }

  test("Without the list of what is new the record is whole, but a refused list takes the record away", async () => {
    const shared = await share(service, small)
    const tab = await openTab(browser)
    const { expect, page } = tab
    expect(/40[13]|503|Failed to load/)
    const succeed = await fail(tab, /\/changes/, 503, "service_unavailable")
    await openRecord(tab, portal, shared)
    await page.getByText("What is new could not be loaded.").waitFor()
    await wholeRecord(page)
    for (const name of ["Allergies", "Active problems", "Medications", "Latest results"]) {
      assert.include(await card(page, name).innerText(), "Up to date")
    }
    assert.isTrue(await page.getByRole("button", { name: "Save as FHIR file" }).isEnabled())
    await succeed()
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByText("What is new could not be loaded.").waitFor({ state: "hidden" })
    await wholeRecord(page)

    // The list is refused because sharing ended, or the session.
    const openAgain = async () => {
      await page.goto(`${portal}/#/patients`)
      await atPatients(page)
      await page.goto(`${portal}/#/patients/${shared.veteran.id}`)
    }
    const succeedNow = await fail(tab, /\/changes/, 403, "consent_required")
    await openAgain()
    await page.getByRole("heading", { name: "You no longer have access to this record" }).waitFor()
    await succeedNow()
    await fail(tab, /\/changes/, 401, "unauthorized")
    await openAgain()
    await page.getByRole("button", { name: "Sign in again" }).waitFor()
  })

  test("The page says what is missing, continues at a second try, and prints every item that matches the filter", async () => {
    const resources = {
      ...small,
      // With the others they are more than the 200 of a type that the first answer has.
      Observation: [...small["Observation"]!, ...plainResults(200)]
    }
    const shared = await share(service, resources)
    const tab = await openTab(browser)
    const { expect, page } = tab
    expect(/503|Failed to load/)
    const succeed = await fail(tab, /cursor=/, 503, "service_unavailable")
    await openRecord(tab, portal, shared)
    await page.getByRole("button", { name: "Try again" }).waitFor()
    assert.include(await card(page, "Latest results").innerText(), "Not all loaded")
    assert.include(await card(page, "Latest results").innerText(), "Do not read this as “none.”")
    await succeed()
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByText("215 items", { exact: true }).waitFor()
    assert.include(await card(page, "Latest results").innerText(), "135/86 mmHg")

    await page.getByLabel("Search by name or value").fill("Test")
    await page.getByText("200 of 215 items", { exact: true }).waitFor()
    assert.isBelow(await page.locator("[data-item]").count(), 60)
    await page.emulateMedia({ media: "print" })
    await page.waitForFunction(() => document.querySelectorAll("[data-item]").length === 200)
    const printed = await page.locator("body").innerText()
    assert.match(printed, /Printed \w+ \d+, \d+, \d+:\d\d [AP]M by Dr\. Ada Gray; shared until \w+ \d+, \d+\./)
    assert.include(printed, "Penicillin G")
    assert.include(printed, "Test 199")
    for (const absent of ["Write a note", "Search by name", "Sign out"]) assert.notInclude(printed, absent)
    assert.isAbove((await page.pdf()).length, 20_000)
    await page.emulateMedia({ media: "screen" })
    await page.waitForFunction(() => document.querySelectorAll("[data-item]").length < 60)
    await page.getByRole("table", { name: "Items" }).locator("[data-item][tabindex='0']").focus()
    await page.keyboard.press("End")
    await page.waitForFunction(() => document.activeElement?.closest("tr")?.getAttribute("aria-rowindex") === "201")
  })
})
