import type { Bookmark } from "./Flow.ts"
import { type Objects, ref } from "./Objects.ts"
import { pdfNumber } from "./Pen.ts"
import { textString } from "./Text.ts"

interface Item {
  readonly number: number
  readonly bookmark?: Bookmark
  readonly items: Array<Item>
}

/** Writes the outline (ISO 32000-1, 12.3.3): all entries open, level 2 below level 1. Returns the root's number. */
export const writeOutline = (bookmarks: ReadonlyArray<Bookmark>, objects: Objects): number => {
  const root: Item = { number: objects.next(), items: [] }
  for (const bookmark of bookmarks) {
    const above = bookmark.level === 2 && root.items.at(-1)?.bookmark?.level === 1 ? root.items.at(-1)! : root
    above.items.push({ number: objects.next(), bookmark, items: [] })
  }
  const within = ({ items }: Item): string =>
    items.length === 0
      ? ""
      : `/First ${ref(items[0]!.number)}/Last ${ref(items.at(-1)!.number)}` +
        `/Count ${items.reduce((sum, { items }) => sum + 1 + items.length, 0)}`
  const write = (parent: Item): void =>
    parent.items.forEach((item, index) => {
      const { page, title, top } = item.bookmark!
      const [before, after] = [parent.items[index - 1], parent.items[index + 1]]
      objects.add(
        `<</Title ${textString(title)}/Parent ${ref(parent.number)}` +
          `${before === undefined ? "" : `/Prev ${ref(before.number)}`}` +
          `${after === undefined ? "" : `/Next ${ref(after.number)}`}` +
          `/Dest[${ref(page)}/XYZ null ${pdfNumber(top)} null]${within(item)}>>`,
        item.number
      )
      write(item)
    })
  write(root)
  return objects.add(`<</Type/Outlines${within(root)}>>`, root.number)
}
