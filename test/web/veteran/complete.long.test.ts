import type { Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { call } from "../../support/Client.ts"
import { sync } from "../../support/Sync.ts"
import { button, heading } from "../Portal.ts"
import { textsOf } from "../record/Records.ts"
import { answerAway, inspectVeteranApp } from "./Inspected.ts"
import { eagleOne, follow } from "./OwnRecords.ts"
import { newVeteran, openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

const route = "#/complete"

/** The rows of the table: kind, state, items, last complete update, last try. */
const rowsOf = async (page: Page) => {
  await page.getByRole("table").waitFor()
  const rows = await page.getByRole("row").all()
  return Promise.all(rows.map((row) => textsOf(row.locator("th, td"))))
}

const time = /^\d{1,2}:\d\d [AP]M$/

describe("How complete the record is", () => {
  test("Each kind has its state word, its items and its two times, and what is missing comes first", async () => {
    const veteran = await eagleOne(app)
    await call(app.service, "POST", "/api/veteran/me/health-record/sync", {
      headers: veteran.headers,
      body: { fhirResourceFetchStatuses: { Immunization: "unavailable" }, resources: {} }
    })
    const { look, page } = await inspectVeteranApp(app, veteran, { route })
    const [heads, ...rows] = await rowsOf(page)
    assert.deepStrictEqual(heads, ["Kind", "State", "Items", "Last complete update", "Last try"])
    assert.deepStrictEqual(rows.map(([kind, state, items]) => [kind, state, items]), [
      ["Notes and documents", "Not loaded", "0"],
      ["Vaccines", "May be out of date", "16"],
      ["Procedures", "Not complete", "19"],
      ["Allergies", "VA has none", "0"],
      ["Medications", "Up to date", "7"],
      ["Problems", "Up to date", "14"],
      ["Results and vital signs", "Up to date", "30"]
    ])
    for (const [kind = "", , , complete = "", last = ""] of rows) {
      assert.match(last, time)
      if (["Notes and documents", "Procedures"].includes(kind)) assert.strictEqual(complete, "Never")
      else assert.match(complete, time)
    }
    const text = (await page.getByRole("main").innerText()).replaceAll(/\s+/g, " ")
    assert.include(
      text,
      "3 kinds are not complete. Do not read a missing item as “none.” Providers see the same warnings."
    )
    assert.strictEqual(await page.getByRole("link", { name: "Try again" }).getAttribute("href"), "#/update")
    const meanings = await textsOf(page.locator(".meanings dt"))
    for (const [, word] of rows) assert.include(meanings, word)
    await look("how complete")
  })

  test("Before the first update there is no table, then no try of a whole record, and a try if no answer came", async () => {
    const veteran = await newVeteran(app)
    const { look, page } = await inspectVeteranApp(app, veteran, { route })
    const again = async () => {
      await page.getByRole("link", { name: "Account" }).click()
      await heading(page, "Account").waitFor()
      await follow(page, route)
    }
    await page.getByText("No record yet.").waitFor()
    assert.strictEqual(await page.getByRole("table").count(), 0)
    await page.getByRole("link", { name: "Get my record from VA" }).waitFor()
    await look("how complete, never loaded")

    const statuses = { AllergyIntolerance: "empty", Condition: "empty", MedicationRequest: "empty" }
    await sync(app.service, veteran, statuses, {})
    await again()
    await page.getByText("Every kind is complete. Providers see the same warnings.").waitFor()
    assert.strictEqual(await page.getByRole("link", { name: "Try again" }).count(), 0)

    // Without an answer the screen says so, and a second try shows the table.
    const manifest = "**/health-record/manifest"
    await answerAway(page, manifest)
    await again()
    await page.getByText("The service can't be reached").waitFor()
    await page.unroute(manifest)
    await button(page, "Try again").click()
    await page.getByRole("table").waitFor()
    assert.strictEqual(await heading(page, "How complete").evaluate((h1) => h1 === document.activeElement), true)
  })
})
