import { PNG } from "pngjs"
import { onPaper } from "../../../src/services/pdf/Picture.ts"
import { type CopyContent, rendered } from "../pdf/Pdf.ts"
import { ask, unbroken } from "../pdf/PdfTools.ts"

/** When the categories of a release were accepted. */
export const acceptedAt = new Date("2026-11-21T17:04:00Z")

/** Returns the text of one copy of a release as its reader sees it. */
export const textOf = async (content: CopyContent) =>
  unbroken(await ask(await rendered(content), "pdftotext", "-layout"))

/** A stroke of ink on a transparent ground. */
export const drawing = (() => {
  const png = new PNG({ width: 300, height: 100 })
  for (let x = 0; x < 300; x++) png.data.set([0, 0, 120, 255], 4 * (300 * (20 + Math.floor(x / 5)) + x))
  return onPaper(png)
})()
