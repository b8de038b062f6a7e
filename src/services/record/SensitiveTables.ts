import { SensitiveCategory } from "../../domain/SensitiveCategory.ts"

/**
 * While a resource is read, a set of categories is a number: bit n stands for the n-th category, and the bits above them
 * for categories of which only general advice tells.
 */
const categories = SensitiveCategory.literals

/** In doubt, an item belongs to all. */
export const everyCategory = (1 << categories.length) - 1

/** Answers 0 for what is no category. */
export const categoryBit = (category: string): number =>
  (1 << categories.findIndex((known) => known === category)) & everyCategory

export const toAdvice = (found: number): number => found << categories.length

/** Leaves advice out. */
export const withoutAdvice = (found: number): number => found & everyCategory

const subsets: ReadonlyArray<ReadonlyArray<SensitiveCategory>> = Array.from(
  { length: 1 << categories.length },
  (_, subset) => Object.freeze(categories.filter((_, bit) => (subset >> bit) & 1))
)

/** Answers the categories in their order, those of advice among them. */
export const categoriesOf = (found: number): ReadonlyArray<SensitiveCategory> =>
  subsets[(found | found >> categories.length) & everyCategory]!

interface Line {
  readonly cells: ReadonlyArray<string>
  /** Makes the error of a line that cannot be read: it would leave something protected open, so it stops the start. */
  readonly refuse: () => Error
}

export const readTable = (text: string): ReadonlyArray<Line> =>
  text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).map((line) => ({
    cells: line.split("\t"),
    refuse: () => new Error(`a table of what is protected has a line that cannot be read: ${line}`)
  }))
