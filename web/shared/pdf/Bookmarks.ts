import type { PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs"

/** An entry of the contents (ISO 32000-1, 12.3.3). */
export interface Bookmark {
  readonly title: string
  readonly page: number
  readonly inner: ReadonlyArray<Bookmark>
}

/** The most bookmarks of a file, and how deep they may nest. No reader needs more. */
const mostBookmarks = 2_000
const deepest = 4

type Outline = Awaited<ReturnType<PDFDocumentProxy["getOutline"]>>

/** Reads the bookmarks that lead to a page of the file. Bookmarks to other places are left out. */
export const bookmarksOf = async (document: PDFDocumentProxy): Promise<ReadonlyArray<Bookmark>> => {
  let left = mostBookmarks
  const walk = async (outline: Outline, depth: number): Promise<ReadonlyArray<Bookmark>> => {
    const found: Array<Bookmark> = []
    for (const { dest, items, title } of depth > deepest ? [] : outline ?? []) {
      if (left-- <= 0) break
      const page = await pageOf(document, dest).catch(() => undefined)
      const inner = await walk(items, depth + 1)
      if (page === undefined) found.push(...inner)
      else found.push({ title: title.trim(), page, inner })
    }
    return found
  }
  return walk(await document.getOutline(), 1)
}

/** The number of the page that a destination names (12.3.2). */
const pageOf = async (document: PDFDocumentProxy, destination: string | ReadonlyArray<unknown> | null) => {
  const [place] = (typeof destination === "string" ? await document.getDestination(destination) : destination) ?? []
  const index = typeof place === "number"
    ? place
    : await document.getPageIndex(place as Parameters<PDFDocumentProxy["getPageIndex"]>[0])
  return index >= 0 && index < document.numPages ? index + 1 : undefined
}
