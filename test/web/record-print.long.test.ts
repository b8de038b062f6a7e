import type { Page } from "playwright-core"
import { assert, describe, test } from "vitest"
import { openBrowser } from "./Browser.ts"
import { openPortal } from "./Portal.ts"
import { assertHeads, assertNotes, assertRows, long, sharePrinted, unbroken, writeNotes } from "./record/Printed.ts"
import { openWhole, type Shared } from "./record/Records.ts"
import { letter, sheetsOf } from "./Sheets.ts"

const { portal, service } = await openPortal()
const browser = await openBrowser()

const openShared = async (shared: Shared) => (await openWhole(browser, portal, shared)).page

/** More items than a print has. */
const large = await sharePrinted(service, 2_100)

const open = async (count: number) => openShared(await sharePrinted(service, count))

const print = async (page: Page) => {
  await page.emulateMedia({ media: "print" })
  await page.locator("thead .sheet-head").waitFor()
  return sheetsOf(await page.pdf(letter))
}

const search = (page: Page, query: string) => page.getByLabel("Search by name or value").fill(query)

/** The elements whose content does not fit, and those that clamp their lines, which still fits if they are short. */
const cut = () =>
  [...document.querySelectorAll<HTMLElement>("main *")]
    .filter((element) => element.checkVisibility() && !element.matches(".spoken"))
    .filter((element) => {
      const { display, overflow, webkitLineClamp } = getComputedStyle(element)
      // Chromium computes a box that clamps its lines as a flow root.
      if (webkitLineClamp !== "none" && /box|flow-root/.test(display)) return true
      if (element.clientHeight === 0 || (overflow === "visible" && !element.matches("td, th"))) return false
      return element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1
    })
    .map((element) => element.outerHTML.slice(0, 80))

describe("A printed record", () => {
  test("Nothing is cut off, and everything that the patient wrote is there", async () => {
    const page = await open(3)
    const sheets = (await print(page)).join(" ")
    assert.deepStrictEqual(await page.evaluate(cut), [])
    for (const value of [long, unbroken]) {
      assert.strictEqual(
        await page.locator("td").filter({ hasText: value.slice(0, 20) }).first().innerText(),
        value
      )
    }
    assertRows([sheets], 3)
    for (const word of ["Ache 0", "Ache 6"]) assert.include(sheets, word)
  })

  test("Each sheet has name, birth date, who printed it and its number, and the cut is told before the table", async () => {
    const page = await openShared(large)
    const sheets = await print(page)
    assert.isAbove(sheets.length, 20)
    assertHeads(sheets)
    for (const [index, sheet] of sheets.entries()) assert.include(sheet, `Page ${index + 1} of ${sheets.length}`)
    await assertBeforeRows(page, sheets, "Only the first 2,000 of 2,122 items are printed here.")
  })

  test("A search that keeps more rows than a print has is told before the first row, and so is the cut", async () => {
    const page = await openShared(large)
    await search(page, "test")
    await page.getByText("2,100 of 2,122 items", { exact: true }).waitFor()
    const sheets = await print(page)
    await assertBeforeRows(page, sheets, "Items Only: search “test”.")
    await assertBeforeRows(page, sheets, "2,100 of 2,122 items")
    await assertBeforeRows(page, sheets, "Only the first 2,000 of 2,100 items are printed here.")
  })

  test("Each sheet names the patient also if no item matches", async () => {
    const page = await open(0)
    await search(page, "nothing of this")
    await page.getByText("No item matches this search.").waitFor()
    await page.emulateMedia({ media: "print" })
    for (const height of [4, 5, 6, 7]) {
      const sheets = await sheetsOf(await page.pdf({ ...letter, height: `${height}in` }))
      assert.include(sheets.join(" "), "No item matches this search.")
      assertHeads(sheets)
    }
  })

  test("Each sheet of a patient's many notes and results has the head, and each note and row is whole", async () => {
    const shared = await sharePrinted(service, 150)
    await writeNotes(service, shared, 40)
    const sheets = await print(await openShared(shared))
    assert.isAbove(sheets.filter((sheet) => /Note \d+ ends\. Dr\. Ada Gray, /.test(sheet)).length, 2)
    assertHeads(sheets)
    assertNotes(sheets, 40)
    assertRows(sheets, 150)
  })

  test("A print of some items says above the table and on each sheet which ones, and how many of all", async () => {
    const page = await open(60)
    await page.getByRole("button", { name: "Lab results 65" }).click()
    await search(page, "test")
    await page.getByRole("columnheader", { name: "Item" }).getByRole("button").click()
    await page.getByText("60 of 82 items", { exact: true }).waitFor()
    const sheets = await print(page)
    const said = "Only: Lab results; search “test”."
    await assertBeforeRows(page, sheets, `Items ${said} Sorted by name, A to Z. 60 of 82 items`)
    assert.notInclude(sheets.join(" "), "All items")
    for (const sheet of sheets.slice(1)) assert.include(sheet, said)
  })

  test.each([
    ["kind", (page: Page) => page.getByRole("button", { name: "Lab results 65" }).click(), "Lab results", 65],
    ["search", (page: Page) => search(page, "test"), "search “test”", 60]
  ])(
    "A print of a %s alone names it above the table and on each sheet of the table",
    async (_, choose, words, count) => {
      const page = await open(60)
      await choose(page)
      await page.getByText(`${count} of 82 items`, { exact: true }).waitFor()
      const sheets = await print(page)
      await assertBeforeRows(page, sheets, `Items Only: ${words}. ${count} of 82 items`)
      assert.notInclude(sheets.join(" "), "All items")
      const tables = sheets.filter((sheet) => sheet.includes("Date Item Value Kind Status"))
      assert.isAbove(tables.length, 1)
      for (const sheet of tables) assert.include(sheet, `Only: ${words}.`)
    }
  )
})

/** Asserts that the sheets say the words before the table's first row, whose item the glance may name as well. */
const assertBeforeRows = async (page: Page, sheets: ReadonlyArray<string>, words: string) => {
  const all = sheets.join(" ")
  const [date, name] = await page.locator(".scroller tbody tr").first().locator("td, th").allInnerTexts()
  const first = all.indexOf(`${date} ${name} `)
  assert.isAbove(all.indexOf(words), 0, words)
  assert.isAbove(first, 0)
  assert.isBelow(all.indexOf(words), first)
}
