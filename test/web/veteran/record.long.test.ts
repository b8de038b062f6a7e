import type { Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { call, giveGrant, signInProvider } from "../../support/Client.ts"
import { patientTexts } from "../../support/Collection.ts"
import { resource, sync, type Texts } from "../../support/Sync.ts"
import { until } from "../../support/Until.ts"
import { button, heading } from "../Portal.ts"
import { card, linesOf, textsOf } from "../record/Records.ts"
import { small } from "../record/Small.ts"
import { inspectVeteranApp } from "./Inspected.ts"
import { eagleOne, follow, itemIds, openOwnRecord, wholeOwn, withRecord, write } from "./OwnRecords.ts"
import { newVeteran, openVeteranApp } from "./VeteranApp.ts"

const app = await openVeteranApp()

const spaced = async (page: Page, name: string) => (await card(page, name).innerText()).replaceAll(/\s+/g, " ").trim()

const headings = (page: Page) => textsOf(page.getByRole("main").getByRole("heading", { level: 2 }))

/** A record with one item more that names a category that others do not see unless the veteran says so. */
const protectedRecord: Texts = {
  ...small,
  Procedure: [resource("Procedure", "kept", { categories: ["hiv", "alcohol_abuse"] }), resource("Procedure", "open")]
}

describe("The veteran's record", () => {
  test("What is not complete comes first, then the cards of a clinician, and a list is used with the keyboard alone", async () => {
    const veteran = await eagleOne(app)
    await write(
      app,
      veteran,
      { category: "medication", text: "Aspirin in the morning" },
      { category: "allergy", text: `Latex ${"makes my hands itch for hours and hours ".repeat(8)}` }
    )
    const { look, order, page } = await openOwnRecord(app, veteran)
    assert.deepStrictEqual((await headings(page)).map((name) => name.replace(/ \d+$/, "")), [
      "2 kinds are not complete",
      "Allergies",
      "Medications",
      "Problems",
      "Latest results",
      "Vaccines",
      "Doctors' notes and reports",
      "Procedures",
      "My own words",
      "Notes about me",
      "Everything else"
    ])
    const notice = (await page.locator(".usa-alert--warning").innerText()).replaceAll(/\s+/g, " ")
    assert.include(notice, "Do not read a missing item as “none.” Providers see the same warning. See which")
    assert.match(await spaced(page, "Medications"), /^Medications 7 Up to date My own words Providers see it marked/)
    assert.include(await spaced(page, "Medications"), "“Aspirin in the morning” written ")
    assert.match(await spaced(page, "Vaccines"), /^Vaccines Up to date 16 on file\. Last: COVID-19.*, \w+ \d+, 2021\./)

    await look("veteran record")
    const stops = await order()
    for (const stop of ["link Search", "link See which", "button All 7 medication entries", "link Try again"]) {
      assert.include(stops, stop)
    }

    // A kind is listed by year.
    await button(page, "All 30 results").focus()
    await page.keyboard.press("Enter")
    await heading(page, "Results").waitFor()
    assert.deepStrictEqual((await headings(page)).slice(0, 3), ["2016", "2015", "2014"])
    await until(
      "the heading has the focus",
      async () => await page.evaluate(() => document.activeElement?.tagName) === "H1"
    )
    await look("veteran results")
    const search = page.getByLabel("Search by name or value")
    for (let stop = 0; stop < 5 && !await search.evaluate((field) => field === document.activeElement); stop++) {
      await page.keyboard.press("Tab")
    }
    await page.keyboard.type("blood pressure 13")
    await page.getByText("Only: search “blood pressure 13”.").waitFor()
    const rows = page.locator(".years li")
    for (const row of await textsOf(rows)) assert.match(row, /^Blood pressure systolic and diastolic 13\d\/\d\d mmHg/)
    const count = await rows.count()
    await page.getByText(`${count} of 30 items`).waitFor()
    await look("veteran results, searched")
    const first = rows.first().getByRole("link")
    for (let stop = 0; stop < 20 && !await first.evaluate((link) => link === document.activeElement); stop++) {
      await page.keyboard.press("Tab")
    }
    await page.keyboard.press("Enter")
    await heading(page, "Blood pressure").waitFor()
    await page.getByText("VA calls it: Blood pressure systolic and diastolic").waitFor()
    await page.getByText("Show the values as a table").click()
    await page.locator("summary", { hasText: "Show the source" }).click()
    await page.getByRole("group", { name: "Source" }).waitFor()
    await look("veteran item")
    await page.goBack()
    // The search is still there.
    await page.getByText(`${count} of 30 items`).waitFor()
    await button(page, "Show all, newest first").click()
    await page.getByText(/^30 items$/).waitFor()
    await follow(page, "#/record/documents")
    await heading(page, "Doctors' notes and reports").waitFor()
    await look("veteran notes, not loaded")
    await follow(page, "#/record/all")
    await heading(page, "All of my record").waitFor()
    await look("veteran whole record")
  })

  test("A record that was never loaded leads to the first update, and each card then says what is known of its kind", async () => {
    const veteran = await newVeteran(app)
    const { look, page } = await inspectVeteranApp(app, veteran, { route: "#/record" })
    await page.getByText("No record yet.").waitFor()
    await look("veteran record, never loaded")
    const link = page.getByRole("link", { name: "Get my record from VA" })
    assert.strictEqual(await link.getAttribute("href"), "#/update")
    assert.deepStrictEqual(await headings(page), ["My own words", "Notes about me"])

    const past = JSON.stringify({
      resourceType: "AllergyIntolerance",
      id: "past",
      code: { text: "Milk" },
      clinicalStatus: { coding: [{ code: "resolved" }] }
    })
    const states = [
      ["unavailable", ["Not loaded", "We could not get this from VA. This is not the same as “none.” Try again"]],
      ["partial", ["Not complete", "No allergies came from VA. This is not the same as “none.”"]],
      ["empty", ["VA has none", "VA has no allergies on file, as of "]],
      ["complete", ["Up to date", "VA has no active allergies on file, as of "]],
      ["unavailable", ["May be out of date", "The newest update did not finish."]]
    ] as const
    for (const [fetched, words] of states) {
      await sync(app.service, veteran, { Condition: "complete", AllergyIntolerance: fetched }, {
        Condition: small["Condition"]!,
        ...fetched === "complete" ? { AllergyIntolerance: [past] } : {}
      })
      await page.goto(`${app.url}/#/record`)
      await page.reload()
      await wholeOwn(page)
      const text = await spaced(page, "Allergies")
      for (const said of words) assert.include(text, said)
      if (words[0] === "Not loaded") {
        assert.strictEqual(
          await card(page, "Allergies").getByRole("link", { name: "Try again" }).getAttribute("href"),
          "#/update"
        )
      }
      await follow(page, "#/record/allergies")
      await heading(page, "Allergies").waitFor()
      await page.getByRole("main").getByText(words[0], { exact: true }).first().waitFor()
    }

    // A provider's notes stand in the record, and the veteran's own words lead to their screen.
    const provider = await signInProvider(app.service)
    await giveGrant(app.service, { ...veteran, token: "" }, provider)
    await call(app.service, "POST", `/api/provider/patients/${veteran.id}/notes`, {
      headers: provider.headers,
      body: { text: "Walks better." }
    })
    await write(app, veteran, { category: "symptom", text: "Knee hurts", occurredOn: "2026-03-04" })
    await page.goto(`${app.url}/#/record`)
    await page.reload()
    await wholeOwn(page)
    assert.match(await spaced(page, "Notes about me"), /^Notes about me Walks better\. Dr\. Ada Gray, \d/)
    assert.include(await spaced(page, "My own words"), "Knee hurts Mar 4, 2026")
    await page.getByRole("link", { name: "See, add and change all 1" }).click()
    await heading(page, "My own words").waitFor()
  })

  test("An item opens by its address and says what it is, cards have a clinician's order, and filters narrow a list", async () => {
    const veteran = await withRecord(app, protectedRecord)
    const ids = await itemIds(app, veteran)
    const { look, page } = await inspectVeteranApp(app, veteran, {
      route: `#/record/item/${ids.get("AllergyIntolerance/severe")}`
    })
    await heading(page, "Penicillin G").waitFor()
    await follow(page, "#/record/item/0199c0de-0000-7000-8000-000000000000")
    await heading(page, "This is not here").waitFor()
    await page.getByRole("link", { name: "Back to my record" }).click()
    await wholeOwn(page)

    // The cards have the order of a clinician's first glance, with what must not be overlooked.
    assert.deepStrictEqual(await linesOf(page, "Allergies"), [
      "Penicillin G Severe High criticality Anaphylaxis (severe)",
      "Latex recorded May 1, 2020"
    ])
    assert.deepStrictEqual(await linesOf(page, "Medications 2"), [
      "Lisinopril 10 MG Oral Tablet 1 tablet daily; ordered Sep 16, 2026",
      "Inhaler Dose not given by VA; ordered Sep 15, 2026"
    ])
    assert.deepStrictEqual(await linesOf(page, "Problems 1"), ["Hypertension since Nov 3, 1999"])
    assert.deepStrictEqual(await textsOf(card(page, "Latest results").locator("tbody tr")), [
      "Blood pressure Sep 16, 2026 135/86 mmHg",
      "Glucose Jun 3, 2026 76.50 mg/dL Low Range 70.0 to 110 mg/dL"
    ])

    // Only the item itself says that it is kept back from others, and by which names.
    const main = page.getByRole("main")
    const says = /kept back|HIV|alcohol/i
    assert.notMatch(await main.innerText(), says)
    for (const route of ["procedures", "all"]) {
      await follow(page, `#/record/${route}`)
      await page.locator(".years").waitFor()
      assert.notMatch(await main.innerText(), says)
    }
    await follow(page, `#/record/item/${ids.get("Procedure/kept")}`)
    await heading(page, "Procedure").waitFor()
    assert.include(
      (await page.locator(".usa-alert").innerText()).replaceAll(/\s+/g, " "),
      "Kept back from others unless you say so Alcoholism or alcohol abuse; " +
        "Infection with the human immunodeficiency virus (HIV)"
    )
    await look("veteran item, kept back")
    await follow(page, `#/record/item/${ids.get("Procedure/open")}`)
    await page.getByText("Show the source").waitFor()
    await until("the notice is gone", async () => !says.test(await main.innerText()))

    // A filter by day and by what is active says what it leaves out.
    await follow(page, "#/record/problems")
    await button(page, "Active only").click()
    assert.deepStrictEqual(await textsOf(page.locator(".years li")), ["Hypertension Nov 3, 1999 · Active"])
    await page.getByText("Only: active only.").waitFor()
    await follow(page, "#/record/all")
    await page.getByLabel("From date").fill("2026-01-01")
    await page.getByText(/have no date, so they are not in this list|has no date, so it is not in this list/).waitFor()
    await button(page, /^Vaccines|^Lab results 5/).click()
    await page.getByText("Only: Lab results; from Jan 1, 2026.").waitFor()

    // A result shows its value first, its range, and its trend as text.
    await follow(page, "#/record")
    await wholeOwn(page)
    await card(page, "Latest results").getByRole("button", { name: "Glucose" }).click()
    await heading(page, "Glucose").waitFor()
    await page.getByText("VA calls it: Glucose [Mass/volume] in Blood").waitFor()
    const details = page.getByRole("region", { name: "Details" })
    assert.match(
      (await details.innerText()).replaceAll(/\s+/g, " "),
      /^Low Value 76\.50 mg\/dL Reference range 70\.0 to 110 mg\/dL/
    )
    await details.getByText("3 values in mg/dL, Jan 5, 2024 to Jun 3, 2026.").waitFor()
    await details.getByText("Show the values as a table").click()
    await details.locator("tbody tr").first().waitFor()
    assert.deepStrictEqual(await textsOf(details.locator("tbody tr")), [
      "Jun 3, 2026 76.50 mg/dL",
      "Sep 3, 2025 84 mg/dL",
      "Jun 5, 2025 < 40 mg/dL (not in the line)",
      "Jan 5, 2025 5.1 mmol/L (not in the line)",
      "Jan 5, 2024 91.0 mg/dL"
    ])
    await details.getByText("Show the text that VA wrote").click()
    await page.frameLocator("iframe").getByText("As the laboratory wrote it").waitFor()
  })

  test("The source of each item is the exact text that was synchronized, and a note is read in place", async () => {
    const note = (id: string, contentType: string, text: string) =>
      JSON.stringify({
        resourceType: "DocumentReference",
        id,
        status: "current",
        description: `Note ${id}`,
        content: [{ attachment: { contentType, title: `file-${id}`, data: Buffer.from(text).toString("base64") } }]
      })
    const texts = {
      ...patientTexts("va-florentino8-raynor401"),
      DocumentReference: [note("plain", "text/plain", "Slept well.\nWalks."),
        note("page", "text/html", "<b>Bold</b> words")],
      // JSON that is parsed and written again would lose these spaces and zeros.
      Basic: [`{ "resourceType" : "Basic", "id" : "spaced",\n "extension": [{"url":"a","valueDecimal": 1.00}] }`]
    }
    const veteran = await withRecord(app, texts)
    const ids = await itemIds(app, veteran)
    const { context, page } = await openOwnRecord(app, veteran)
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: app.url })
    for (const [type, of] of Object.entries(texts)) {
      for (const text of of.slice(0, 2)) {
        const { id } = JSON.parse(text)
        await follow(page, `#/record/item/${ids.get(`${type}/${id}`)}`)
        // The item before this one has left the page.
        await page.getByText("Copied.").waitFor({ state: "detached" })
        await page.locator("summary", { hasText: "Show the source" }).click()
        await button(page, "Copy the source").click()
        await page.getByText("Copied.").waitFor()
        assert.strictEqual(await page.evaluate(() => navigator.clipboard.readText()), text)
      }
    }

    // A page inside an item is shown only in the sandbox.
    await follow(page, `#/record/item/${ids.get("DocumentReference/plain")}`)
    await button(page, /^Read file-plain/).click()
    assert.strictEqual(await page.getByText("Slept well.").innerText(), "Slept well.\nWalks.")
    await follow(page, `#/record/item/${ids.get("DocumentReference/page")}`)
    await button(page, /^Read file-page/).click()
    await page.frameLocator("iframe[sandbox='']").getByText("Bold words").waitFor()
  })
})
