import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs"

interface Entry {
  readonly depth: number
  readonly title: string
  readonly page: number
}

/** Reads a saved PDF outside the browser, so that a test can compare what the page shows of it. */
export const openFile = async (bytes: Uint8Array) => {
  const document = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  type Outline = Awaited<ReturnType<typeof document.getOutline>>

  const walk = async (outline: Outline, depth: number): Promise<ReadonlyArray<Entry>> => {
    const entries: Array<Entry> = []
    for (const { dest, items, title } of outline ?? []) {
      const [place] = (typeof dest === "string" ? await document.getDestination(dest) : dest)!
      entries.push({ depth, title, page: await document.getPageIndex(place) + 1 }, ...await walk(items, depth + 1))
    }
    return entries
  }

  const textOf = async (number: number) => {
    const { items } = await (await document.getPage(number)).getTextContent()
    return items.map((item) => "str" in item ? item.str + (item.hasEOL ? " " : "") : "").join("")
  }

  return {
    outline: async () => walk(await document.getOutline(), 1),
    /** The pages on which the words stand, a page once for each time. */
    pagesWith: async (words: string) => {
      const pages: Array<number> = []
      for (let number = 1; number <= document.numPages; number++) {
        const text = (await textOf(number)).replaceAll(/\s+/g, " ").toLowerCase()
        pages.push(...text.split(words.toLowerCase()).slice(1).map(() => number))
      }
      return pages
    }
  }
}
