import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { PDFDocument, StandardFonts } from "pdf-lib"
import { PdfFile } from "../src/services/pdf/PdfFile.ts"
import { PdfWriter } from "../src/services/pdf/PdfWriter.ts"
import { line, median } from "./Bench.ts"

const rounds = 5

const rows = Array.from({ length: 5_000 }, (_, n) => [
  ["2019-03-15 14:05"],
  [`Hemoglobin A1c, number ${n}`, "LOINC 4548-4"],
  [`${n}.00 %`, "Range 4.0 to 5.6"],
  ["Final"]
])

/** Tagged pages of a table beside the same texts drawn by bare pdf-lib; then the figures of a large release. */
export const benchPdf = async () => {
  const times: Array<{ readonly written: number; readonly bare: number }> = []
  let pages = 0
  for (let round = 0; round < rounds + 1; round++) {
    const started = performance.now()
    pages = await written()
    const between = performance.now()
    await bare(pages)
    // The first round is for the compiler.
    if (round > 0) times.push({ written: between - started, bare: performance.now() - between })
  }
  line(
    "pages of a table / bare pdf-lib",
    median(times.map(({ bare, written }) => written / bare)),
    "none set",
    `${(median(times.map(({ written }) => written)) / pages).toFixed(2)} ms a page, ` +
      `${(median(times.map(({ written }) => written)) / rows.length * 1000).toFixed(0)} ms per 1,000 rows`
  )
  const directory = await mkdtemp(join(tmpdir(), "vrss-pdf-"))
  const program = fileURLToPath(new URL("../test/services/pdf/large-file.ts", import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [program, directory, "40000", "100"])
  await rm(directory, { recursive: true })
  const large = JSON.parse(stdout) as Record<"pages" | "seconds" | "longestHold" | "before" | "peak", number>
  line(
    "resident set, two files of 3,000 pages, 100 MiB",
    large.peak - large.before,
    "flat",
    `${large.pages} pages in ${large.seconds.toFixed(1)} s, longest hold ${large.longestHold.toFixed(0)} ms, ` +
      `${large.before.toFixed(0)} MB before`
  )
}

/** Answers how many pages there are. */
const written = async () => {
  const frame = { header: "A header", footer: ["A footer"] }
  const file = new PdfFile(async () => undefined)
  const writer = new PdfWriter([frame])
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

/** Neither tags nor wraps, repeats no header, and knows no script but Latin. */
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
