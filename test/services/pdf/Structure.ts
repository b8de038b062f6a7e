import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFRawStream,
  PDFRef
} from "pdf-lib"

export interface Element {
  readonly type: string
  readonly kids: ReadonlyArray<Element>
  readonly alt: string | null
  readonly scope: string | null
}

/** The structure tree as read from a file, and the faults that a checker of tagged PDF (ISO 14289-1) would report. */
export interface Structure {
  readonly document: Element
  readonly problems: ReadonlyArray<string>
}

const name = (text: string) => PDFName.of(text)

/** Operators that draw something visible. */
const showing = /\b(Tj|TJ|Do|S|f|B|sh)\b/

export const readStructure = async (pdf: Uint8Array): Promise<Structure> => {
  const { catalog, context } = await PDFDocument.load(pdf, { updateMetadata: false })
  const problems: Array<string> = []
  const expect = (condition: boolean, problem: string) => condition || problems.push(problem)

  expect(String(catalog.get(name("Lang"))) === "(en-US)", "no language")
  expect(String(catalog.lookup(name("MarkInfo"))).includes("/Marked true"), "not marked")
  expect(String(catalog.lookup(name("ViewerPreferences"))).includes("/DisplayDocTitle true"), "no title shown")

  const root = catalog.get(name("StructTreeRoot")) as PDFRef
  const tree = catalog.lookup(name("StructTreeRoot"), PDFDict)
  const leaves = (node: PDFDict): ReadonlyArray<[number, PDFArray | PDFDict]> => {
    const kids = node.lookupMaybe(name("Kids"), PDFArray)
    if (kids !== undefined) return kids.asArray().flatMap((_, index) => leaves(kids.lookup(index, PDFDict)))
    const nums = node.lookup(name("Nums"), PDFArray)
    const found = Array.from(
      { length: nums.size() / 2 },
      (_, index) =>
        [nums.lookup(2 * index, PDFNumber).asNumber(), nums.lookup(2 * index + 1) as PDFArray | PDFDict] as [
          number,
          PDFArray | PDFDict
        ]
    )
    const limits = node.lookupMaybe(name("Limits"), PDFArray)
    if (limits !== undefined) {
      const numbers = limits.asArray().map(Number)
      expect(numbers[0] === found[0]![0] && numbers[1] === found.at(-1)![0], "limits of the parent tree")
    }
    return found
  }
  const entries = leaves(tree.lookup(name("ParentTree"), PDFDict))
  const parents = new Map(entries)
  expect(parents.size === entries.length, "numbers of the parent tree twice")
  expect(Number(tree.get(name("ParentTreeNextKey"))) === parents.size, "the parent tree's next number")

  // Walks down from the root: each element must name its parent, and no content may belong to two elements.
  const owned = new Map<string, PDFRef>()
  const seen = new Set<PDFRef>()
  let level = 0
  const descend = (ref: PDFRef, parent: PDFRef): Element => {
    const element = context.lookup(ref, PDFDict)
    const type = String(element.get(name("S"))).slice(1)
    expect(!seen.has(ref), `${type} twice in the tree`)
    seen.add(ref)
    expect(element.get(name("P")) === parent, `the parent of ${type}`)
    if (/^H\d$/.test(type)) {
      const own = Number(type[1])
      expect(own <= level + 1, `${type} after H${level}`)
      level = own
    }
    const content = element.lookup(name("K"))
    const kids = content === undefined
      ? []
      : content instanceof PDFArray
      ? content.asArray()
      : [element.get(name("K"))!]
    const elements = kids.flatMap((kid) => {
      if (kid instanceof PDFRef) return [descend(kid, ref)]
      const [page, mcid] = kid instanceof PDFDict
        ? [kid.get(name("Pg")) ?? element.get(name("Pg")), kid.get(name("MCID"))]
        : [element.get(name("Pg")), kid]
      if (mcid !== undefined) {
        expect(!owned.has(`${String(page)} ${String(mcid)}`), `content of two elements`)
        owned.set(`${String(page)} ${String(mcid)}`, ref)
      }
      return []
    })
    const attributes = element.lookupMaybe(name("A"), PDFDict)
    const alt = element.lookupMaybe(name("Alt"), PDFHexString)?.decodeText() ?? null
    const scope = attributes?.get(name("Scope"))?.toString() ?? null
    if (type === "Figure") {
      expect(alt !== null && alt !== "" && attributes?.get(name("BBox")) !== undefined, "a bare figure")
    }
    if (type === "TH") expect(scope !== null, "a header cell without scope")
    if (type === "Table") {
      const cells = elements.map(({ kids, type }) => type === "TR" ? kids.map(({ type }) => type).join(" ") : "no row")
      expect(/^TH( TH)*$/.test(cells[0]!), `a table's first row: ${cells[0]}`)
      const width = elements[0]!.kids.length
      expect(cells.slice(1).every((row) => row === Array(width).fill("TD").join(" ")), "a row of another table")
    }
    if (type === "TR" || type === "TH" || type === "TD" || type === "LI") {
      const above = String(context.lookup(parent, PDFDict).get(name("S")))
      expect(above === { TR: "/Table", TH: "/TR", TD: "/TR", LI: "/L" }[type], `${type} in ${above}`)
    }
    return { type, kids: elements, alt, scope }
  }
  const document = descend(tree.get(name("K")) as PDFRef, root)
  expect(document.type === "Document", "the top is no document")
  for (const [ref, object] of context.enumerateIndirectObjects()) {
    const type = object instanceof PDFDict ? object.get(name("Type")) : undefined
    expect(type !== name("StructElem") || seen.has(ref), "an element that is not in the tree")
  }

  // Walks through the pages: each piece of content must belong to an element or be marked as an artifact.
  let stretches = 0
  const pages = catalog.Pages()
  pages.traverse((node, ref) => {
    if (node.get(name("Type")) !== name("Page")) return
    const contents = node.lookup(name("Contents"), PDFArray)
    const content = contents.asArray().map((_, index) =>
      Buffer.from(decodePDFRawStream(contents.lookup(index, PDFRawStream)).decode()).toString("latin1")
    ).join("\n")
    const owners = parents.get(Number(node.get(name("StructParents")))) as PDFArray
    const marked = [...content.matchAll(/^\/(\w+) <<\/MCID (\d+)>> BDC$/gm)]
    expect(owners.size() === marked.length, "content without a place in the parent tree")
    expect(new Set(marked.map(([, , mcid]) => mcid)).size === marked.length, "a number of content twice")
    marked.forEach(([, type, mcid]) => {
      const owner = owners.get(Number(mcid))
      expect(owned.get(`${String(ref)} ${mcid}`) === owner, `content of ${type} that its element does not know`)
      expect(
        String(context.lookup(owner, PDFDict).get(name("S"))) === `/${type}`,
        `content of ${type}, another element`
      )
    })
    stretches += marked.length
    // Unwraps spans and reversed words, then removes all marked content. What remains is unmarked.
    const unmarked = content.replace(/\/Span <<.*?>> BDC(.*?)EMC/gs, "$1")
      .replace(/\/ReversedChars BMC(.*?)EMC/gs, "$1").replace(/(BDC|BMC)\n.*?EMC/gs, "")
    expect(!showing.test(unmarked), "content that is not marked")
    expect(node.get(name("Tabs")) === name("S"), "no order of tabs")
  })
  expect(stretches === owned.size, "elements with content that no page has")
  return { document, problems: [...new Set(problems)] }
}

/** Returns the elements of a type in reading order. */
export const elementsOf = (element: Element, type: string): ReadonlyArray<Element> => [
  ...element.type === type ? [element] : [],
  ...element.kids.flatMap((kid) => elementsOf(kid, type))
]
