import { folded } from "../record/Folded.ts"
import { type PageText, plainText } from "./PageText.ts"
import type { PdfFile } from "./PdfFile.ts"

/** A place where the words were found. */
export interface Match {
  readonly page: number
  /** The words with what stands around them. */
  readonly around: string
}

/** The fewest letters that are searched. One letter is on every page. */
export const fewestLetters = 2

/** The most matches that are kept. */
const maxMatches = 5_000

/** Characters of the text on each side of a match. */
const beside = 40

/** Finds the words in one page, without regard to case, accents and line ends. */
export const matchesIn = (text: PageText, query: string): ReadonlyArray<string> => {
  const plain = inOneLine(plainText(text))
  const whole = folded(plain)
  // If folding changes the length, places in the two texts differ. The folded words are then shown.
  const shown = whole.length === plain.length ? plain : whole
  const wanted = inOneLine(folded(query)).trim()
  const found: Array<string> = []
  if (wanted.length < fewestLetters) return found
  for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + wanted.length)) {
    found.push(shown.slice(Math.max(0, at - beside), at + wanted.length + beside).trim())
  }
  return found
}

const inOneLine = (text: string) => text.replaceAll(/\s+/g, " ")

/** What a search has found so far. */
export interface Found {
  readonly matches: ReadonlyArray<Match>
  /** Pages that the search has passed. */
  readonly read: number
  /** How many of them it could not search whole: pictures, and pages that cannot be read or are too long. */
  readonly unsearched: number
}

/** Searches one page after another, and tells what it has found so far. */
export const search = async (
  file: PdfFile,
  query: string,
  tell: (found: Found) => void,
  signal: AbortSignal
) => {
  const matches: Array<Match> = []
  let unsearched = 0
  for (let page = 1; page <= file.pages; page++) {
    const text = await file.text(page).catch(() => undefined)
    if (signal.aborted) return
    if (text === undefined || text.isCut || plainText(text).trim() === "") unsearched++
    const found = text === undefined ? [] : matchesIn(text, query)
    matches.push(...found.slice(0, maxMatches - matches.length).map((around) => ({ page, around })))
    if (found.length > 0 || page === file.pages || page % 10 === 0) {
      tell({ matches: [...matches], read: page, unsearched })
    }
  }
}
