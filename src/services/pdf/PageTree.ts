import type { Page } from "./Flow.ts"
import { paper } from "./Frames.ts"
import { type Objects, ref } from "./Objects.ts"

const perNode = 64

export interface FramedPage extends Page {
  /** The numbers of the content streams, in drawing order. */
  readonly contents: ReadonlyArray<number>
  readonly annotation?: number
}

/** Writes the dictionaries of a file's pages and the page tree (ISO 32000-1, 7.7.3). Returns the root's number. */
export const writePageTree = async (
  pages: ReadonlyArray<FramedPage>,
  resources: number,
  objects: Objects
): Promise<number> => {
  const root = objects.next()
  const nodes: Array<number> = []
  for (const [first, some] of nodesOf(pages)) {
    const node = objects.next()
    some.forEach(({ annotation, contents, number }, index) =>
      objects.add(
        `<</Type/Page/Parent ${ref(node)}/Contents[${contents.map(ref).join(" ")}]/Tabs/S` +
          `/StructParents ${first + index}${annotation === undefined ? "" : `/Annots[${ref(annotation)}]`}>>`,
        number
      )
    )
    const kids = some.map(({ number }) => ref(number)).join(" ")
    nodes.push(objects.add(`<</Type/Pages/Parent ${ref(root)}/Count ${some.length}/Kids[${kids}]>>`, node))
    await objects.settle()
  }
  objects.add(
    `<</Type/Pages/Count ${pages.length}/Kids[${nodes.map(ref).join(" ")}]` +
      `/MediaBox[0 0 ${paper.width} ${paper.height}]/Resources ${ref(resources)}>>`,
    root
  )
  return root
}

/** Writes the parent tree (ISO 32000-1, 14.7.4.4): the elements of each page, then the element of each annotation. */
export const writeParentTree = async (
  pages: ReadonlyArray<Page>,
  annotated: ReadonlyArray<number>,
  objects: Objects
): Promise<number> => {
  const nodes: Array<number> = []
  for (const [first, some] of nodesOf([...pages.map(({ elements }) => elements), ...annotated])) {
    const limits = `${first} ${first + some.length - 1}`
    nodes.push(
      objects.add(`<</Limits[${limits}]/Nums[${some.map((one, index) => `${first + index} ${ref(one)}`).join(" ")}]>>`)
    )
    await objects.settle()
  }
  return objects.add(`<</Kids[${nodes.map(ref).join(" ")}]>>`)
}

const nodesOf = <A>(leaves: ReadonlyArray<A>): ReadonlyArray<readonly [first: number, leaves: ReadonlyArray<A>]> =>
  Array.from(
    { length: Math.ceil(leaves.length / perNode) },
    (_, node) => [node * perNode, leaves.slice(node * perNode, (node + 1) * perNode)]
  )
