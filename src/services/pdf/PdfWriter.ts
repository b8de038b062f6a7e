import { attach, type AttachedFile, type Attachment, attachmentsInCatalog } from "./Attachment.ts"
import { type Bookmark, Flow, type Page } from "./Flow.ts"
import { Fonts } from "./Fonts.ts"
import { type Frame, Frames, textColumn } from "./Frames.ts"
import { type Block, Lines } from "./Lines.ts"
import { information, type Metadata, xmp } from "./Metadata.ts"
import { Objects, ref } from "./Objects.ts"
import { writeOutline } from "./Outline.ts"
import { writePageTree, writeParentTree } from "./PageTree.ts"
import type { PdfFile } from "./PdfFile.ts"
import { endSealed, Seal } from "./Seal.ts"
import type { SealingIdentity } from "./Signer.ts"
import { Tags } from "./Tags.ts"

/** Written pages without the frame around their content. Each page keeps three numbers in memory. */
export interface Part {
  readonly files: ReadonlyArray<PdfFile>
  readonly pages: ReadonlyArray<Page>
  readonly tops: ReadonlyArray<number>
  readonly bookmarks: ReadonlyArray<Bookmark>
  readonly pictures: ReadonlyMap<string, number>
}

/** The contents of a file. It is sealed if `identity` is given. */
export interface FileContents {
  /** Parts in the order of their pages, all written to this file. */
  readonly parts: ReadonlyArray<Part>
  /** One of the frames that the writer was made for. */
  readonly frame: Frame
  readonly attachments: ReadonlyArray<Attachment>
  readonly metadata: Metadata
  readonly identity?: SealingIdentity
}

/**
 * Writes several tagged PDF files (ISO 32000-1, 14.8) at once, each from front to back. A page may belong to more than
 * one file. Call one method at a time: parts and attachments are written as they arrive.
 *
 * The files share a sequence of object numbers and the glyphs of fonts. A file's bytes therefore depend on all that was
 * written before its end. To keep one file's contents from affecting another file, finish the other file first.
 */
export class PdfWriter {
  private readonly numbers = { last: 0 }
  private readonly fonts = new Fonts()
  private readonly frames: Frames
  /** The number of every file's `Document` element. Parts refer to it before their file is complete. */
  private readonly document: number

  /** Takes the frames of all files, so that the content has the same place in each. */
  constructor(frames: ReadonlyArray<Frame>) {
    this.frames = new Frames(this.fonts, frames)
    this.document = this.objects([]).next()
  }

  private objects(files: ReadonlyArray<PdfFile>): Objects {
    return new Objects(this.numbers, files)
  }

  /** Lays blocks out on new pages, and writes each page when it is full. */
  async part(blocks: Iterable<Block> | AsyncIterable<Block>, files: ReadonlyArray<PdfFile>): Promise<Part> {
    const objects = this.objects(files)
    const tags = new Tags(objects, this.document)
    const { bottom, top } = this.frames
    const lines = new Lines({ ...textColumn, fonts: this.fonts, tags }, objects, top - bottom)
    const flow = new Flow(objects, tags, this.frames)
    for await (const some of lines.of(blocks)) await flow.add(some)
    await flow.end()
    await objects.settle(true)
    return { files, pages: flow.pages, tops: tags.tops, bookmarks: flow.bookmarks, pictures: lines.pictures }
  }

  async attach(file: AttachedFile, files: ReadonlyArray<PdfFile>): Promise<Attachment> {
    const objects = this.objects(files)
    const attachment = await attach(file, objects)
    await objects.settle(true)
    return attachment
  }

  /** Writes the rest of a file: frames, outline, structure, fonts, and the end. */
  async finish(file: PdfFile, { attachments, frame, identity, metadata, parts }: FileContents): Promise<void> {
    if (parts.some(({ files }) => !files.includes(file))) throw new Error("a part was not written to this file")
    const objects = this.objects([file])
    const seal = identity && new Seal(objects)
    const pages = parts.flatMap(({ pages }) => pages)
    const frames = await this.frames.write(frame, parts.map(({ pages }) => pages.length), objects)
    const resources = objects.next()
    const framed = pages.map((page, index) => ({
      ...page,
      contents: [frames[index]![0], page.content, frames[index]![1]],
      ...seal !== undefined && index === 0 && { annotation: seal.widget }
    }))
    const pageTree = await writePageTree(framed, resources, objects)
    await seal?.write({ page: pages[0]!.number, parentKey: pages.length, document: this.document }, objects)
    const structure = await this.writeStructure(parts, seal === undefined ? [] : [seal.tag], objects)
    const bookmarks = parts.flatMap(({ bookmarks }) => bookmarks)
    const outline = bookmarks.length === 0
      ? ""
      : `/Outlines ${ref(writeOutline(bookmarks, objects))}/PageMode/UseOutlines`
    const described = await objects.stream(Buffer.from(xmp(metadata)), "<</Type/Metadata/Subtype/XML>>")
    await this.writeResources(parts, resources, objects)
    const catalog = objects.add(
      `<</Type/Catalog/Pages ${ref(pageTree)}/StructTreeRoot ${ref(structure)}/MarkInfo<</Marked true>>` +
        `/Lang (${metadata.language})/ViewerPreferences<</DisplayDocTitle true>>` +
        `/Metadata ${ref(described)}${outline}${attachmentsInCatalog(attachments)}${seal?.inCatalog ?? ""}>>`
    )
    const info = objects.add(information(metadata))
    await objects.settle(true)

    const id = `<${metadata.id.toString("hex", 0, 16)}>`
    const end = { number: objects.next(), trailer: `/Root ${ref(catalog)}/Info ${ref(info)}/ID[${id}${id}]` }
    if (seal === undefined) await file.end(end.number, end.trailer)
    else await endSealed(file, seal, { identity: identity!, signedAt: metadata.createdAt }, end)
  }

  private async writeStructure(parts: ReadonlyArray<Part>, annotated: ReadonlyArray<number>, objects: Objects) {
    const root = objects.next()
    const pages = parts.flatMap(({ pages }) => pages)
    const kids = [...parts.flatMap(({ tops }) => tops), ...annotated].map(ref).join(" ")
    objects.add(`<</Type/StructElem/S/Document/P ${ref(root)}/K[${kids}]>>`, this.document)
    const parentTree = await writeParentTree(pages, annotated, objects)
    return objects.add(
      `<</Type/StructTreeRoot/K ${ref(this.document)}/ParentTree ${ref(parentTree)}` +
        `/ParentTreeNextKey ${pages.length + annotated.length}>>`,
      root
    )
  }

  private async writeResources(parts: ReadonlyArray<Part>, number: number, objects: Objects) {
    const fonts = (await this.fonts.write(objects)).map(([name, font]) => `/${name} ${ref(font)}`)
    const pictures = parts.flatMap((part) => [...part.pictures]).map(([name, picture]) => `/${name} ${ref(picture)}`)
    objects.add(`<</Font<<${fonts.join("")}>>/XObject<<${pictures.join("")}>>>>`, number)
  }
}
