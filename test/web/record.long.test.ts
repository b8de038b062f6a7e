import { assert, describe, test } from "vitest"
import { openBrowser, openTab, type Tab } from "./Browser.ts"
import { atPatients, openPortal } from "./Portal.ts"
import { card, linesOf, openRecord, openWhole, share, wholeRecord } from "./record/Records.ts"
import { plainResults, small } from "./record/Small.ts"

const { portal, service } = await openPortal()
const browser = await openBrowser()

const open = async (...sharing: Parameters<typeof share> extends [any, ...infer Rest] ? Rest : never) => {
  const shared = await share(service, ...sharing)
  return { ...await openWhole(browser, portal, shared), shared }
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
    await page.emulateMedia({ media: "screen" })
    await page.waitForFunction(() => document.querySelectorAll("[data-item]").length < 60)
    await page.getByRole("table", { name: "Items" }).locator("[data-item][tabindex='0']").focus()
    await page.keyboard.press("End")
    await page.waitForFunction(() => document.activeElement?.closest("tr")?.getAttribute("aria-rowindex") === "201")
  })
})
