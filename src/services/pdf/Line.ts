import type { Fonts } from "./Fonts.ts"
import { pdfNumber } from "./Pen.ts"
import type { Style } from "./Style.ts"
import type { Tag, Tags } from "./Tags.ts"

/** Pieces of a line are side by side, and no page break separates them. Lengths are points of 1/72 inch. */
export interface Line {
  readonly height: number
  /** Free space above the line, except at the top of a page. */
  readonly gap: number
  /** Whether the line stays on one page with the following line. */
  readonly keep: boolean
  readonly pieces: ReadonlyArray<Piece>
  /** Lines to repeat above this one, as artifacts, if it is the first line of a page. */
  readonly again?: ReadonlyArray<Line>
  readonly bookmark?: { readonly level: 1 | 2; readonly title: string }
}

export interface Piece {
  /** The element that contains the piece; an artifact is in no element (ISO 32000-1, 14.8.2.2). */
  readonly tag: Tag | "artifact"
  /** Whether this is the last piece of its element. */
  readonly last?: boolean
  /** The table cell of the piece. Screen readers read all pieces of a cell before the next cell. */
  readonly cell?: Tag
  readonly draw: (top: number) => string
}

export interface Column {
  readonly fonts: Fonts
  readonly tags: Tags
  readonly left: number
  readonly width: number
}

/** Keeps the first two lines of a block on one page, and likewise the last two. */
export const staysTogether = (index: number, count: number): boolean =>
  (index === 0 && count > 1) || index === count - 2

/** Breaks a text into lines. Each line is a piece of the same element. */
export const column = (
  { fonts }: Column,
  tag: Piece["tag"],
  text: string,
  style: Style,
  left: number,
  width: number
): Array<Piece> =>
  fonts.wrap(text, style, width).map((line, index, lines) => {
    // A right-to-left text is aligned right if it takes several lines.
    const indent = lines.length > 1 && line[0]?.paragraphLevel === 1 ? width - fonts.width(line, style) : 0
    return {
      tag,
      last: index === lines.length - 1,
      draw: (top) => fonts.show(line, style, left + indent, top)
    }
  })

export const rule = (left: number, width: number, top: number, weight = 0.75): string =>
  `${weight} w 0.6 0.65 0.72 RG ${pdfNumber(left)} ${pdfNumber(top)} m ${pdfNumber(left + width)} ${
    pdfNumber(top)
  } l S\n`
