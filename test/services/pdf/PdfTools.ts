import { promises as Fs } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { attachmentsOf } from "../../../src/client/PdfAttachments.ts"
import { isMissing } from "../../support/Programs.ts"
import { runIn, standIns } from "./StandIns.ts"

type Tool = "pdfdetach" | keyof typeof standIns

/** The programs with which tests read documents. Where one of them is missing, a package of npm answers. */
const tools: ReadonlyArray<Tool> = ["pdfsig", "pdftotext", "pdffonts", "pdfdetach", "pdfinfo", "qpdf"]

const missing = new Set(tools.filter(isMissing))

/** Tells whether a test must be skipped that no package can stand in for. */
export const lacks = (...needed: ReadonlyArray<Tool>) => needed.some((tool) => missing.has(tool))

export const needs = (...needed: ReadonlyArray<Tool>) =>
  lacks(...needed) ? ` (left out: needs ${needed.filter((tool) => missing.has(tool)).join(", ")})` : ""

/** Returns what a tool prints about a file, followed by its error output. */
export const ask = (pdf: Uint8Array, tool: keyof typeof standIns, ...options: ReadonlyArray<string>): Promise<string> =>
  inDirectory(async (directory) => {
    await Fs.writeFile(join(directory, "document.pdf"), pdf)
    const { stderr, stdout } = await run(tool, options, directory)
    return stdout + stderr
  })

/** Returns the bytes of the attachment that has exactly this name. */
export const attachedAs = (pdf: Uint8Array, name: string): Promise<Buffer> =>
  inDirectory(async (directory) => {
    if (missing.has("pdfdetach")) return Buffer.from((await attachmentsOf(pdf)).get(name)!)
    await Fs.writeFile(join(directory, "document.pdf"), pdf)
    const { stderr } = await runIn(directory, "pdfdetach", ["-savefile", name, "-o", "attached", "document.pdf"])
    if (stderr !== "") throw new Error(stderr)
    return Fs.readFile(join(directory, "attached"))
  })

/** Returns the bytes of every attachment by its name. */
export const attachments = (pdf: Uint8Array): Promise<ReadonlyMap<string, Buffer>> =>
  inDirectory(async (directory) => {
    if (missing.has("pdfdetach")) {
      return new Map(Array.from(await attachmentsOf(pdf), ([name, bytes]) => [name, Buffer.from(bytes)]))
    }
    await Fs.writeFile(join(directory, "document.pdf"), pdf)
    const saved = join(directory, "attachments")
    await Fs.mkdir(saved)
    await runIn(directory, "pdfdetach", ["-saveall", "-o", saved, "document.pdf"])
    const names = await Fs.readdir(saved)
    return new Map(await Promise.all(names.map(async (name) => [name, await Fs.readFile(join(saved, name))] as const)))
  })

/** Rewrites the file with qpdf, which finds each object by the file's cross-references, and returns the result. */
export const rewritten = (pdf: Uint8Array, ...options: ReadonlyArray<string>): Promise<Buffer> =>
  inDirectory(async (directory) => {
    await Fs.writeFile(join(directory, "document.pdf"), pdf)
    await run("qpdf", [...options, "--replace-input"], directory)
    return Fs.readFile(join(directory, "document.pdf"))
  })

const run = (tool: keyof typeof standIns, options: ReadonlyArray<string>, directory: string) =>
  missing.has(tool)
    ? standIns[tool](options, directory)
    : runIn(directory, tool, [...options, "document.pdf", ...tool === "pdftotext" ? ["-"] : []])

const inDirectory = async <A>(use: (directory: string) => Promise<A>): Promise<A> => {
  const directory = await Fs.mkdtemp(join(tmpdir(), "vrss-pdf-"))
  try {
    return await use(directory)
  } finally {
    await Fs.rm(directory, { recursive: true })
  }
}

/** Returns text as a reader sees it, without its line breaks. */
export const unbroken = (text: string) => text.normalize("NFC").replace(/\s+/g, " ")

/** Returns text without white space. */
export const letters = (text: string) => text.normalize("NFC").replace(/\s+/g, "").normalize("NFC")

/** Returns text without white space, with the characters that code points such as [U+1F9EC] stand for. */
export const meant = (text: string) =>
  letters(letters(text).replace(/\[U\+([0-9A-F]{4,6})\]/g, (_, point) => String.fromCodePoint(parseInt(point, 16))))
