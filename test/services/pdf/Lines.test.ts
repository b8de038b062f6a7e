import { assert, describe, it } from "@effect/vitest"
import type { Block } from "../../../src/services/pdf/Lines.ts"
import { unbroken } from "./PdfTools.ts"
import { elementsOf, readStructure } from "./Structure.ts"
import { heading, lines, made, pagesOf, paragraph, sound, text } from "./Written.ts"

const entries = (...items: ReadonlyArray<ReadonlyArray<string>>): Block => ({
  kind: "entries",
  items: items.map((texts) => text(...texts))
})

describe("Blocks that stand on one page", () => {
  const fit = (...versions: ReadonlyArray<ReadonlyArray<Block>>): Block => ({ kind: "fit", versions })

  it("are the first version that fits, and nothing of another one", async () => {
    const version = (count: number) => [heading(2, `${count} lines`), lines(count, `of ${count}, line`)]
    const pdf = await made([[heading(1, "One"), lines(20), fit(...[60, 50, 30, 10].map(version)), heading(2, "After")]])
    await sound(pdf)
    const pages = await pagesOf(pdf)
    assert.lengthOf(pages, 2)
    assert.notMatch(pages[0]!, /of \d+, line/)
    assert.lengthOf(pages[1]!.match(/of 30, line \d+/g)!, 30)
    assert.notMatch(pages.join(), /of (60|50|10), line/)
  })

  it("are the last version where none fits, over as many pages as it needs", async () => {
    const pdf = await made([[fit([lines(100, "first")], [fit([lines(90, "second")], [lines(80, "third")])])]])
    await sound(pdf)
    const pages = await pagesOf(pdf)
    assert.lengthOf(pages, 2)
    assert.lengthOf(pages.join().match(/third \d+/g)!, 80)
    assert.notMatch(pages.join(), /first|second/)
  })
})

describe("Columns of blocks", () => {
  it("stand beside each other and are read one after the other", async () => {
    const pdf = await made([[
      heading(1, "One"),
      lines(38),
      {
        kind: "columns",
        columns: [
          [heading(2, "Left"), entries(["a long title ".repeat(8).trim(), "below it"], ["short", "beside"])],
          [heading(2, "Right"), paragraph("r1"), entries(["r2"], ["r3"])]
        ]
      },
      paragraph("under both")
    ]])
    await sound(pdf)
    const pages = await pagesOf(pdf, "-raw")
    const read = `Left ${"a long title ".repeat(8)}below it short beside Right r1 r2 r3 under both`
    assert.include(unbroken(pages.at(-1)!), read)
    const { document } = await readStructure(pdf)
    assert.deepStrictEqual(elementsOf(document, "L").map(({ kids }) => kids.map(({ type }) => type)), [
      ["LI", "LI"],
      ["LI", "LI"]
    ])
    const [first, second] = (await pagesOf(pdf, "-layout")).at(-1)!.split("\n").filter((line) =>
      /Left|short/.test(line)
    )
    assert.match(first!, /Left +Right/)
    assert.match(second!, /short +beside/)
  })
})
