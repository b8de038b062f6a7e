import { PDFDocument, PDFName } from "pdf-lib"
import { type Block, type Line, Lines, type Piece, styles } from "./Lines.ts"
import { addDeflated } from "./Stream.ts"
import type { Tag } from "./Tags.ts"

export interface PageContent {
  /** Each part begins on a page of its own. */
  readonly parts: ReadonlyArray<ReadonlyArray<Block>>
  /** It stands above the text, from the second page on. */
  readonly header: string
  /** It stands below the text of each page, beside "Page N of M". */
  readonly footer: ReadonlyArray<string>
}

/** The paper is US Letter, in points of 1/72 inch. */
const page = { width: 612, height: 792 }

const margin = { side: 54, edge: 36 }

const column = page.width - 2 * margin.side

const pageNumberWidth = 120

/** Lets blocks flow over the pages of a tagged document (ISO 32000-1, 14.8). It draws whatever text it is given. */
export const layOutPages = async ({ footer, header, parts }: PageContent): Promise<PDFDocument> => {
  const document = await PDFDocument.create({ updateMetadata: false })
  const { catalog, context } = document
  const lines = new Lines(context, margin.side, column)

  const running = (text: string, width: number) => lines.wrap(text, styles.label, width)
  const headerLines = running(header, column)
  const footerLines = footer.flatMap((text, index) => running(text, column - (index === 0 ? pageNumberWidth : 0)))
  const bodyTop = page.height - margin.edge - headerLines.length * styles.label.leading - 8
  const footerTop = margin.edge + footerLines.length * styles.label.leading
  const pages = parts.flatMap((blocks) => flow(blocks.flatMap((block) => lines.of(block)), bodyTop, footerTop + 12))

  const resources = context.nextRef()
  pages.forEach((pieces, index) => {
    const artifacts: Array<string> = []
    const contents = new Map<Tag, string>()
    for (const { draw, tag, top } of pieces) {
      if (tag === "artifact") artifacts.push(draw(top))
      else contents.set(tag, (contents.get(tag) ?? "") + draw(top))
    }
    const stamp = (line: ReturnType<typeof running>[number], row: number, top: number, x: number = margin.side) =>
      lines.show(line, styles.label, x)(top - row * styles.label.leading)
    const number = running(`Page ${index + 1} of ${pages.length}`, pageNumberWidth)[0]!
    const numberWidth = number.reduce((sum, { advance }) => sum + advance, 0) * styles.label.size / 1000
    const stream = [
      "/Artifact BMC\n",
      ...artifacts,
      "EMC\n/Artifact <</Type /Pagination /Subtype /Footer>> BDC\n",
      lines.rule().draw(footerTop + 4),
      ...footerLines.map((line, row) => stamp(line, row, footerTop)),
      stamp(number, 0, footerTop, page.width - margin.side - numberWidth),
      "EMC\n/Artifact <</Type /Pagination /Subtype /Header>> BDC\n",
      ...index === 0 ? [] : headerLines.map((line, row) => stamp(line, row, page.height - margin.edge)),
      "EMC\n",
      ...[...contents].map(([{ type }, operators], mcid) => `/${type} <</MCID ${mcid}>> BDC\n${operators}EMC\n`)
    ].join("")
    const { node, ref } = document.addPage([page.width, page.height])
    node.set(PDFName.of("Contents"), addDeflated(context, stream))
    node.set(PDFName.of("Resources"), resources)
    lines.tags.mark(node, ref, [...contents.keys()])
  })

  context.assign(
    resources,
    context.obj({
      Font: lines.fonts.embed(context),
      XObject: Object.fromEntries(lines.pictures.map((ref, index) => [`P${index}`, ref]))
    })
  )
  lines.tags.write(catalog)
  return document
}

type Placed = Piece & { readonly top: number }

/** Fills pages with lines, from `top` down to `bottom`. */
const flow = (lines: ReadonlyArray<Line>, top: number, bottom: number): ReadonlyArray<ReadonlyArray<Placed>> => {
  const pages: Array<Array<Placed>> = [[]]
  let at = top
  lines.forEach((line, index) => {
    const gap = at === top ? 0 : line.gap
    const joined = lines[index - 1]?.keep === true
    const needed = joined ? line.height : heightTogether(lines, index)
    if (at - gap - Math.min(needed, top - bottom) < bottom && at !== top) {
      pages.push([])
      at = top
    } else at -= gap
    pages.at(-1)!.push(...line.pieces.map((piece) => ({ ...piece, top: at })))
    at -= line.height
  })
  return pages
}

/** Adds up a line and those that it keeps with it. */
const heightTogether = (lines: ReadonlyArray<Line>, index: number): number => {
  const { height, keep } = lines[index]!
  const next = lines[index + 1]
  return keep && next !== undefined ? height + next.gap + heightTogether(lines, index + 1) : height
}
