import { type Objects, ref } from "./Objects.ts"

type TagType =
  | "Sect"
  | "H1"
  | "H2"
  | "H3"
  | "P"
  | "L"
  | "LI"
  | "Lbl"
  | "LBody"
  | "Table"
  | "TR"
  | "TH"
  | "TD"
  | "Figure"

/** An element of the structure tree (ISO 32000-1, 14.7.2). It contains other elements or marked content. */
export interface Tag {
  readonly type: TagType
  readonly number: number
  readonly parent: number
  readonly kids: Array<number>
  readonly marks: Array<{ readonly page: number; readonly mcid: number }>
  /** Further entries of the element's dictionary. */
  entries: string
}

/**
 * Screen readers follow this structure (tagged PDF: ISO 32000-1, 14.8; Section 508, 36 CFR 1194 E205.4). A complete
 * element is written immediately, so only open elements are in memory.
 */
export class Tags {
  /** The document's direct children, in reading order. */
  readonly tops: Array<number> = []
  private readonly objects: Objects
  private readonly document: number

  constructor(objects: Objects, document: number) {
    this.objects = objects
    this.document = document
  }

  open(type: TagType, parent?: Tag, entries = ""): Tag {
    const number = this.objects.next()
    const siblings = parent?.kids ?? this.tops
    siblings.push(number)
    return { type, number, parent: parent?.number ?? this.document, kids: [], marks: [], entries }
  }

  close({ entries, kids, marks, number, parent, type }: Tag): void {
    const page = marks[0]?.page
    const content = [
      ...kids.map(ref),
      ...marks.map((mark) => mark.page === page ? mark.mcid : `<</Type/MCR/Pg ${ref(mark.page)}/MCID ${mark.mcid}>>`)
    ].join(" ")
    this.objects.add(
      `<</Type/StructElem/S/${type}/P ${ref(parent)}${page === undefined ? "" : `/Pg ${ref(page)}`}` +
        `${content === "" ? "" : `/K[${content}]`}${entries}>>`,
      number
    )
  }
}
