import type { Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { openBrowser, openTab } from "./Browser.ts"
import { openPortal } from "./Portal.ts"
import { openRecord, selfReport, share, wholeRecord } from "./record/Records.ts"
import { small } from "./record/Small.ts"
import { needsTool, noTool, sheetsOf } from "./Sheets.ts"

const { portal, service } = await openPortal()
const browser = await openBrowser()

const open = async (...sharing: Parameters<typeof share> extends [any, ...infer Rest] ? Rest : never) => {
  const shared = await share(service, ...sharing)
  for (let n = 0; n < 7; n++) await selfReport(service, shared.veteran, { category: "symptom", text: `Ache ${n}` })
  const { page } = await openTab(browser)
  await openRecord({ page }, portal, shared)
  await wholeRecord(page)
  return page
}

const print = async (page: Page) => {
  await page.emulateMedia({ media: "print" })
  await page.locator("thead .sheet-head").waitFor()
  return sheetsOf(page)
}

const long = `Finding of bilirubin in urine ${"that goes on and on ".repeat(9)}to its end`

const results = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    JSON.stringify({
      resourceType: "Observation",
      id: `r${n}`,
      status: "final",
      category: [{ coding: [{ code: "laboratory" }] }],
      code: { text: `Test ${n}` },
      effectiveDateTime: "2026-01-05",
      ...(n === 0 ? { valueString: long } : { valueQuantity: { value: n, unit: "mg/dL" } })
    }))

const cut = () =>
  [...document.querySelectorAll(".items-table :is(th, td, span), .glance *")]
    .filter((element) => element.checkVisibility() && element.clientHeight > 0)
    .filter((element) =>
      element.scrollHeight > element.clientHeight + 1 && getComputedStyle(element).overflow !== "visible"
    ).map((element) => element.outerHTML.slice(0, 80))

describe.skipIf(noTool)(`A printed record${needsTool}`, () => {
  test("Nothing is cut off, and everything that the patient wrote is there", async () => {
    const page = await open({ ...small, Observation: [...small["Observation"]!, ...results(3)] })
    const sheets = (await print(page)).join(" ")
    assert.deepStrictEqual(await page.evaluate(cut), [])
    assert.strictEqual(
      await page.locator("td").filter({ hasText: "Finding of bilirubin" }).first().innerText(),
      long
    )
    for (const word of ["to its end", "Ache 0", "Ache 6"]) assert.include(sheets, word)
  })

  test("Each sheet has name, birth date, who printed it and its number, and the cut is told before the table", async () => {
    const page = await open({ ...small, Observation: results(2_100) })
    const sheets = await print(page)
    assert.isAbove(sheets.length, 20)
    for (const [index, sheet] of sheets.entries()) {
      assert.include(sheet, "Grace Hopper, born Sep 10, 1947")
      assert.match(sheet, /Printed \w+ \d+, \d+, \d+:\d\d [AP]M by Dr\. Ada Gray; shared until/)
      assert.include(sheet, `Page ${index + 1} of ${sheets.length}`)
    }
    const words = "Only the first 2,000 of 2,116 items are printed here."
    const all = sheets.join(" ")
    assert.isAbove(all.indexOf(words), 0)
    assert.isBelow(all.indexOf(words), all.indexOf("Test 50 "))
  })

  test("Each sheet names the patient also if no item matches", async () => {
    const page = await open(small)
    await page.getByLabel("Search by name or value").fill("nothing of this")
    await page.getByText("No item matches this search.").waitFor()
    await page.emulateMedia({ media: "print" })
    for (const height of [4, 5, 6, 7]) {
      const sheets = await sheetsOf(page, height)
      assert.include(sheets.join(" "), "No item matches this search.")
      for (const sheet of sheets) assert.include(sheet, "Grace Hopper, born Sep 10, 1947", `${height}`)
    }
  })

  test("A print of some items says above the table and on each sheet which ones, and how many of all", async () => {
    const page = await open({ ...small, Observation: [...small["Observation"]!, ...results(60)] })
    await page.getByRole("button", { name: "Lab results 65" }).click()
    await page.getByLabel("Search by name or value").fill("test")
    await page.getByRole("columnheader", { name: "Item" }).getByRole("button").click()
    await page.getByText("60 of 82 items", { exact: true }).waitFor()
    const sheets = await print(page)
    const all = sheets.join(" ")
    const said = "Items Only: Lab results; search “test”. Sorted by name, A to Z. 60 of 82 items"
    assert.isAbove(all.indexOf(said), 0)
    assert.isBelow(all.indexOf(said), all.indexOf("Test 50 "))
    assert.notInclude(all, "All items")
    for (const sheet of sheets.slice(1)) assert.include(sheet, "Only: Lab results; search “test”.")
  })
})
