import createQpdf from "@neslinesli93/qpdf-wasm"
import { execFile } from "node:child_process"
import { promises as Fs } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { PDFArray, PDFDict, PDFDocument, PDFName } from "pdf-lib"
import { getDocument, PDFDateString } from "pdfjs-dist/legacy/build/pdf.mjs"
import * as pkijs from "pkijs"

interface Printed {
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program on the file `document.pdf` of a directory. */
export const runIn = (
  directory: string,
  program: string,
  options: ReadonlyArray<string>
): Promise<Printed> =>
  new Promise((resolve) =>
    execFile(
      program,
      options,
      { cwd: directory, maxBuffer: 1 << 26 },
      (_, stdout, stderr) => resolve({ stdout, stderr })
    )
  )

/** Finds the byte range in the signature's dictionary, and reads the signature. */
const signatureOf = (pdf: Buffer) => {
  const range = /\/SubFilter \/ETSI\.CAdES\.detached\n\/ByteRange \[0 (\d+) (\d+) (\d+)\]/.exec(pdf.toString("latin1"))
  const [from = NaN, to = NaN, rest = NaN] = range!.slice(1).map(Number)
  const cms = Buffer.from(pdf.toString("latin1", from + 1, to - 1), "hex")
  return { from, to, rest, signedData: new pkijs.SignedData({ schema: pkijs.ContentInfo.fromBER(cms).content }) }
}

/** Checks that a file's signature is valid and covers all bytes except itself. */
export const isSealed = async (pdf: Buffer) => {
  const { from, rest, signedData, to } = signatureOf(pdf)
  const data = new Uint8Array(Buffer.concat([pdf.subarray(0, from), pdf.subarray(to)])).buffer
  return to + rest === pdf.length && (await signedData.verify({ signer: 0, data, checkChain: false }))
}

const pdfsig = async (pdf: Buffer) => {
  if (!pdf.includes("/ByteRange")) return "File 'document.pdf' does not contain any signatures"
  if (!await isSealed(pdf).catch(() => false)) return "  - Signature Validation: Signature is Invalid."
  const [certificate] = signatureOf(pdf).signedData.certificates as ReadonlyArray<pkijs.Certificate>
  const name = certificate!.subject.typesAndValues.find(({ type }) => type === "2.5.4.3")?.value.valueBlock.value
  return [
    `  - Signer Certificate Common Name: ${name}`,
    "  - Total document signed",
    "  - Signature Validation: Signature is Valid."
  ].join("\n")
}

const pdffonts = async (pdf: Buffer) => {
  const { context } = await PDFDocument.load(pdf, { updateMetadata: false })
  const of = (dictionary: PDFDict, key: string) => String(dictionary.get(PDFName.of(key)))
  const yes = (holds: boolean) => holds ? "yes" : "no"
  const fonts = context.enumerateIndirectObjects().flatMap(([ref, font]) => {
    if (!(font instanceof PDFDict) || of(font, "Type") !== "/Font" || of(font, "Subtype").startsWith("/CID")) return []
    const drawn = font.lookupMaybe(PDFName.of("DescendantFonts"), PDFArray)?.lookup(0, PDFDict) ?? font
    const isEmbedded = drawn.lookupMaybe(PDFName.of("FontDescriptor"), PDFDict)?.has(PDFName.of("FontFile2")) ?? false
    const isSubset = /^\/[A-Z]{6}\+/.test(of(font, "BaseFont"))
    return [
      of(font, "BaseFont").slice(1),
      of(drawn, "Subtype") === "/CIDFontType2" ? "CID TrueType" : of(drawn, "Subtype").slice(1),
      of(font, "Encoding").slice(1),
      ...[isEmbedded, isSubset, font.has(PDFName.of("ToUnicode"))].map(yes),
      ref.objectNumber
    ].join(" ")
  })
  return ["name type encoding emb sub uni object ID", "-".repeat(40), ...fonts].join("\n")
}

type Opened = Awaited<ReturnType<typeof getDocument>["promise"]>
type Page = Awaited<ReturnType<Opened["getPage"]>>
type Node = Awaited<ReturnType<Page["getStructTree"]>>

/** Lists the elements of a page and their text, each below the element that contains it. */
const structText = async (page: Page) => {
  const texts = new Map<string, string>()
  const marks: Array<string> = []
  for (const item of (await page.getTextContent({ includeMarkedContent: true })).items) {
    const mark = marks.at(-1)
    if ("str" in item) {
      if (mark !== undefined) texts.set(mark, `${texts.get(mark) ?? ""}${item.str}${item.hasEOL ? " " : ""}`)
    } else if (item.type === "endMarkedContent") marks.pop()
    else marks.push(item.id ?? mark ?? "")
  }
  const listed = (node: Node, level: number): ReadonlyArray<string> => [
    `${"  ".repeat(level)}${node.role} (block)`,
    ...node.children.flatMap((child) =>
      "role" in child
        ? listed(child, level + 1)
        : [`${"  ".repeat(level + 1)}"${(texts.get(child.id) ?? "").replace(/\s+/g, " ").trim()}"`]
    )
  ]
  return listed(await page.getStructTree(), 0).join("\n")
}

const pdfinfo = async (pdf: Buffer, option: string | undefined) => {
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0 })
  try {
    const document = await task.promise
    const pages = await Promise.all(Array.from({ length: document.numPages }, (_, n) => document.getPage(n + 1)))
    if (option === "-struct-text") return (await Promise.all(pages.map(structText))).join("\n")
    const { info, metadata } = await document.getMetadata() as {
      readonly info: Record<string, string>
      readonly metadata: { readonly getRaw: () => string }
    }
    if (option === "-meta") return metadata.getRaw()
    const [, , width, height] = pages[0]!.view
    const marks = await document.getMarkInfo() as unknown as ReadonlyMap<string, boolean> | null
    return [
      `Title: ${info["Title"]}`,
      `Author: ${info["Author"]}`,
      `CreationDate: ${PDFDateString.toDateObject(info["CreationDate"]!)}`,
      `Tagged: ${marks?.get("Marked") === true ? "yes" : "no"}`,
      `Pages: ${pages.length}`,
      `Page size: ${width} x ${height} pts${width === 612 && height === 792 ? " (letter)" : ""}`
    ].join("\n")
  } finally {
    await task.destroy()
  }
}

interface Qpdf {
  readonly callMain: (options: ReadonlyArray<string>) => number
  readonly FS: {
    readonly init: (input: undefined, output: Listener, errors: Listener) => void
    readonly mount: (type: unknown, options: { readonly root: string }, at: string) => void
    readonly chdir: (to: string) => void
  }
  readonly NODEFS: unknown
}

type Listener = (byte: number) => void

const qpdf = async (options: ReadonlyArray<string>, directory: string): Promise<Printed> => {
  const printed: ReadonlyArray<Array<number>> = [[], []]
  const [output, errors] = printed.map((bytes) => (byte: number) => void bytes.push(byte))
  // The package's own types have only what a browser needs.
  const open = createQpdf as unknown as (settings: object) => Promise<Qpdf>
  const { FS, NODEFS, callMain } = await open({
    locateFile: () => fileURLToPath(import.meta.resolve("@neslinesli93/qpdf-wasm/dist/qpdf.wasm")),
    preRun: [({ FS }: Qpdf) => FS.init(undefined, output!, errors!)]
  })
  FS.mount(NODEFS, { root: directory }, "/home/web_user")
  FS.chdir("/home/web_user")
  // At its end, it sets the exit code of this process.
  const { exitCode } = process
  callMain([...options, "document.pdf"])
  process.exitCode = exitCode
  const [stdout, stderr] = printed.map((bytes) => Buffer.from(bytes).toString())
  return { stdout: stdout!, stderr: stderr! }
}

/** Prints into a file, because it loses what follows the last line break on a pipe. */
const pdftotext = async (options: ReadonlyArray<string>, directory: string): Promise<Printed> => {
  const program = fileURLToPath(import.meta.resolve("pdftotext-wasm/bin.js"))
  const { stderr } = await runIn(directory, process.execPath, [program, ...options, "document.pdf", "document.txt"])
  return { stdout: await Fs.readFile(join(directory, "document.txt"), "utf8"), stderr }
}

const asking =
  (answer: (pdf: Buffer, option: string | undefined) => Promise<string>) =>
  async (options: ReadonlyArray<string>, directory: string): Promise<Printed> => ({
    stdout: await answer(await Fs.readFile(join(directory, "document.pdf")), options[0]),
    stderr: ""
  })

/**
 * Packages that answer where a program is not installed. pdftotext and qpdf are the programs themselves as WebAssembly.
 * The others say only what tests ask, in the program's words.
 */
export const standIns = {
  pdftotext,
  qpdf,
  pdfsig: asking(pdfsig),
  pdffonts: asking(pdffonts),
  pdfinfo: asking(pdfinfo)
}
