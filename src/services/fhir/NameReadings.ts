import { plainLetters } from "../../clinical/PlainLetters.ts"

/** A text as a search compares it: with its dashes ignored, and with them as spaces. `Smith-Jones` is found by both. */
export type NameReadings = readonly [ignored: string, spaced: string]

/**
 * A search for a text ignores case, accents, punctuation and repeated spaces (R4 search, 3.1.1.4.8).
 *
 * @returns undefined if nothing is left of the text
 */
export const readingsOf = (text: string): NameReadings | undefined => {
  const letters = plainLetters(text)
  const [ignored, spaced] = ["", " "].map((dash) =>
    letters.replaceAll(/\p{Pd}/gu, dash).replaceAll(/[\p{P}\p{Sk}]/gu, "").replaceAll(/\s+/g, " ").trim()
  )
  return ignored === "" ? undefined : [ignored!, spaced!]
}

/** Maximum number of words of a text at which a search may begin. Nobody's name has as many. */
const maxWords = 32

/** Yields the places where a wanted text may begin: the start, or the start of each word. */
export function* startsOf(reading: string, isEachWord: boolean): Generator<number, void> {
  yield 0
  let space = isEachWord ? reading.indexOf(" ") : -1
  for (let words = 1; space >= 0 && words < maxWords; words++) {
    yield space + 1
    space = reading.indexOf(" ", space + 1)
  }
}
