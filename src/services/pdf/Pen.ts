import type { Glyph } from "./Cluster.ts"
import { textString } from "./Text.ts"
import type { Typeface } from "./Typeface.ts"

/** Writes the operators that show glyphs of one size on a line that starts at (x, y) (ISO 32000-1, 9.4). */
export class Pen {
  private readonly x: number
  private readonly y: number
  private readonly size: number
  private readonly written: Array<string> = []
  private face: Typeface | undefined
  /** Hex codes of adjacent glyphs, which are shown as one string. */
  private string = ""
  private end = NaN

  constructor(x: number, y: number, size: number) {
    this.x = x
    this.y = y
    this.size = size
  }

  use(face: Typeface): void {
    if (face === this.face) return
    this.write(`/${face.name} ${this.size} Tf`)
    this.face = face
  }

  /** Shows a glyph of a cluster. `offset` is the cluster's place on the line, in thousandths of the size. */
  show({ code, width, x, y }: Glyph, offset: number): void {
    const left = offset + x
    if (left !== this.end || y !== 0) {
      const scale = this.size / 1000
      this.write(`1 0 0 1 ${pdfNumber(this.x + left * scale)} ${pdfNumber(this.y + y * scale)} Tm`)
    }
    this.string += code
    this.end = y === 0 ? left + width : NaN
  }

  /** Viewers copy and read aloud `text` instead of the glyphs that `show` writes (ISO 32000-1, 14.9.4). */
  say(text: string, show: () => void): void {
    this.mark(`/Span <</ActualText ${textString(text)}>> BDC`, show)
  }

  mark(begin: string, show: () => void): void {
    this.write(begin)
    show()
    this.write("EMC")
  }

  operators(): string {
    this.write()
    return this.written.join("\n")
  }

  private write(...operators: ReadonlyArray<string>): void {
    if (this.string !== "") this.written.push(`<${this.string}> Tj`)
    this.string = ""
    this.end = NaN
    this.written.push(...operators)
  }
}

export const pdfNumber = (length: number) => String(Math.round(length * 100) / 100)
