import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs"
import { type PdfFile, threadTimeout, withTimeout } from "./PdfFile.ts"

export interface PageSize {
  readonly width: number
  readonly height: number
}

/** The most pixels of one picture, 4 bytes each. A larger page is drawn at a lower resolution. */
const maxPixels = 8_000_000

/** The longest side of a picture, in pixels. Every browser draws a picture of this size (Safari's limit is 16,384). */
const maxSide = 8_192

/** The greatest height of a page on the screen, as a multiple of its width. A longer page is drawn narrower, to fit. */
const maxRatio = 6

/** US Letter, for a page whose size is missing or useless. */
const letter: PageSize = { width: 612, height: 792 }

export const sizeOf = (page: PDFPageProxy): PageSize => {
  const { height, width } = page.getViewport({ scale: 1 })
  return width > 0 && height > 0 && Number.isFinite(width / height)
    ? { width, height: Math.min(height, width * maxRatio) }
    : letter
}

/** Draws a page into `sheet`. Returns a function that stops the drawing and frees the memory. */
export const draw = (
  file: PdfFile,
  number: number,
  width: number,
  sheet: HTMLElement,
  onSize: (size: PageSize) => void,
  onFailure: () => void
) => {
  const canvas = document.createElement("canvas")
  let awaited = true
  let stop = () => {}
  const start = async () => {
    const page = await file.page(number)
    if (!awaited) return
    const size = sizeOf(page)
    onSize(size)
    const { height: whole, width: points } = page.getViewport({ scale: 1 })
    const scale = scaleOf(width, points, whole)
    const viewport = page.getViewport({ scale })
    canvas.width = Math.max(1, Math.floor(viewport.width))
    canvas.height = Math.max(1, Math.floor(viewport.height))
    const task = page.render({ canvas, viewport, background: "#fff" })
    stop = () => {
      task.cancel()
      page.cleanup()
    }
    await withTimeout(threadTimeout, task.promise)
    if (awaited) sheet.append(canvas)
  }
  start().catch(() => awaited ? onFailure() : undefined)
  return () => {
    awaited = false
    stop()
    canvas.remove()
    // Setting the size to zero frees the memory immediately, before the canvas is collected.
    canvas.width = canvas.height = 0
  }
}

/** The scale at which a picture is as sharp as the screen, within the limits of one picture. */
const scaleOf = (width: number, points: number, height: number) => {
  const wanted = width * Math.min(devicePixelRatio, 3) / points
  return Math.min(wanted, maxSide / points, maxSide / height, Math.sqrt(maxPixels / (points * height)))
}
