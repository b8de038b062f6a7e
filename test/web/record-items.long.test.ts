import { readFile } from "node:fs/promises"
import { assert, describe, test } from "vitest"
import { readAccount } from "../http/ledger/Account.ts"
import { writeNote } from "../http/Sharing.ts"
import { letPermitsAge } from "../support/Permits.ts"
import { openBrowser } from "./Browser.ts"
import { pdfOf } from "./document/Pdfs.ts"
import { uploadTo } from "./document/SharedDocuments.ts"
import { openPortal } from "./Portal.ts"
import { broken, numbersIn, wordsIn } from "./record/Breaks.ts"
import { card, openWhole, selfReport, share, textsOf } from "./record/Records.ts"
import { order, problem, quantity, resourceText, result, small, vaccine } from "./record/Small.ts"

const { database, portal, service } = await openPortal()
const superuser = await database.connect("superuser")
const browser = await openBrowser()

const open = async (shared: Awaited<ReturnType<typeof share>>) => {
  const tab = await openWhole(browser, portal, shared)
  const table = tab.page.getByRole("table", { name: "Items" })
  const names = () => table.locator("tbody [data-item]").allInnerTexts()
  return { ...tab, table, names }
}

const range = (low: string, high: string, unit = "mg/dL") => ({
  low: { value: `#${low}`, unit },
  high: { value: `#${high}`, unit }
})

describe("The table of all items", () => {
  test("The search finds what the patient wrote, a document's name and a note, which may be an old one, and opens them", async () => {
    const shared = await share(service, small)
    const { provider, veteran } = shared
    await selfReport(service, veteran, { category: "allergy", text: "Penicillin V: my throat closed up" })
    await uploadTo(service, shared, await pdfOf(1), "discharge.pdf")
    await writeNote(service, provider, veteran, { text: "Warfarin was stopped in May" })
    const { names, page } = await open(shared)
    const search = page.getByLabel("Search by name or value")
    for (
      const [word, name] of [
        ["throat", "Penicillin V: my throat closed up"],
        ["DISCHARGE", "discharge.pdf"],
        ["warfarin", "Warfarin was stopped in May"]
      ] as const
    ) {
      await search.fill(word)
      await page.getByText("1 of 18 items", { exact: true }).waitFor()
      assert.deepStrictEqual(await names(), [name])
    }
    await search.fill("")
    for (const kind of ["From the patient 1", "Notes 1", "About the patient 1", "Documents 1"]) {
      await page.getByRole("button", { name: kind, exact: true }).click()
      await page.getByText("1 of 18 items", { exact: true }).waitFor()
    }
    await page.getByRole("button", { name: "discharge.pdf" }).click()
    const detail = page.getByRole("region", { name: "Documents" }).last()
    assert.strictEqual(await page.evaluate(() => document.activeElement?.textContent), "Documents")
    assert.match(
      await detail.getByRole("link", { name: "Open the document" }).getAttribute("href") ?? "",
      /^#\/patients\/[^/]+\/documents\/[^/]+$/
    )
    await page.keyboard.press("Escape")
    await page.waitForFunction(() => document.activeElement?.textContent === "discharge.pdf")
    assert.strictEqual(await page.getByRole("button", { name: "Other 1", exact: true }).count(), 1)

    // A note that is too old to come with the record is found once it is shown: 200 come with it.
    for (let n = 0; n < 200; n++) {
      if (n % 99 === 0) await letPermitsAge(superuser, 24)
      await writeNote(service, provider, veteran, { text: `Visit ${n}` })
    }
    await page.reload()
    await search.fill("warfarin")
    await page.getByText("0 of 217 items", { exact: true }).waitFor()
    const older = page.getByRole("button", { name: "Show older notes" })
    for (let n = 0; n < 10; n++) await older.click()
    await page.locator(".notes").getByText("Warfarin").waitFor()
    await page.getByText("1 of 218 items", { exact: true }).waitFor()
    assert.deepStrictEqual(await names(), ["Warfarin was stopped in May"])
  })

  test("Items are narrowed and sorted by keyboard, each told in words, and the FHIR file has all of them", async () => {
    const shared = await share(service, small, { Condition: "partial" })
    const { expect, names, page, requests, table } = await open(shared)
    const words = page.locator(".list-words")
    await page.getByLabel("From date").fill("2026-06-03")
    await page.getByLabel("To date").fill("2026-09-15")
    await page.getByText("2 of 15 items", { exact: true }).waitFor()
    assert.deepStrictEqual(await names(), ["Inhaler", "Glucose [Mass/volume] in Blood"])
    assert.include(await words.innerText(), "Only: from Jun 3, 2026; to Sep 15, 2026.")
    await page.getByText("3 items have no date, so they are not in this list.").waitFor()
    await page.getByRole("button", { name: "Active only" }).click()
    await page.getByText("1 of 15 items", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Show all, newest first" }).click()
    await page.getByText("15 items", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Problems 3" }).click()
    await page.getByRole("button", { name: "Active only" }).click()
    await page.getByText("1 of 15 items", { exact: true }).waitFor()
    assert.include(await words.innerText(), "Only: Problems; active only.")
    await page.getByRole("button", { name: "Active only" }).click()
    const head = table.getByRole("columnheader", { name: "Item" })
    await head.getByRole("button").press("Enter")
    await words.getByText("Sorted by name, A to Z.").waitFor()
    assert.strictEqual(await head.getAttribute("aria-sort"), "ascending")
    assert.deepStrictEqual(await names(), ["Broken wrist", "Gout", "Hypertension"])
    await head.getByRole("button").press("Space")
    await words.getByText("Sorted by name, Z to A.").waitFor()
    assert.strictEqual(await head.getAttribute("aria-sort"), "descending")
    assert.deepStrictEqual(await names(), ["Hypertension", "Gout", "Broken wrist"])
    assert.strictEqual(await table.locator("[aria-sort]").count(), 1)

    // A file is saved only after the veteran's account has it, and otherwise the page says why.
    const timesSaved = async () => {
      const { json } = await readAccount(service, shared.veteran, "?kind=record_saved")
      return json.items.length
    }
    const save = page.getByRole("button", { name: "Save as FHIR file" })
    let downloads = 0
    page.on("download", () => downloads++)
    expect(/ERR_FAILED|Failed to fetch/)
    await page.route("**/record/saved", (route) => route.abort())
    await save.click()
    await page.getByRole("alert").filter({ hasText: /./ }).first().waitFor()
    await page.unroute("**/record/saved")
    assert.deepStrictEqual([downloads, await timesSaved()], [0, 0])

    // The file has the exact texts of all items, its name does not tell whose it is, and the service is told.
    const before = requests.length
    const [download] = await Promise.all([page.waitForEvent("download"), save.click()])
    assert.match(download.suggestedFilename(), /^health-record-\d{4}-\d\d-\d\d\.json$/)
    const text = await readFile(await download.path(), "utf8")
    for (const resource of Object.values(small).flat()) assert.include(text, `"resource":${resource}}`)
    const { entry, type } = JSON.parse(text)
    assert.strictEqual(type, "collection")
    assert.lengthOf(entry, 16)
    assert.strictEqual(
      entry[0].resource.issue[0].diagnostics,
      "Problems are not complete. Do not read a missing item as “none.”"
    )
    assert.include(
      entry.map(({ fullUrl }: { readonly fullUrl?: string }) => fullUrl),
      `${service.url}/api/fhir/R4/Patient/p`
    )
    const [told, ...others] = requests.slice(before).filter((request) => /^(?!OPTIONS).*\/api\//.test(request))
    assert.match(told!, /^POST .*\/record\/saved$/)
    assert.lengthOf(others, 0)
    await page.getByText("Saved. Keep the file as safe as the record.").waitFor()
    assert.strictEqual(await timesSaved(), 1)
    assert.strictEqual(await page.getByRole("alert").filter({ hasText: /./ }).count(), 0)
  })

  test("No word and no number is broken from phones to larger screens, and a stopped medication says so on each", async () => {
    const height = (id: string, value: string) =>
      result(id, quantity(value, "in"), {
        code: { coding: [{ system: "http://loinc.org", code: "8302-2", display: "Body height" }] },
        referenceRange: [{ low: { value: "#66.899999999999991", unit: "in" } }]
      })
    const { page, table } = await open(
      await share(service, {
        ...small,
        MedicationRequest: ["stopped", "active"].map((status) => order(status, `Drug ${status}`, { status })),
        Procedure: [resourceText("Procedure", "p", {
          status: "completed",
          code: { text: "Hydrochlorothiazide monitoring and immunosuppression" },
          performedDateTime: "2026-10-30"
        })],
        Immunization: [vaccine("i", { occurrenceDateTime: "2026-10-29" })],
        Observation: [
          ...small["Observation"]!,
          result("height", quantity("66.899999999999991", "[in_i]")),
          height("h1", "66.899999999999991"),
          height("h2", "66.911111111111119"),
          result("i", { valueString: "Indeterminate" }, { code: { text: "Carboxyhemoglobin" } })
        ]
      })
    )
    for (const width of [360, 768, 1024, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      assert.deepStrictEqual(await page.evaluate(broken, numbersIn(".items-table tr")), [], `${width}`)
      if (width > 360) assert.deepStrictEqual(await page.evaluate(broken, wordsIn(".items-table tr")), [], `${width}`)
    }

    // A stopped medication says so once, beside an open item too.
    await page.setViewportSize({ width: 1366, height: 768 })
    await page.getByLabel("Search by name or value").fill("Drug")
    const told = () => table.getByRole("row").filter({ hasText: "Drug stopped" }).innerText()
    assert.strictEqual((await told()).split("Stopped").length, 2)
    await page.setViewportSize({ width: 360, height: 740 })
    assert.strictEqual((await told()).split("Stopped").length, 2)
    await page.setViewportSize({ width: 1366, height: 768 })
    await table.getByRole("button", { name: "Drug active" }).click()
    await page.getByRole("region", { name: "Drug active" }).waitFor()
    assert.strictEqual((await told()).split("Stopped").length, 2)

    // No number of an open item is broken, nor a word of the table beside it.
    await page.keyboard.press("Escape")
    await page.getByLabel("Search by name or value").fill("")
    await table.getByRole("button", { name: "Body height" }).first().click()
    const detail = page.getByRole("region", { name: "Body height" })
    await detail.getByText("Show the values as a table").click()
    await detail.getByRole("group", { name: "Values of the trend" }).getByText("66.911111111111119").waitFor()
    for (const width of [360, 768, 1024, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      assert.deepStrictEqual(await page.evaluate(broken, numbersIn(".detail dd, .values td")), [], `${width}`)
      if (width > 360) assert.deepStrictEqual(await page.evaluate(broken, wordsIn(".items-table tr")), [], `${width}`)
    }
  })
})

describe("Words that change what an item means", () => {
  test("A problem that is not confirmed and a value below its range say so, on phones and on larger screens", async () => {
    const { page, table } = await open(
      await share(service, {
        Patient: small["Patient"]!,
        Condition: [
          problem("1", "Pulmonary embolism", "provisional"),
          problem("2", "Myocardial infarction", "differential"),
          problem("3", "Pneumonia", "unconfirmed"),
          problem("4", "Hypertension", "confirmed")
        ],
        Observation: [
          result("low", quantity("0.4"), { referenceRange: [range("0.6", "1.2")] }),
          result("two-ranges", quantity("0.4"), { referenceRange: [range("0.6", "1.2"), range("0.7", "1.5")] }),
          result("other-unit", quantity("0.4"), { referenceRange: [range("0.6", "1.2", "g/L")] })
        ]
      })
    )
    const rows = table.locator("tbody [scope=row]")
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const names = (await textsOf(rows)).filter((text) => !/^(Grace|Test)/.test(text))
      assert.sameMembers(names.map((text) => text.replace(/ Active, \w+( Problems)?$/, "")), [
        "Pulmonary embolism Provisional",
        "Myocardial infarction Differential",
        "Pneumonia Unconfirmed",
        "Hypertension"
      ], `${width}`)
    }

    // A value below its own range says so in glance, list and detail, but not if the range is not clear.
    const marked = async (rows: ReturnType<typeof table.locator>) =>
      (await textsOf(rows)).filter((text) => /(above|below) range/i.test(text))
    const [glance, ...others] = await marked(card(page, "Latest results").locator("tbody tr"))
    assert.match(glance!, /^Test low .*0\.4 mg\/dL Below range/)
    assert.deepStrictEqual(others, [])
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const [row, ...more] = await marked(table.locator("tbody tr"))
      assert.match(row!, /Test low Below range/, `${width}`)
      assert.deepStrictEqual(more, [], `${width}`)
    }
    for (
      const [name, isMarked] of [["Test low", true], ["Test two-ranges", false], ["Test other-unit", false]] as const
    ) {
      await table.getByRole("button", { name, exact: true }).click()
      const detail = page.getByRole("region", { name, exact: true })
      await detail.getByText("Reference range").first().waitFor()
      assert.strictEqual(await detail.getByText("Below range", { exact: true }).isVisible(), isMarked, name)
    }
  })
})
