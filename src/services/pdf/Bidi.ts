import factory, { type Bidi } from "bidi-js"

/** Node's default import is already the factory, although the package's types declare an object that contains it. */
const bidi = (factory as unknown as () => Bidi)()

/** The right-to-left scripts that the fonts cover. Other text needs no bidirectional algorithm. */
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/u

export interface Levels {
  /** One level for each UTF-16 code unit. */
  readonly levels: ArrayLike<number>
  readonly paragraph: number
}

/** Finds the embedding levels of a paragraph, whose direction is that of its first strong character (UAX #9). */
export const levelsOf = (text: string): Levels => {
  if (!rightToLeft.test(text)) return { levels: new Uint8Array(text.length), paragraph: 0 }
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text)
  const paragraph = paragraphs[0]!.level
  return { levels: paragraph === 0 ? withNumbersInOrder(text) : levels, paragraph }
}

const mark = "\u200e"

/**
 * A number after a right-to-left name would move to the name's other side, and a date would read backwards:
 * `01-05-2024`. To prevent both, the levels are computed with a mark after the name (UAX #9, HL3), unless more
 * right-to-left text follows. The drawn text does not contain the mark.
 */
const withNumbersInOrder = (text: string): ArrayLike<number> => {
  const marked = text.replace(
    /(\p{L}\p{M}*)(\P{L}*)(?=(\p{L})?)/gu,
    (all, letter, between, next) =>
      rightToLeft.test(letter) && /\p{N}/u.test(between) && !rightToLeft.test(next ?? "")
        ? `${letter}${mark}${between}`
        : all
  )
  return bidi.getEmbeddingLevels(marked).levels.filter((_, index) => marked[index] !== mark)
}
