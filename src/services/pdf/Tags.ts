import { type PDFContext, type PDFDict, PDFName, type PDFObject, type PDFRef } from "pdf-lib"

/** It is one element of the structure tree. */
export interface Tag {
  readonly type: "Document" | "H1" | "H2" | "P" | "L" | "LI" | "Lbl" | "LBody" | "Figure"
  readonly ref: PDFRef
  readonly entries: Record<string, PDFObject>
  readonly kids: Array<Tag | { readonly page: PDFRef; readonly mcid: number }>
}

/**
 * A screen reader follows this structure (tagged PDF: ISO 32000-1, 14.8; Section 508, 36 CFR 1194 E205.4). It has the
 * elements in reading order, and tells per page which element each stretch of marked content belongs to.
 */
export class Tags {
  readonly document: Tag
  private readonly context: PDFContext
  /** Each page lists the elements of its marked-content ids. */
  private readonly marked: Array<ReadonlyArray<PDFRef>> = []

  constructor(context: PDFContext) {
    this.context = context
    this.document = { type: "Document", ref: context.nextRef(), entries: {}, kids: [] }
  }

  add(type: Tag["type"], parent: Tag = this.document, entries: Tag["entries"] = {}): Tag {
    const tag: Tag = { type, ref: this.context.nextRef(), entries, kids: [] }
    parent.kids.push(tag)
    return tag
  }

  /** Ties a page's stretches of content, numbered as they are given, to their elements. */
  mark(page: PDFDict, ref: PDFRef, tags: ReadonlyArray<Tag>): void {
    tags.forEach(({ kids }, mcid) => kids.push({ page: ref, mcid }))
    page.set(PDFName.of("StructParents"), this.context.obj(this.marked.length))
    page.set(PDFName.of("Tabs"), PDFName.of("S"))
    this.marked.push(tags.map(({ ref }) => ref))
  }

  write(catalog: PDFDict): void {
    const { context, document, marked } = this
    const root = context.nextRef()
    this.writeTag(document, root)
    context.assign(
      root,
      context.obj({
        Type: "StructTreeRoot",
        K: document.ref,
        ParentTree: context.register(
          context.obj({ Nums: marked.flatMap((tags, page) => [context.obj(page), context.obj(tags)]) })
        ),
        ParentTreeNextKey: marked.length
      })
    )
    catalog.set(PDFName.of("StructTreeRoot"), root)
    catalog.set(PDFName.of("MarkInfo"), context.obj({ Marked: true }))
  }

  private writeTag({ entries, kids, ref, type }: Tag, parent: PDFRef): void {
    const { context } = this
    const content = kids.map((kid) => {
      if ("mcid" in kid) return context.obj({ Type: "MCR", Pg: kid.page, MCID: kid.mcid })
      this.writeTag(kid, ref)
      return kid.ref
    })
    context.assign(ref, context.obj({ Type: "StructElem", S: type, P: parent, K: content, ...entries }))
  }
}
