import { assert, describe, it } from "@effect/vitest"
import { ask, unbroken } from "./PdfTools.ts"
import { elementsOf, readStructure } from "./Structure.ts"
import { heading, made, pagesOf, sound, text } from "./Written.ts"

describe("Tables", () => {
  const rows = Array.from({ length: 120 }, (_, n) => [
    text(`2019-03-${String(n % 28 + 1).padStart(2, "0")}`),
    [{ text: `Substance number ${n} with a name that takes two lines`, bold: true }, { text: `LOINC ${n}-0` }],
    text(`${n}.00 mg/dL`, "Reference range 1.0 to 2.0"),
    n % 3 === 0 ? [] : text("Final")
  ])
  const table = { kind: "table", headers: ["Date", "What", "Value", "Status"], widths: [2, 4, 4, 1], rows } as const

  it("repeat their headers on each page, but are one table with one row of headers to a screen reader", async () => {
    const pdf = await made([[heading(1, "Record"), table]])
    await sound(pdf)
    const pages = await pagesOf(pdf)
    assert.isAbove(pages.length, 8)
    for (const page of pages) for (const header of table.headers) assert.include(page.split("\n"), header)
    const { document } = await readStructure(pdf)
    const [only, ...others] = elementsOf(document, "Table")
    assert.isEmpty(others)
    assert.lengthOf(only!.kids, 121)
    assert.deepStrictEqual(only!.kids[0]!.kids.map(({ scope }) => scope), Array(4).fill("/Column"))
    assert.lengthOf(elementsOf(document, "TH"), 4)
    const heard = await ask(pdf, "pdfinfo", "-struct-text")
    assert.lengthOf(heard.match(/"Date"/g)!, 1)
    assert.match(heard, /"Substance number 119 with a name that takes two lines ?"\n +P \(block\)\n +"LOINC 119-0"/)
  })

  it("say on each further page what they are of, and hear it once", async () => {
    const named = { ...table, title: "Sodium", caption: "In all 120 rows: Final" }
    const long = { ...named, title: "Long", caption: "word ".repeat(90) }
    const pdf = await made([[heading(1, "Record"), heading(2, "Sodium"), named, heading(2, "Long"), long]])
    await sound(pdf)
    const pages = await pagesOf(pdf)
    const sodium = pages.slice(1, pages.findIndex((page) => page.includes("\nLong\n")))
    assert.isAbove(sodium.length, 3)
    for (const page of sodium) assert.match(page, /Sodium, continued\n+In all 120 rows: Final\n/)
    // A long caption would fill the pages, so it stands on the first one alone.
    assert.match(pages.at(-1)!, /Long, continued/)
    assert.notMatch(pages.at(-1)!, /word word/)
    const { document } = await readStructure(pdf)
    assert.deepStrictEqual(elementsOf(document, "Table").map(({ kids }) => kids.slice(0, 3).map(({ type }) => type)), [
      ["TR", "TR", "TR"],
      ["TR", "TR", "TR"]
    ])
    const heard = await ask(pdf, "pdfinfo", "-struct-text")
    assert.notInclude(heard, "continued")
    assert.lengthOf(heard.match(/In all 120 rows/g)!, 1)
  })

  it("read a cell as one and in order, though other cells stand beside its lines", async () => {
    const pdf = await made([[table]])
    const expected = rows.map((cells) => cells.map((cell) => cell.map(({ text }) => text).join(" ")).join(" ").trim())
    const raw = unbroken((await pagesOf(pdf, "-raw")).join(" "))
    const plain = unbroken((await pagesOf(pdf)).join(" "))
    for (const [n, row] of expected.entries()) {
      assert.include(raw, row)
      for (const cell of rows[n]!) assert.include(plain, unbroken(cell.map(({ text }) => text).join(" ")))
      if (n > 0) assert.isAbove(raw.indexOf(row), raw.indexOf(expected[n - 1]!))
    }
  })

  it("keep a row on one page, and divide only rows of more than ten lines", async () => {
    const tall = Array.from({ length: 200 }, (_, n) => `tall ${n}`).join("\n")
    const longer = rows.map(([date = [], what = [], value = [], status = []]) => [
      date,
      [...what, ...text("first of seven", "second", "third", "fourth")],
      value,
      status
    ])
    const pdf = await made([[{
      ...table,
      rows: [...longer, [text("x"), text(tall), text("y"), text("z")], ...longer]
    }]])
    await sound(pdf)
    const pages = await pagesOf(pdf, "-raw")
    for (const n of rows.keys()) {
      const holding = pages.filter((page) => unbroken(page).includes(`Substance number ${n} with a name`))
      assert.isAtLeast(holding.length, 1)
      assert.isTrue(
        holding.every((page) =>
          unbroken(page).includes(`LOINC ${n}-0 first of seven second third fourth ${n}.00 mg/dL Reference range`)
        ),
        String(n)
      )
    }
    const parted = pages.map((page) => page.match(/tall \d+/g)?.length ?? 0).filter((count) => count > 0)
    assert.isAbove(parted.length, 4)
    assert.isAtLeast(Math.min(...parted), 2)
    assert.strictEqual(parted.reduce((sum, count) => sum + count), 200)
  })

  it("accept rows of empty cells, no rows, and rows that arrive one by one", async () => {
    const coming = async function*() {
      for (const row of rows.slice(0, 50)) {
        await Promise.resolve()
        yield row
      }
    }
    const [column, widths] = [["A", "B"], [1, 1]]
    const pdf = await made([[
      { kind: "table", headers: column, widths, rows: [] },
      { kind: "table", headers: column, widths, rows: [[[], []], [text(""), []]] },
      { ...table, rows: coming() }
    ]])
    await sound(pdf)
    assert.deepStrictEqual(
      elementsOf((await readStructure(pdf)).document, "Table").map(({ kids }) => kids.length),
      [1, 3, 51]
    )
    assert.include(unbroken((await pagesOf(pdf, "-raw")).join(" ")), "49.00 mg/dL")
  })

  it("have letters of at least ten points", async () => {
    const boxes = await ask(await made([[table]]), "pdftotext", "-bbox")
    const heights = [...boxes.matchAll(/yMin="(.+?)".*?yMax="(.+?)"/g)].map(([, top, bottom]) =>
      Number(bottom) - Number(top)
    )
    assert.isAtLeast(Math.min(...heights), 10 * 1.36)
  })
})
