import { SensitiveCategory } from "../../domain/SensitiveCategory.ts"

/** Bit n of a mask stands for the n-th category. As many bits above are for categories found only in general advice. */
const categories = SensitiveCategory.literals

/** All categories, for an item that cannot be classified. */
export const everyCategory = (1 << categories.length) - 1

/** Returns 0 if the text is not a category. */
export const categoryBit = (category: string): number =>
  (1 << categories.findIndex((known) => known === category)) & everyCategory

export const toAdvice = (found: number): number => found << categories.length

/** Drops the bits of advice. */
export const withoutAdvice = (found: number): number => found & everyCategory

const subsets: ReadonlyArray<ReadonlyArray<SensitiveCategory>> = Array.from(
  { length: 1 << categories.length },
  (_, subset) => Object.freeze(categories.filter((_, bit) => (subset >> bit) & 1))
)

/** Lists the categories in their order, including those found only in advice. */
export const categoriesOf = (found: number): ReadonlyArray<SensitiveCategory> =>
  subsets[(found | found >> categories.length) & everyCategory]!

interface Line {
  readonly cells: ReadonlyArray<string>
  /** The error for an unreadable line. It stops the start, because a skipped line could leave items unprotected. */
  readonly refuse: () => Error
}

export const readTable = (text: string): ReadonlyArray<Line> =>
  text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).map((line) => ({
    cells: line.split("\t"),
    refuse: () => new Error(`a table of what is protected has a line that cannot be read: ${line}`)
  }))
