import type { Cell } from "../pdf/Table.ts"

/** A text of a cell. `shared` is how the head of the table tells it once, if it is the same in every row. */
export type Text = Cell[number] & { readonly shared?: string }

/** The texts of a row's cells. */
export type Texts = ReadonlyArray<ReadonlyArray<Text>>

export const isShared = ({ shared }: Text, all: ReadonlySet<string>): boolean => shared !== undefined && all.has(shared)

/** Learns from all rows of a table how to set it. Only what the rows share stays in memory. */
export class TableSurvey {
  /** What all rows so far share. */
  shared: ReadonlySet<string> = new Set()
  private readonly choices: ReadonlyArray<ReadonlyArray<number>>
  private readonly isSharing: boolean
  private first: Texts | undefined
  private readonly counts: Array<Set<number>> = []
  private readonly longest: Array<number> = []
  /** The letters of each column's longest text. */
  private readonly letters: Array<number> = []
  /** The estimated lines of all rows, for each choice of widths. */
  private readonly heights: Array<number>

  /** Takes the widths to choose from, as shares. A table that is `whole` keeps every text in its row. */
  constructor(choices: ReadonlyArray<ReadonlyArray<number>>, whole: boolean) {
    this.choices = choices
    this.isSharing = !whole
    this.heights = choices.map(() => 0)
  }

  add(row: Texts): void {
    if (this.isSharing) {
      const own = new Set(row.flat().flatMap(({ shared }) => shared ?? []))
      this.shared = this.first === undefined ? own : this.shared.intersection(own)
    }
    this.first ??= row
    row.forEach((texts, index) => {
      this.counts[index] = (this.counts[index] ?? new Set()).add(texts.length)
      this.longest[index] = Math.max(this.longest[index] ?? 0, ...texts.map(({ text }) => longestNumber(text)))
    })
    const left = row.map((texts) => texts.filter((text) => !isShared(text, this.shared)).map(({ text }) => text))
    left.forEach((texts, index) => {
      this.letters[index] = Math.max(this.letters[index] ?? 0, ...texts.map(({ length }) => length))
    })
    this.choices.forEach((widths, choice) => {
      this.heights[choice]! += Math.max(...left.map((texts, index) => linesOf(texts, widths[index]!)))
    })
  }

  /** Whether a column has no text besides what all rows share. */
  isEmpty(index: number): boolean {
    // The first row has what is shared. A row with equally many texts in the column has no others either.
    return this.counts[index]!.size === 1 && this.first![index]!.every((text) => isShared(text, this.shared))
  }

  /**
   * How two columns share the width if their texts are short enough to set two rows of the table side by side.
   * Returns undefined if they are not, or if there are not exactly two columns.
   */
  pairOf([one, other, more]: ReadonlyArray<number>): ReadonlyArray<number> | undefined {
    if (one === undefined || other === undefined || more !== undefined) return undefined
    const widths = [this.letters[one]! + gutter, this.letters[other]! + gutter]
    return widths[0]! + widths[1]! <= 45 ? widths : undefined
  }

  /** The shares of these columns that need the least paper. */
  widthsOf(shown: ReadonlyArray<number>): ReadonlyArray<number> {
    const best = this.choices[this.heights.indexOf(Math.min(...this.heights))]!
    const widths = shown.map((index) => best[index]!)
    shown.forEach((index, at) => {
      // A number is never broken over lines, unless it needs more than two thirds of the table.
      const part = Math.min(0.67, this.longest[index]! * digit + space)
      const others = widths.reduce((sum, width, other) => other === at ? sum : sum + width, 0)
      widths[at] = Math.max(widths[at]!, others * part / (1 - part))
    })
    return widths
  }
}

/** The space between columns, in letters of digits. */
const gutter = 2.5

/** A digit's part of the table's width, and that of the space between columns, rounded up. */
const [digit, space] = [0.0115, 0.03]

const longestNumber = (text: string) =>
  Math.max(0, ...(text.match(/[-+]?\d[\d.,]*(?:[eE][-+]?\d+)?/g) ?? []).map(({ length }) => length))

/** Estimates lines by an average of 95 letters in the whole width. Where a text is broken, a part of a word is lost. */
const linesOf = (texts: ReadonlyArray<string>, share: number) => {
  const room = share * 0.95 - gutter
  return texts.reduce((sum, { length }) => sum + (length <= room ? 1 : Math.ceil(length / (room - 3))), 0)
}
