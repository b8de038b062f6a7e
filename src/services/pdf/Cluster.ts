import type { Typeface } from "./Typeface.ts"

/** Characters drawn together, such as a letter and its marks, or a ligature. Lengths are in 1/1000 of the font size. */
export interface Cluster {
  /** The text that a PDF viewer copies for the cluster. */
  readonly text: string
  readonly typeface: Typeface
  readonly glyphs: ReadonlyArray<Glyph>
  readonly advance: number
  /** An odd level runs from right to left (UAX #9, BD2). */
  readonly level: number
  /** The paragraph's level, which spaces at the end of a line take (UAX #9, L1). */
  readonly paragraphLevel: number
  /** Whether a line may end after the cluster. */
  readonly isBreak: boolean
}

/** A glyph at (x, y) from the start of its cluster. */
export interface Glyph {
  readonly id: number
  /** The glyph's number in four hex digits, as in PDF strings. */
  readonly code: string
  /** The distance from this glyph to the next one, unless the next one has an explicit position. */
  readonly width: number
  readonly x: number
  readonly y: number
}

/** The distance of each cluster from the line's left end (UAX #9, L1 and L2). */
export const offsetsOf = (line: ReadonlyArray<Cluster>): ReadonlyArray<number> => {
  const offsets = new Array<number>(line.length)
  let at = 0
  for (const index of visualOrder(line)) {
    offsets[index] = at
    at += line[index]!.advance
  }
  return offsets
}

const visualOrder = (line: ReadonlyArray<Cluster>): Iterable<number> => {
  const levels = line.map(({ level }) => level)
  const highest = levels.reduce((one, other) => Math.max(one, other), 0)
  if (highest === 0) return line.keys()
  for (let at = line.length - 1; at >= 0 && line[at]!.text === " "; at--) levels[at] = line[at]!.paragraphLevel
  let order = [...line.keys()]
  for (let level = highest; level > 0; level--) {
    order = stretches(order, (index) => levels[index]! >= level)
      .flatMap(([isAtLevel, indices]) => isAtLevel ? indices.reverse() : indices)
  }
  return order
}

/** Splits a list into groups of adjacent members for which `answer` returns the same. */
const stretches = <A, B>(list: ReadonlyArray<A>, answer: (member: A) => B): Array<[B, Array<A>]> => {
  const parts: Array<[B, Array<A>]> = []
  for (const member of list) {
    const last = parts.at(-1)
    const current = answer(member)
    if (last !== undefined && last[0] === current) last[1].push(member)
    else parts.push([current, [member]])
  }
  return parts
}
