import type { Fonts } from "./Fonts.ts"
import { fixed } from "./Pen.ts"
import type { Style } from "./Style.ts"
import type { Tag, Tags } from "./Tags.ts"

/** A line's pieces stand side by side, and no page break parts them. Lengths are points of 1/72 inch. */
export interface Line {
  readonly height: number
  /** So much is left free above it, except at the top of a page. */
  readonly gap: number
  /** It stays on one page with the line that follows. */
  readonly keep: boolean
  readonly pieces: ReadonlyArray<Piece>
  /** These stand above it where it begins a page. They are artifacts. */
  readonly again?: ReadonlyArray<Line>
  readonly bookmark?: { readonly level: 1 | 2; readonly title: string }
}

export interface Piece {
  /** It belongs to this element; an artifact belongs to none (ISO 32000-1, 14.8.2.2). */
  readonly tag: Tag | "artifact"
  /** Nothing of its element follows. */
  readonly last?: boolean
  /** It is read with the other pieces of this cell before any of the cell beside it. */
  readonly cell?: Tag
  readonly draw: (top: number) => string
}

/** Where lines are set, and what in. */
export interface Column {
  readonly fonts: Fonts
  readonly tags: Tags
  readonly left: number
  readonly width: number
}

/** Neither the first nor the last line of several stands alone on a page. */
export const together = (index: number, count: number): boolean => (index === 0 && count > 1) || index === count - 2

/** Sets a text's lines in a style, each a piece of the same element. */
export const column = (
  { fonts }: Column,
  tag: Tag,
  text: string,
  style: Style,
  left: number,
  width: number
): Array<Piece> =>
  fonts.wrap(text, style, width).map((line, index, lines) => {
    // Several lines from right to left begin at the right.
    const indent = lines.length > 1 && line[0]?.paragraphLevel === 1 ? width - fonts.width(line, style) : 0
    return {
      tag,
      last: index === lines.length - 1,
      draw: (top) => fonts.show(line, style, left + indent, top)
    }
  })

/** Draws a line from side to side. */
export const rule = (left: number, width: number, top: number, weight = 0.75): string =>
  `${weight} w 0.6 0.65 0.72 RG ${fixed(left)} ${fixed(top)} m ${fixed(left + width)} ${fixed(top)} l S\n`
