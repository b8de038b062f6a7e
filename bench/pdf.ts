import { Effect } from "effect"
import { execFile } from "node:child_process"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { PDFDocument, StandardFonts } from "pdf-lib"
import type * as Files from "../src/services/pdf/PdfFile.ts"
import type * as Writers from "../src/services/pdf/PdfWriter.ts"
import { temporary } from "./Bench.ts"
import { alone, benchmark } from "./Figure.ts"

const rows = Array.from({ length: 5_000 }, (_, n) => [
  ["2019-03-15 14:05"],
  [`Hemoglobin A1c, number ${n}`, "LOINC 4548-4"],
  [`${n}.00 %`, "Range 4.0 to 5.6"],
  ["Final"]
])

/** Writes a table on tagged pages. For comparison, bare pdf-lib draws the same texts without tags. */
export const pdf = benchmark({
  rounds: 5,
  figures: {
    pages: { name: "tagged pages of a table of 5,000 rows", unit: "ms", floor: "bare pdf-lib" }
  },
  open: (tree) =>
    Effect.promise(async () => {
      const load = (module: string) => import(pathToFileURL(join(tree.path, "src/services/pdf", module)).href)
      const { PdfFile }: typeof Files = await load("PdfFile.ts")
      const { PdfWriter }: typeof Writers = await load("PdfWriter.ts")
      return async () => {
        const started = performance.now()
        const pages = await written(new PdfFile(async () => undefined), new PdfWriter([frame]))
        const between = performance.now()
        await bare(pages)
        return {
          pages: { ours: between - started, floor: performance.now() - between, detail: `${pages} pages` }
        }
      }
    })
})

/** The largest resident set of a process that writes two files of 3,000 pages with 100 MiB of attachments. */
export const largePdf = benchmark({
  rounds: 1,
  isCold: true,
  figures: {
    resident: { name: "resident set, two files of 3,000 pages", unit: "MB", floor: "before" }
  },
  open: Effect.fnUntraced(function*(tree) {
    const directory = yield* temporary("pdf")
    const program = join(tree.path, "test/services/pdf/large-file.ts")
    return async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [program, directory, "40000", "100"])
      const large = JSON.parse(stdout) as Record<"pages" | "seconds" | "longestHold" | "before" | "peak", number>
      const detail = `${large.pages} pages in ${large.seconds.toFixed(1)} s, longest hold ${
        large.longestHold.toFixed(0)
      } ms`
      return { resident: alone(large.peak, large.before, detail) }
    }
  })
})

const frame = { header: "A header", footer: ["A footer"] }

/** Writes the table, and returns the number of its pages. */
const written = async (file: Files.PdfFile, writer: Writers.PdfWriter) => {
  const part = await writer.part([{
    kind: "table",
    headers: ["Date", "What", "Value", "Status"],
    widths: [2, 4, 3, 2],
    rows: rows.map((cells) => cells.map((texts) => texts.map((text) => ({ text }))))
  }], [file])
  const metadata = {
    title: "T",
    author: "A",
    subject: "S",
    language: "en-US",
    createdAt: new Date(),
    id: Buffer.alloc(16)
  }
  await writer.finish(file, { parts: [part], frame, attachments: [], metadata })
  return part.pages.length
}

/**
 * Draws the same texts with bare pdf-lib. It writes no tags, wraps nothing, repeats no header, and supports only Latin
 * script.
 */
const bare = async (pages: number) => {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  const perPage = Math.ceil(rows.length / pages)
  for (let first = 0; first < rows.length; first += perPage) {
    const page = document.addPage([612, 792])
    rows.slice(first, first + perPage).forEach((cells, row) =>
      cells.forEach((texts, cell) =>
        texts.forEach((text, index) =>
          page.drawText(text, { x: 54 + 120 * cell, y: 740 - 30 * row - 14 * index, size: 10, font })
        )
      )
    )
  }
  await document.save()
}
