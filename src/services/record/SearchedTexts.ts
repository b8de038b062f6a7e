import { searchText } from "./TextSearch.ts"

/** Texts of up to this many characters are kept. In a record, 98 of 100 texts stand there before. */
const longestKept = 256

const mostKept = 4_096

/** Finds categories by words, and searches a short text once, however often it comes. It is dropped with its sync. */
export class SearchedTexts {
  private readonly kept = new Map<string, number>()

  search(text: string): number {
    if (text.length > longestKept) return searchText(text)
    const known = this.kept.get(text)
    if (known !== undefined) return known
    const found = searchText(text)
    if (this.kept.size >= mostKept) this.kept.clear()
    this.kept.set(text, found)
    return found
  }
}
