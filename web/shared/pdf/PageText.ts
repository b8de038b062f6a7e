import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs"

/** The text of a page in reading order, for screen readers and for people who prefer text. */
export interface PageText {
  /** A language tag, if the file has one. */
  readonly lang: string | undefined
  readonly blocks: ReadonlyArray<TextBlock>
  /** True if the page has more text than `longest`. The rest is missing here. */
  readonly isCut: boolean
}

export type TextBlock =
  | { readonly is: "heading"; readonly level: number; readonly text: string }
  | { readonly is: "paragraph"; readonly text: string }
  | { readonly is: "list"; readonly items: ReadonlyArray<string> }
  | { readonly is: "table"; readonly rows: ReadonlyArray<ReadonlyArray<Cell>> }

export interface Cell {
  readonly text: string
  readonly isHeader: boolean
}

/** All words of a page, in order. */
export const plainText = ({ blocks }: PageText): string => blocks.map(wordsOf).join("\n")

const wordsOf = (block: TextBlock): string => {
  switch (block.is) {
    case "list":
      return block.items.join("\n")
    case "table":
      return block.rows.map((cells) => cells.map(({ text }) => text).join(" ")).join("\n")
    default:
      return block.text
  }
}

/** The structure of a tagged page (ISO 32000-1, 14.7), as pdf.js returns it. */
interface Node {
  readonly role: string
  readonly alt?: string
  readonly children: ReadonlyArray<Node | { readonly type: string; readonly id: string }>
}

/** The most characters of a page's text. No page that a person reads has more. */
const longest = 100_000

/** Reads a page's text. The file's tags mark headings, lists and tables. Without tags, each line is a paragraph. */
export const textOf = async (page: PDFPageProxy): Promise<PageText> => {
  const [content, tree] = await Promise.all([
    page.getTextContent({ includeMarkedContent: true }),
    page.getStructTree() as unknown as Promise<Node | null>
  ])
  const { isCut, lines, marked } = read(content.items as ReadonlyArray<Piece>)
  const tagged = tree === null ? [] : blocksOf(tree, marked)
  const blocks = tagged.length > 0 ? tagged : lines
  return { lang: /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(content.lang ?? "") ? content.lang! : undefined, blocks, isCut }
}

interface Piece {
  readonly str?: string
  readonly hasEOL?: boolean
  readonly type?: string
  readonly id?: string
}

/** The text of each piece of marked content, and of each line. */
const read = (pieces: ReadonlyArray<Piece>) => {
  const marked = new Map<string, string>()
  const open: Array<string | undefined> = []
  const lines: Array<TextBlock> = []
  let [line, length] = ["", 0]
  let last: string | undefined
  let isCut = false
  for (const { hasEOL, id, str, type } of pieces) {
    if (type === "beginMarkedContent" || type === "beginMarkedContentProps") open.push(id ?? open.at(-1))
    else if (type === "endMarkedContent") open.pop()
    else if (str !== undefined && length >= longest) isCut = true
    else if (str !== undefined) {
      length += str.length
      const text = hasEOL === true ? `${str} ` : str
      // A line end between two pieces of marked content becomes a space in the first, so that words stay apart.
      const of = open.at(-1) ?? (str === "" ? last : undefined)
      if (of !== undefined) marked.set(of, (marked.get(of) ?? "") + text)
      last = of
      line += str
      if (hasEOL === true && line.trim() !== "") {
        lines.push({ is: "paragraph", text: line.trim() })
        line = ""
      }
    }
  }
  if (line.trim() !== "") lines.push({ is: "paragraph", text: line.trim() })
  return { isCut, lines, marked }
}

const blocksOf = (tree: Node, marked: ReadonlyMap<string, string>): ReadonlyArray<TextBlock> => {
  const inner = (node: Node): string =>
    node.children.map((child) =>
      "role" in child ? inlines.has(child.role) ? inner(child) : ` ${inner(child)} ` : marked.get(child.id) ?? ""
    ).join("").replaceAll(/\s+/g, " ").trim() || (node.alt ?? "")
  const of = (node: Node, ...roles: ReadonlyArray<string>): ReadonlyArray<Node> =>
    node.children.filter((child) => "role" in child).flatMap((child) =>
      roles.includes(child.role) ? [child] : of(child, ...roles)
    )
  const walk = (node: Node): ReadonlyArray<TextBlock> => {
    const heading = /^H([1-6])?$/.exec(node.role)
    if (heading !== null || node.role === "Title") {
      return said({ is: "heading", level: Number(heading?.[1] ?? 1), text: inner(node) })
    }
    if (node.role === "Table") {
      const rows = of(node, "TR").map((row) =>
        of(row, "TH", "TD").map((cell) => ({ text: inner(cell), isHeader: cell.role === "TH" }))
      ).filter((row) => row.some(({ text }) => text !== ""))
      // A table that spans pages has all its tags on each page. The rows of other pages are empty and left out.
      return rows.length > 0 ? [{ is: "table", rows }] : []
    }
    if (node.role === "L") {
      const items = of(node, "LI").map(inner).filter((item) => item !== "")
      return items.length > 0 ? [{ is: "list", items }] : []
    }
    if (groups.has(node.role)) return node.children.flatMap((child) => "role" in child ? walk(child) : loose(child.id))
    return said({ is: "paragraph", text: inner(node) })
  }
  const loose = (id: string) => said({ is: "paragraph", text: (marked.get(id) ?? "").trim() })
  return walk(tree)
}

const said = (block: TextBlock & { readonly text: string }): ReadonlyArray<TextBlock> =>
  block.text === "" ? [] : [block]

/** Elements within a line (ISO 32000-1, 14.8.4.4). Any other element starts a new line. */
const inlines = new Set(["Span", "Link", "Quote", "Em", "Strong", "Sub", "Reference", "Code", "Annot", "Ruby"])

const groups = new Set(["Root", "Document", "DocumentFragment", "Part", "Art", "Sect", "Div", "NonStruct", "BlockQuote",
  "Aside"])
