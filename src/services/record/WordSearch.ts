import { type Branch, phrases, vocabulary } from "./SensitivePhrases.ts"
import { folded, ignoredMark, letterOf, markupMark, wordKey } from "./Words.ts"

const hashSize = 1 << 16

const hashOf = (word: string) => {
  let hash = 0
  for (let at = 0; at < word.length; at++) hash = hash * 31 + word.charCodeAt(at) & hashSize - 1
  return hash
}

/** Whether a word with this hash may begin a phrase. This rejects nearly all words of a record without copying them. */
const marks = new Uint8Array(hashSize)

let longestWord = 0

for (const [word, number] of vocabulary) {
  if (phrases.next.has(number)) marks[hashOf(word)] = 1
  // One letter more for a plural's s.
  longestWord = Math.max(longestWord, word.length + 1)
}

interface Match {
  readonly first: number
  readonly found: number
}

const pieceLength = 16_384

/**
 * Searches one text for all phrases at once. It reads each character once. It follows at most as many phrases at a time
 * as the longest phrase has words. It keeps at most one word of the text.
 */
export class WordSearch {
  /** Whether the text may contain a tag or an entity. */
  sawMarkup = false
  private found = 0
  private hash = 0
  /** The hash without the last letter, which may be a plural's s. */
  private shorter = 0
  private length = 0
  /** The letters of a word that continues in the next piece. */
  private begun = ""
  private words = 0
  private open: Array<Branch> = []
  /** Matches that a longer phrase may still cancel. */
  private waiting: Array<Match> = []

  /** Reads the next piece. A word may continue in the following piece, unless `isLast`. */
  feed(text: string, isLast = false): void {
    let hash = this.hash
    let shorter = this.shorter
    let length = this.length
    let start = 0
    let at = 0
    let code = 0
    for (; at < text.length; at++) {
      code = text.charCodeAt(at)
      if (code > 127) break
      const letter = letterOf[code]!
      if (letter > markupMark) {
        shorter = hash
        hash = hash * 31 + letter & hashSize - 1
        length++
      } else if (letter !== ignoredMark) {
        if (letter === markupMark) this.sawMarkup = true
        if (length > 0) {
          // Most words are in no phrase and follow none, so they are only counted.
          if (this.open.length > 0 || marks[hash]! + marks[shorter]! > 0) {
            this.endWord(this.lettersUntil(text, start, at), length)
          } else this.words++
          this.begun = ""
          hash = shorter = length = 0
        }
        start = at + 1
      }
    }
    this.hash = hash
    this.shorter = shorter
    this.length = length
    if (length > 0 && (!isLast || at < text.length || this.open.length > 0 || marks[hash]! + marks[shorter]! > 0)) {
      this.begun = this.lettersUntil(text, start, at)
    } else this.hash = this.shorter = this.length = 0
    if (at < text.length) this.feedFolded(text, at)
    if (isLast) this.endBegun()
  }

  /** Appends letters to the unfinished word, until it is one letter longer than any word of a phrase. */
  private lettersUntil(text: string, start: number, end: number): string {
    let letters = this.begun
    for (let at = start; at < end && letters.length <= longestWord; at++) {
      if (letterOf[text.charCodeAt(at)]! > markupMark) letters += text[at]
    }
    return letters
  }

  private endBegun(): void {
    if (this.length > 0) this.endWord(this.begun, this.length)
    this.hash = this.shorter = this.length = 0
    this.begun = ""
  }

  /** Ends the text and returns its categories. The next text may follow. */
  finish(): number {
    if (this.length > 0) this.endBegun()
    if (this.open.length > 0) this.open = []
    if (this.waiting.length > 0) this.settleBefore(Infinity)
    const found = this.found
    this.found = this.words = 0
    this.sawMarkup = false
    return found
  }

  /** Folds piece by piece, because folding makes several copies of its text. */
  private feedFolded(text: string, from: number) {
    let end = from
    for (let start = from; start < text.length; start = end) {
      end = Math.min(start + pieceLength, text.length)
      if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++
      this.feed(folded(text.slice(start, end)))
    }
  }

  private endWord(text: string, length: number) {
    this.words++
    const number = length > longestWord ? undefined : vocabulary.get(wordKey(text.toLowerCase()))
    const open: Array<Branch> = []
    if (number !== undefined) {
      let longest: Match | undefined
      this.open.push(phrases)
      for (const begun of this.open) {
        const next = begun.next.get(number)
        if (next === undefined) continue
        if (next.next.size > 0) open.push(next)
        const found = next.found | (next.inCapitals > 0 && text === text.toUpperCase() ? next.inCapitals : 0)
        // Open phrases are in the order of their beginnings, so the first one that ends here is the longest.
        if (longest === undefined && (found > 0 || next.isException)) {
          longest = { first: this.words - next.words, found }
        }
      }
      if (longest !== undefined) {
        const { first } = longest
        this.waiting = this.waiting.filter((match) => match.first < first)
        this.waiting.push(longest)
      }
    }
    this.open = open
    if (this.waiting.length > 0) this.settleBefore(this.words - (open[0]?.words ?? 0))
  }

  /**
   * Confirms the matches that begin before the word with this number. The caller ensures that no open phrase begins
   * before it. A phrase cancels only matches that begin at its first word or later, so none can cancel these any more.
   */
  private settleBefore(word: number) {
    while (this.waiting.length > 0 && this.waiting[0]!.first < word) this.found |= this.waiting.shift()!.found
  }
}
