import type { Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { revoke } from "../http/Sharing.ts"
import { patientTexts } from "../support/Collection.ts"
import { sync } from "../support/Sync.ts"
import { openBrowser } from "./Browser.ts"
import { pdfOf } from "./document/Pdfs.ts"
import { uploadTo } from "./document/SharedDocuments.ts"
import { openInspection } from "./pages/Inspection.ts"
import { longWords } from "./pages/Patients.ts"
import { once, refused } from "./pages/Refusals.ts"
import { button, enterPortal, heading, openPortal } from "./Portal.ts"
import { selfReport, share, wholeRecord } from "./record/Records.ts"
import { plainResults, small } from "./record/Small.ts"

const { database, portal, service } = await openPortal()
const browser = await openBrowser()
const owner = await database.connect("owner")

const go = (page: Page, hash: string) => page.evaluate((hash) => void (location.hash = hash), hash)

const inDays = (days: number) => ({ expiresAt: new Date(Date.now() + days * 24 * 3_600_000).toISOString() })

describe("A record", () => {
  test("The record is accessible in each of its states", async () => {
    const purpose = "treatment of the knee and what else comes up in the first year"
    const shared = await share(service, small, { Immunization: "complete" }, { ...inDays(30), purpose })
    const { grant, provider, veteran } = shared
    await sync(service, veteran, {
      Condition: "partial",
      MedicationRequest: "unavailable",
      Immunization: "unavailable",
      DiagnosticReport: "unavailable"
    })
    for (const text of ["Knee hurts on stairs, worse in the morning.", "Lost 5 pounds since spring."]) {
      await selfReport(service, veteran, { category: "symptom", text, occurredOn: "2026-11-03" })
    }
    await uploadTo(service, shared, await pdfOf(1), "letter-from-the-orthopedist.pdf")
    const { context, expect, look, order, page } = await openInspection(browser)
    expect(refused)
    let release = () => {}
    await page.route(
      "**/api/provider/patients/*/record?*",
      once(async (route) => {
        await new Promise<void>((resolve) => {
          release = resolve
        })
        await route.continue()
      })
    )
    await enterPortal(page, portal, provider.email, `#/patients/${veteran.id}`)
    await page.getByText("Opening the record").waitFor()
    await look("record, opening")
    release()
    await wholeRecord(page)
    await look("record")
    const bar = ["link Skip to main content", "link Patients", "link Desk codes", "link Change password",
      "button Sign out", "link Back to all patients", "searchbox Search this record", "button Copy for my chart",
      "button Write a note", "button Print"]
    const glance = ["button Penicillin G", "button Latex", "button All 2 allergies", "button Hypertension",
      "button All 3 problems, past ones too", "button Lisinopril 10 MG Oral Tablet", "button Inhaler",
      "button All 2 medication entries", "button Blood pressure", "button Glucose",
      "button Trend: 3 values, 76.5 to 91, last down", "button All 6 results"]
    const beside = ["link letter-from-the-orthopedist.pdf"]
    const list = ["searchbox Search by name or value", "button All 18", "button Allergies 2", "button Problems 3",
      "button Medications 2", "button Lab results 5", "button Vital signs 1", "button About the patient 1",
      "button Other 1", "button From the patient 2", "button Documents 1", "Date From date", "Date To date",
      "button Active only", "button Date", "button Item"]
    const end = ["textbox Write a note", "button Save note", "button Print or save as PDF", "button Save as FHIR file"]
    assert.deepStrictEqual(await order(), [
      ...bar,
      ...glance,
      ...beside,
      ...list,
      "button Kind",
      "button letter-from-the-orthopedist.pdf",
      ...end
    ])

    await button(page, "Glucose").click()
    const detail = page.getByRole("region", { name: "Glucose [Mass/volume] in Blood" })
    await detail.getByText("not in the line").waitFor()
    await detail.getByText("Show the values as a table").click()
    await detail.getByText("Show the text that the source wrote").click()
    await detail.frameLocator("iframe").getByText("As the laboratory wrote it").waitFor()
    await detail.getByText("Show the FHIR source").click()
    await detail.getByText("\"value\": 76.50,").waitFor()
    await look("item, with its trend, text and source")
    assert.deepStrictEqual(await order(), [
      ...bar,
      ...glance,
      ...beside,
      ...list,
      "button Glucose [Mass/volume] in Blood",
      "button Close",
      "DisclosureTriangle Show the values as a table",
      "group Values of the trend",
      "DisclosureTriangle Show the text that the source wrote",
      "Iframe Text of Glucose [Mass/volume] in Blood",
      "DisclosureTriangle Show the FHIR source",
      "group FHIR source",
      "button Copy the source",
      ...end
    ])

    await context.setOffline(true)
    await page.getByText("You are offline", { exact: true }).waitFor()
    await look("record, offline")
    await context.setOffline(false)
    await page.getByText("You are offline", { exact: true }).waitFor({ state: "detached" })
    await revoke(service, veteran, grant)
    await page.evaluate(() => dispatchEvent(new Event("focus")))
    await heading(page, "You no longer have access to this record").waitFor()
    await look("record, revoked")
    assert.deepStrictEqual(await order(), ["link Skip to main content", "link Patients", "link Desk codes",
      "link Change password", "button Sign out", "link Back to all patients"])
  })

  test("An empty, complete, loading, failed or very long record is accessible", async () => {
    const empty = await share(service, {}, {
      Condition: "empty",
      AllergyIntolerance: "empty",
      MedicationRequest: "empty",
      Observation: "empty"
    })
    const { provider } = empty
    const [complete, large, long, unknown] = [
      await share(service, small, {}, {}, provider),
      await share(
        service,
        { ...small, Observation: [...small["Observation"]!, ...plainResults(300)] },
        {},
        {},
        provider
      ),
      await share(service, longWords, {}, { purpose: "W".repeat(200) }, provider),
      await share(service, {}, {}, {}, provider)
    ]
    await owner.query("update veterans set call_sign = $2 where id = $1", [long!.veteran.id, "W".repeat(100)])
    await selfReport(service, long!.veteran, { category: "symptom", text: "W".repeat(500) })
    const { context, expect, look, page } = await openInspection(browser)
    expect(refused)
    await enterPortal(page, portal, provider.email, `#/patients/${empty.veteran.id}`)
    await page.getByText("0 items", { exact: true }).waitFor()
    await look("record, empty")
    await go(page, `#/patients/${unknown!.veteran.id}`)
    await page.getByText("Ask the patient").first().waitFor()
    await look("record, never loaded")
    await go(page, `#/patients/${complete!.veteran.id}`)
    await wholeRecord(page)
    await look("record, all up to date")
    await go(page, `#/patients/${long!.veteran.id}`)
    await wholeRecord(page)
    await button(page, "All 2 allergies").waitFor()
    await page.locator(".glance-list .item-name").first().click()
    await page.locator(".detail h3").waitFor()
    await look("record, long words")
    const held: Array<() => void> = []
    let isHeld = true
    await context.route(/cursor=/, async (route) => {
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve))
      await route.abort()
    })
    await go(page, `#/patients/${large!.veteran.id}`)
    await page.getByText(/still loading/).first().waitFor()
    await look("record, loading")
    isHeld = false
    for (const release of held) release()
    await button(page, "Try again").waitFor()
    await look("record, not all loaded")
  })

  test("The record that README shows is accessible", async () => {
    const shared = await share(service, patientTexts("va-florentino8-raynor401"), {
      MedicationRequest: "partial",
      AllergyIntolerance: "empty"
    }, inDays(30))
    await owner.query("update veterans set call_sign = 'Raynor' where id = $1", [shared.veteran.id])
    const { look, page, picture } = await openInspection(browser)
    await enterPortal(page, portal, shared.provider.email, `#/patients/${shared.veteran.id}`)
    await wholeRecord(page)
    await look("record, of VA")
    await picture("record")
  })
})
