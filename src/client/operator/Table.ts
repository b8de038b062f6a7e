/** A column's heading, and its text for an item. */
export type Columns<Item> = ReadonlyArray<readonly [heading: string, text: (item: Item) => string]>

/** A name could otherwise move the cursor or hide text, because terminals obey control characters. */
export const withoutControls = (text: string) => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "�")

const segments = new Intl.Segmenter()

const isWide =
  /^[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\p{Emoji_Presentation}]/u

const lettersOf = (text: string) => Array.from(segments.segment(text), ({ segment }) => segment)

const widthOf = (text: string) => lettersOf(text).reduce((sum, letter) => sum + (isWide.test(letter) ? 2 : 1), 0)

const cut = (text: string, width: number) => {
  if (widthOf(text) <= width) return text + " ".repeat(width - widthOf(text))
  let [kept, used] = ["", 0]
  for (const letter of lettersOf(text)) {
    used += isWide.test(letter) ? 2 : 1
    if (used >= width) break
    kept += letter
  }
  return `${kept}…${" ".repeat(Math.max(0, width - widthOf(kept) - 1))}`
}

const gap = "  "

/** The least width to which a column is cut, in letters. Ids are not cut: people copy them. */
const least = 6

const isId = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

/**
 * Lines of a table that is at most `width` letters wide, if its ids leave room. The widest columns are cut first. With
 * an undefined width, nothing is cut.
 */
export const tableOf = <Item>(
  columns: Columns<Item>,
  items: ReadonlyArray<Item>,
  width: number | undefined
): ReadonlyArray<string> => {
  const rows = [columns.map(([heading]) => heading),
    ...items.map((item) => columns.map(([, text]) => withoutControls(text(item))))]
  const widths = columns.map((_, column) => Math.max(...rows.map((row) => widthOf(row[column]!))))
  const isFixed = columns.map((_, column) => items.length > 0 && rows.slice(1).every((row) => isId.test(row[column]!)))
  const cuts = (over: number): void => {
    const widest = widths.reduce(
      (at, one, column) => !isFixed[column] && (at < 0 || one > widths[at]!) ? column : at,
      -1
    )
    if (over <= 0 || widest < 0 || widths[widest]! <= least) return
    widths[widest]!--
    cuts(over - 1)
  }
  if (width !== undefined) cuts(widths.reduce((sum, one) => sum + one, gap.length * (widths.length - 1)) - width)
  return rows.map((row) => row.map((text, column) => cut(text, widths[column]!)).join(gap).trimEnd())
}

/** Lines of one item: the heading of each column beside its text. */
export const linesOf = <Item>(columns: Columns<Item>, item: Item): ReadonlyArray<string> => {
  const longest = Math.max(...columns.map(([heading]) => heading.length))
  return columns.map(([heading, text]) => `${heading.padEnd(longest)}${gap}${withoutControls(text(item))}`)
}

/** A time to the minute, in UTC. */
export const momentOf = (instant: string | null | undefined) =>
  typeof instant === "string" ? `${instant.slice(0, 10)} ${instant.slice(11, 16)}Z` : ""
