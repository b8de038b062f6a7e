import type { Line } from "./Line.ts"
import { type Objects, ref } from "./Objects.ts"
import type { Tag, Tags } from "./Tags.ts"

/** Object numbers of a written page: its dictionary, its content, and the list of its structure elements. */
export interface Page {
  readonly number: number
  readonly content: number
  readonly elements: number
}

/** An entry of the outline: a heading and its place. */
export interface Bookmark {
  readonly level: 1 | 2
  readonly title: string
  readonly page: number
  readonly top: number
}

interface OpenPage {
  readonly number: number
  readonly artifacts: Array<string>
  /** The operators of each element on this page. An element's index in this map is its marked-content id. */
  readonly contents: Map<Tag, { readonly cell: Tag; operators: string }>
}

/** Fills pages with lines from `top` down to `bottom`, and writes each page when it is full. */
export class Flow {
  readonly pages: Array<Page> = []
  readonly bookmarks: Array<Bookmark> = []
  private readonly objects: Objects
  private readonly tags: Tags
  private readonly top: number
  private readonly bottom: number
  /** Lines that must stay together. They are collected here until the last of them is added. */
  private group: Array<Line> = []
  private groupHeight = 0
  private page: OpenPage | undefined
  private at = 0

  constructor(objects: Objects, tags: Tags, { bottom, top }: { readonly top: number; readonly bottom: number }) {
    this.objects = objects
    this.tags = tags
    this.top = top
    this.bottom = bottom
  }

  async add(lines: ReadonlyArray<Line>): Promise<void> {
    for (const line of lines) {
      this.groupHeight += line.height + (this.group.length === 0 ? 0 : line.gap)
      this.group.push(line)
      // Lines higher than a page cannot stay together, so they are placed without waiting for the rest.
      if (!line.keep || this.groupHeight > this.top - this.bottom) await this.placeGroup()
    }
  }

  async end(): Promise<void> {
    await this.placeGroup()
    await this.endPage()
  }

  private async placeGroup(): Promise<void> {
    const { group } = this
    let needed = Math.min(this.groupHeight, this.top - this.bottom)
    this.group = []
    this.groupHeight = 0
    for (const [index, line] of group.entries()) {
      if (this.page === undefined || this.at - line.gap - needed < this.bottom) {
        await this.endPage()
        this.page = { number: this.objects.next(), artifacts: [], contents: new Map() }
        this.at = this.top
        for (const above of line.again ?? []) this.place(above)
      }
      this.place(line)
      // The first line needs space for the whole group. Each later line needs only its own height.
      needed = group[index + 1]?.height ?? 0
    }
  }

  private place({ bookmark, gap, height, pieces }: Line): void {
    const { artifacts, contents, number } = this.page!
    if (this.at !== this.top) this.at -= gap
    for (const { cell, draw, last, tag } of pieces) {
      if (tag === "artifact") {
        artifacts.push(draw(this.at))
        continue
      }
      const known = contents.get(tag)
      if (known === undefined) {
        tag.marks.push({ page: number, mcid: contents.size })
        contents.set(tag, { cell: cell ?? tag, operators: draw(this.at) })
      } else known.operators += draw(this.at)
      if (last === true) this.tags.close(tag)
    }
    if (bookmark !== undefined) this.bookmarks.push({ ...bookmark, page: number, top: this.at })
    this.at -= height
  }

  /** Writes the page. All content of a cell is contiguous, even if its lines alternate with those of other cells. */
  private async endPage(): Promise<void> {
    if (this.page === undefined) return
    const { artifacts, contents, number } = this.page
    this.page = undefined
    const marked = [...contents].map(([tag, { cell, operators }], mcid) => ({
      cell,
      content: `/${tag.type} <</MCID ${mcid}>> BDC\n${operators}EMC\n`
    }))
    const stream = [
      ...artifacts.length === 0 ? [] : ["/Artifact BMC\n", ...artifacts, "EMC\n"],
      ...[...Map.groupBy(marked, ({ cell }) => cell).values()].flat().map(({ content }) => content)
    ].join("")
    const content = await this.objects.deflated(stream)
    const elements = this.objects.add(`[${[...contents.keys()].map((tag) => ref(tag.number)).join(" ")}]`)
    this.pages.push({ number, content, elements })
    await this.objects.settle()
  }
}
