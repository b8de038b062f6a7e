import factory, { type Bidi } from "bidi-js"

/** Its types are those of a module with a default export, which it is not in Node. */
const bidi = (factory as unknown as () => Bidi)()

/** The fonts have no other scripts from right to left. Text without them needs no bidirectional algorithm. */
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/u

export interface Levels {
  /** One for each UTF-16 code unit. */
  readonly levels: ArrayLike<number>
  readonly paragraph: number
}

/** Finds the embedding levels of a paragraph; its first strong character tells its own (UAX #9). */
export const levelsOf = (text: string): Levels => {
  if (!rightToLeft.test(text)) return { levels: new Uint8Array(text.length), paragraph: 0 }
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text)
  const paragraph = paragraphs[0]!.level
  return { levels: paragraph === 0 ? withNumbersInOrder(text) : levels, paragraph }
}

const mark = "\u200e"

/**
 * A number behind a name from right to left would stand on the name's other side, and a date backwards, `01-05-2024`. So
 * where English goes on, the text is taken as if a mark ended the name (UAX #9, HL3). No mark comes from outside.
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
