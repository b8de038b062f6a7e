import { readFileSync } from "node:fs"
import { categoryBit, readTable, toAdvice } from "./SensitiveTables.ts"
import { wordKey } from "./Words.ts"

/** A node of the tree of phrases, one level per word. */
export interface Branch {
  readonly next: Map<number, Branch>
  /** Number of words from the root to this node. */
  readonly words: number
  /** Categories of a phrase that ends here; those of `inCapitals` apply only if the word is in capitals. */
  found: number
  inCapitals: number
  isException: boolean
}

const branch = (words: number): Branch => ({ next: new Map(), words, found: 0, inCapitals: 0, isException: false })

export const phrasesText = readFileSync(new URL("./sensitive-phrases.tsv", import.meta.url), "utf8")

export const phrases = branch(0)

export const vocabulary = new Map<string, number>()

const numberOf = (word: string) => {
  const key = wordKey(word)
  const number = vocabulary.get(key) ?? vocabulary.size
  vocabulary.set(key, number)
  return number
}

for (const { cells: [category = "", match = "", phrase = ""], refuse } of readTable(phrasesText)) {
  const words = phrase.toLowerCase().split(" ")
  const bit = categoryBit(category)
  if (words.some((word) => !/^[a-z0-9]+$/.test(word)) || (bit === 0) !== (match === "except")) throw refuse()
  let end = phrases
  for (const word of words) {
    const number = numberOf(word)
    const next = end.next.get(number) ?? branch(end.words + 1)
    end.next.set(number, next)
    end = next
  }
  if (match === "words") end.found |= bit
  else if (match === "caps" && words.length === 1) end.inCapitals |= bit
  else if (match === "advice") end.found |= toAdvice(bit)
  else if (match === "except") end.isException = true
  else throw refuse()
}
