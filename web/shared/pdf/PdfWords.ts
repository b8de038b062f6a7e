import { createContext, useContext } from "react"

/** The words around a document's pages. */
export const englishPdfWords = {
  opening: "Opening the pages",
  count: (pages: number) => pages === 1 ? "1 page" : `${pages} pages`,
  size: "Size of the pages",
  smaller: "Smaller",
  larger: "Larger",
  asText: "Show as text",
  pages: "Pages",
  page: (number: number, all: number) => `Page ${number} of ${all}`,
  pageFailed: "We can't show this page here.",
  more: "There are more pages. Download the file to see them.",
  contents: "Contents",
  goTo: "Go to page",
  search: "Search the document",
  previous: "Previous match",
  next: "Next match",
  searching: (read: number, all: number) => `Searching, ${read} of ${all} pages read`,
  none: "Not found in the document",
  noneInText: "Not found in the text.",
  unsearched: (pages: number, all: number) =>
    `Pages without text that we can read (such as pictures) were not searched: ${pages} of ${all}.`,
  found: (at: number, all: string, page: number) => `${at} of ${all}, on page ${page}`
}

export type PdfWords = typeof englishPdfWords

/** A page in another language provides its words. */
export const InOtherWords = createContext(englishPdfWords)

export const usePdfWords = () => useContext(InOtherWords)
