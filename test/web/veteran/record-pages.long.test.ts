import type { Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { call } from "../../support/Client.ts"
import { resource } from "../../support/Sync.ts"
import { openBrowser } from "../Browser.ts"
import { type Inspection, openInspection } from "../pages/Inspection.ts"
import { button, heading } from "../Portal.ts"
import { small } from "../record/Small.ts"
import { eagleOne, follow, itemIds, wholeOwn, withRecord, write } from "./OwnRecords.ts"
import { newVeteran, openVeteranApp, signInAtVa } from "./VeteranApp.ts"

const app = await openVeteranApp()
const browser = await openBrowser()

/** Opens the app, signs the veteran in, and goes to a screen. */
const open = async (veteran: Parameters<typeof signInAtVa>[1], route: string): Promise<Inspection> => {
  const inspection = await openInspection(browser)
  await inspection.page.goto(`${app.url}/${route}`)
  await signInAtVa(inspection.page, veteran)
  return inspection
}

const show = async (page: Page, route: string, title: string | RegExp) => {
  await follow(page, route)
  await heading(page, title).waitFor()
}

describe("The veteran's record, its completeness and their own words", { timeout: 400_000 }, () => {
  test("The record is accessible in each of its states", async () => {
    const veteran = await eagleOne(app)
    await write(
      app,
      veteran,
      { category: "medication", text: "Aspirin in the morning" },
      { category: "allergy", text: `Latex ${"makes my hands itch for hours and hours ".repeat(8)}` },
      { category: "symptom", text: "Knee hurts on stairs", occurredOn: "2026-03-04" }
    )
    const { look, order, page } = await open(veteran, "#/record")
    await wholeOwn(page)
    await look("veteran record")
    const stops = await order()
    for (const stop of ["link Search", "link See which", "button All 7 medication entries", "link Try again"]) {
      assert.include(stops, stop)
    }
    await show(page, "#/record/results", "Results")
    await look("veteran results")
    await page.getByLabel("Search by name or value").fill("pressure")
    await page.getByText("Only: search “pressure”.").waitFor()
    await look("veteran results, searched")
    await show(page, "#/record/documents", "Doctors' notes and reports")
    await look("veteran notes, not loaded")
    await show(page, "#/record/all", "All of my record")
    await look("veteran whole record")
    await page.locator(".item-link", { hasText: "Blood pressure" }).first().click()
    await heading(page, "Blood pressure").waitFor()
    await page.getByText("Show the values as a table").click()
    await page.locator("summary", { hasText: "Show the source" }).click()
    await page.getByRole("group", { name: "Source" }).waitFor()
    await look("veteran item")
  })

  test("An item that is kept back, a record that was never loaded, and a record that failed are accessible", async () => {
    const kept = resource("Procedure", "kept", { categories: ["hiv", "alcohol_abuse", "sickle_cell"] })
    const veteran = await withRecord(app, { ...small, Procedure: [kept] })
    const ids = await itemIds(app, veteran)
    const { expect, look, page } = await open(veteran, `#/record/item/${ids.get("Procedure/kept")}`)
    expect(/503|page error|memory/)
    await page.getByText("Kept back from others unless you say so").waitFor()
    await look("veteran item, kept back")
    await show(page, "#/home", /./)
    await page.route(/resourceType=Condition/, (route) =>
      route.fulfill({
        status: 503,
        headers: { "access-control-allow-origin": app.url },
        json: { error: "service_unavailable", message: "Later." }
      }))
    await show(page, "#/record", "My record")
    await page.getByText("The service can't be reached").waitFor()
    await look("veteran record, not all loaded")
    await page.workers()[0]!.evaluate(() =>
      void setTimeout(() => {
        throw new Error("out of memory")
      })
    )
    await button(page, "Open again").waitFor()
    await look("veteran record, closed")

    const fresh = await open(await newVeteran(app), "#/record")
    await fresh.page.getByText("No record yet.").waitFor()
    await fresh.look("veteran record, never loaded")
    await show(fresh.page, "#/complete", "How complete")
    await fresh.page.getByText("No record yet.").waitFor()
    await fresh.look("how complete, never loaded")
  })

  test("How complete the record is, is accessible", async () => {
    const veteran = await eagleOne(app)
    await call(app.service, "POST", "/api/veteran/me/health-record/sync", {
      headers: veteran.headers,
      body: { fhirResourceFetchStatuses: { Immunization: "unavailable" }, resources: {} }
    })
    const { look, page } = await open(veteran, "#/complete")
    await page.getByRole("table").waitFor()
    await look("how complete")
  })

  test("The veteran's own words are accessible in each of their states", async () => {
    const veteran = await newVeteran(app)
    const { look, page } = await open(veteran, "#/words")
    await page.getByText("Nothing here yet.").waitFor()
    await look("own words, none")
    await write(
      app,
      veteran,
      { category: "medication", text: "Warfarin 5 mg in the evening" },
      { category: "symptom", text: "Knee hurts on stairs ".repeat(30), occurredOn: "2026-03-04" }
    )
    await show(page, "#/home", /./)
    await show(page, "#/words", "My own words")
    await page.getByText("Warfarin").waitFor()
    await look("own words")
    await button(page, "Add my own words").click()
    await button(page, "Save").click()
    await page.getByText("2 things to mend").waitFor()
    await page.getByLabel("In my own words").fill("x".repeat(9_000))
    await look("own words, form")
    await button(page, "Cancel").click()
    await button(page, "Remove: Warfarin 5 mg in the evening").click()
    await page.getByRole("dialog").waitFor()
    await look("own words, removing")
  })
})
