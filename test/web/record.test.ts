import { assert, describe, test } from "vitest"
import { readNotes } from "../http/Sharing.ts"
import { openBrowser, openTab } from "./Browser.ts"
import { openPortal } from "./Portal.ts"
import { card, linesOf, openRecord, selfReport, share, sharePatient, wholeRecord } from "./record/Records.ts"
import { small } from "./record/Small.ts"

const { portal, service } = await openPortal()
const browser = await openBrowser()

const open = async (...sharing: Parameters<typeof share> extends [any, ...infer Rest] ? Rest : never) => {
  const shared = await share(service, ...sharing)
  const tab = await openTab(browser)
  await openRecord(tab, portal, shared)
  await wholeRecord(tab.page)
  return { ...tab, shared }
}

describe("A record", () => {
  test("The first glance shows the patient, allergies, problems, medications and the latest results", async () => {
    const { page } = await open(small)
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
  })

  test("An open item shows its details, trend, table and exact source, and closing it returns the focus", async () => {
    const { context, page } = await open(small)
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
    await page.keyboard.press("Escape")
    assert.isTrue(await opener.evaluate((button) => button === document.activeElement))
    assert.strictEqual(await detail.count(), 0)
  })

  test("Items can be searched by name and value, filtered by kind, and reached with the keyboard alone", async () => {
    const { page } = await open(small)
    const table = page.getByRole("table", { name: "Items" })
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    assert.strictEqual(await table.getAttribute("aria-rowcount"), "16")
    const search = page.getByLabel("Search by name or value")
    await search.fill("GLUC 76.5")
    await page.getByText("1 of 15 items", { exact: true }).waitFor()
    await search.fill("nothing of this")
    await page.getByText("No item matches this search.").waitFor()
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
    await page.keyboard.press("Escape")
    await page.waitForFunction(() => document.activeElement?.textContent === "Gout")
    // "All N" on a card leads to the list of the items of that kind.
    await card(page, "Medications 2").getByRole("button", { name: "All 2 medication entries" }).click()
    assert.strictEqual(await focused(), "Items")
    await page.getByText("2 of 15 items", { exact: true }).waitFor()
  })

  test("The page says in its own words what is not up to date, but never says that something is withheld", async () => {
    const { page } = await open(
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
  })

  test("Each card of an empty record says that it has nothing", async () => {
    const { page } = await open({}, {
      Condition: "empty",
      AllergyIntolerance: "empty",
      MedicationRequest: "empty",
      Observation: "empty"
    })
    for (const name of ["Allergies", "Active problems", "Medications", "Latest results"]) {
      assert.match(await card(page, name).innerText(), /None in this record as of [A-Z][a-z]{2} \d+, \d{4}\./)
    }
    assert.strictEqual(await page.locator(".warnings").count(), 0)
  })

  test("A printout has every item that matches the filter, and the name of the provider who printed it", async () => {
    const { page } = await open({
      ...small,
      Procedure: Array.from(
        { length: 120 },
        (_, n) =>
          JSON.stringify({
            resourceType: "Procedure",
            id: `${n}`,
            status: "completed",
            code: { text: `Dressing ${n}` }
          })
      )
    })
    await page.getByRole("button", { name: "Procedures 120" }).click()
    await page.getByText("120 of 135 items", { exact: true }).waitFor()
    assert.isBelow(await page.locator("[data-item]").count(), 60)
    await page.emulateMedia({ media: "print" })
    await page.waitForFunction(() => document.querySelectorAll("[data-item]").length === 120)
    const printed = await page.locator("body").innerText()
    assert.match(printed, /Printed \w+ \d+, \d+, \d+:\d\d [AP]M by Dr\. Ada Gray; shared until \w+ \d+, \d+\./)
    assert.include(printed, "Penicillin G")
    assert.include(printed, "Dressing 119")
    for (const absent of ["Write a note", "Search by name", "Sign out"]) assert.notInclude(printed, absent)
    assert.isAbove((await page.pdf()).length, 20_000)
    await page.emulateMedia({ media: "screen" })
    await page.waitForFunction(() => document.querySelectorAll("[data-item]").length < 60)
  })

  test("A record of 3,165 resources needs at most eight answers", async () => {
    const shared = await sharePatient(service, "syn-kristie55-treutel973")
    const { page, requests, context } = await openTab(browser)
    await openRecord({ page }, portal, shared)
    await page.getByText("3,008 items", { exact: true }).waitFor()
    assert.isAtMost(requests.filter((request) => request.includes("/record?")).length, 8)
    await page.getByLabel("Search by name or value").fill("glucose")
    await page.getByText("147 of 3,008 items", { exact: true }).waitFor()
    await page.getByRole("table", { name: "Items" }).locator("[data-item][tabindex='0']").focus()
    await page.keyboard.press("End")
    await page.waitForFunction(() => document.activeElement?.closest("tr")?.getAttribute("aria-rowindex") === "148")
    assert.lengthOf(
      await context.cookies(portal).then((all) => all.filter(({ value }) => value.includes("Kristie"))),
      0
    )
  })
})

describe("Notes", () => {
  test("A double click saves one note, which is then listed first, and a blank note is not sent", async () => {
    const { page, shared: { provider, veteran } } = await open(small)
    await selfReport(service, veteran, { category: "symptom", text: "Knee hurts on stairs" })
    await page.getByRole("button", { name: "Write a note" }).click()
    const field = page.getByLabel("Write a note")
    assert.isTrue(await field.evaluate((field) => field === document.activeElement))
    await field.fill("\u3164 \u2800\u034f")
    await page.getByRole("button", { name: "Save note" }).click()
    await page.getByText("Write the note first.").waitFor()
    await field.fill("Reviewed before the visit.")
    await page.getByRole("button", { name: "Save note" }).dblclick()
    await page.getByText(/^Saved\. \d+:\d\d [AP]M$/).waitFor()
    assert.strictEqual(await field.inputValue(), "")
    assert.match((await linesOf(page, "Notes"))[0]!, /^Reviewed before the visit\. Dr\. Ada Gray, \d+:\d\d [AP]M$/)
    assert.lengthOf((await readNotes(service, provider, veteran)).json.items, 1)
  })

  test("The note field keeps text that was not sent, and near the limit shows how many letters are left", async () => {
    const { context, expect, page } = await open(small)
    expect(/ERR_FAILED|Failed to load/)
    const field = page.getByLabel("Write a note")
    await field.fill("x".repeat(16_001))
    await page.getByText("3,999 letters left").waitFor()
    await field.fill("x".repeat(20_001))
    await page.getByRole("button", { name: "Save note" }).click()
    await page.getByText("The note is too long by 1 letters.").waitFor()
    await field.fill("To be kept")
    await context.route("**/notes", (route) => route.abort())
    await page.getByRole("button", { name: "Save note" }).click()
    await page.getByRole("alert").getByText("Nothing was lost.").waitFor()
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
  const failing = async (status: number, error: string) => {
    const shared = await share(service, small)
    const { context, expect, page } = await openTab(browser)
    expect(/40[13]|503|Failed to load/)
    await context.route(/\/changes/, (route) =>
      route.fulfill({
        status,
        contentType: "application/json",
        headers: { "access-control-allow-origin": portal },
        body: JSON.stringify({ error })
      }))
    await openRecord({ page }, portal, shared)
    return { context, page }
  }

  test("Without the list of what is new, the record is whole, the page says so, and a second try gets the list", async () => {
    const { context, page } = await failing(503, "service_unavailable")
    await page.getByText("What is new could not be loaded.").waitFor()
    await wholeRecord(page)
    for (const name of ["Allergies", "Active problems", "Medications", "Latest results"]) {
      assert.include(await card(page, name).innerText(), "Up to date")
    }
    assert.isTrue(await page.getByRole("button", { name: "Save as FHIR file" }).isEnabled())
    await context.unroute(/\/changes/)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByText("What is new could not be loaded.").waitFor({ state: "hidden" })
    await wholeRecord(page)
  })

  test("A list of what is new that is refused because sharing or the session ended takes the record away", async () => {
    const ended = await failing(403, "consent_required")
    await ended.page.getByRole("heading", { name: "You no longer have access to this record" }).waitFor()
    const signedOut = await failing(401, "unauthorized")
    await signedOut.page.getByRole("button", { name: "Sign in again" }).waitFor()
  })

  test("The page says what is missing, and a second try continues where the first one failed", async () => {
    const resources = {
      ...small,
      Observation: [
        ...small["Observation"]!,
        ...Array.from(
          { length: 300 },
          (_, n) =>
            JSON.stringify({
              resourceType: "Observation",
              id: `x${n}`,
              status: "final",
              code: { text: `Test ${n}` },
              valueString: "x"
            })
        )
      ]
    }
    const shared = await share(service, resources)
    const { context, expect, page } = await openTab(browser)
    expect(/503|Failed to load/)
    await context.route(/cursor=/, (route) =>
      route.fulfill({
        status: 503,
        contentType: "application/json",
        headers: { "access-control-allow-origin": portal },
        body: JSON.stringify({ error: "service_unavailable" })
      }))
    await openRecord({ page }, portal, shared)
    await page.getByRole("button", { name: "Try again" }).waitFor()
    assert.include(await card(page, "Latest results").innerText(), "Not all loaded")
    assert.include(await card(page, "Latest results").innerText(), "Do not read this as “none.”")
    await context.unroute(/cursor=/)
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByText("315 items", { exact: true }).waitFor()
    assert.include(await card(page, "Latest results").innerText(), "135/86 mmHg")
  })
})
