import { assert, describe, it } from "@effect/vitest"
import { inflateSync } from "node:zlib"
import { PdfWriter } from "../../../src/services/pdf/PdfWriter.ts"
import { frame, heading, lines, metadata, open } from "./Written.ts"

describe("The cross-references of a file", () => {
  it("name the byte at which each object begins, and only objects that the file has", async () => {
    const [one, other] = [open(), open()]
    const writer = new PdfWriter([frame])
    const hidden = await writer.part([lines(300)], [other.file])
    const part = await writer.part([heading(1, "Title"), lines(300)], [one.file, other.file])
    await writer.finish(one.file, { parts: [part], frame, attachments: [], metadata })
    await writer.finish(other.file, { parts: [hidden, part], frame, attachments: [], metadata })
    for (const { bytes } of [one, other]) {
      const pdf = bytes()
      const at = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(pdf.toString("latin1"))![1])
      const dictionary = pdf.toString("latin1", at, pdf.indexOf("stream\n", at))
      const sections = /\/Index\[([\d ]+)\]/.exec(dictionary)![1]!.split(" ").map(Number)
      const rows = inflateSync(pdf.subarray(pdf.indexOf("stream\n", at) + 7))
      const entered = new Map<number, readonly [type: number, where: number]>()
      for (let section = 0, row = 0; section < sections.length; section += 2) {
        for (let n = 0; n < sections[section + 1]!; n++, row += 7) {
          entered.set(sections[section]! + n, [rows[row]!, rows.readUInt32BE(row + 1)])
        }
      }
      const placed = [...entered].filter(([, [type]]) => type === 1)
      for (const [number, [, where]] of placed) {
        assert.isTrue(pdf.toString("latin1", where, where + 20).startsWith(`${number} 0 obj\n`))
      }
      assert.lengthOf(pdf.toString("latin1").match(/^\d+ 0 obj$/gm)!, placed.length)
      assert.deepStrictEqual([...entered].filter(([, [type]]) => type === 0).map(([number]) => number), [0])
      const compressed = [...pdf.toString("latin1").matchAll(/<<\/Type\/ObjStm\/N (\d+)/g)].map(([, count]) =>
        Number(count)
      )
      assert.strictEqual(entered.size - placed.length - 1, compressed.reduce((sum, count) => sum + count))
      assert.include(dictionary, `/Size ${Math.max(...entered.keys()) + 1}/`)
    }
  })
})
