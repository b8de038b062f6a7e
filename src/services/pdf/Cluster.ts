import type { Typeface } from "./Typeface.ts"

/**
 * Characters that are drawn, and kept on one line, as one: a letter and its marks, a ligature, an Indic syllable. Lengths
 * are thousandths of the font's size.
 */
export interface Cluster {
  /** What whoever copies it gets. */
  readonly text: string
  readonly typeface: Typeface
  readonly glyphs: ReadonlyArray<Glyph>
  readonly advance: number
  /** It runs from right to left where this is odd (UAX #9, BD2). */
  readonly level: number
  /** The level of its paragraph, to which spaces at the end of a line return (UAX #9, L1). */
  readonly paragraphLevel: number
  /** A line may end after it. */
  readonly isBreak: boolean
}

/** It stands at (x, y) from where its cluster begins. */
export interface Glyph {
  readonly id: number
  /** Its number in four hex digits, as strings in a PDF have it. */
  readonly code: string
  /** So far the text goes on by itself after it. */
  readonly width: number
  readonly x: number
  readonly y: number
}

/** Tells how far from the line's left end each cluster stands (UAX #9, L1 and L2). */
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

/** Parts a list where the answer about its members changes. */
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
