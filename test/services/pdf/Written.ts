import { assert } from "@effect/vitest"
import { Readable } from "node:stream"
import type { AttachedFile } from "../../../src/services/pdf/Attachment.ts"
import type { Frame } from "../../../src/services/pdf/Frames.ts"
import type { Block } from "../../../src/services/pdf/Lines.ts"
import { PdfFile } from "../../../src/services/pdf/PdfFile.ts"
import { PdfWriter } from "../../../src/services/pdf/PdfWriter.ts"
import type { Cell } from "../../../src/services/pdf/Table.ts"
import { ask, rewritten } from "./PdfTools.ts"
import { readStructure } from "./Structure.ts"

export const frame: Frame = { header: "A header", footer: ["A footer", "in two lines"] }

export const metadata = {
  title: "A title",
  author: "An author",
  subject: "A subject",
  language: "en-US",
  createdAt: new Date("2026-11-21T17:05:23Z"),
  id: Buffer.alloc(32, 7)
}

/** A file that is kept in memory. */
export const open = () => {
  const written: Array<Buffer> = []
  const file = new PdfFile(async (bytes) => {
    written.push(Buffer.from(bytes))
  })
  return { file, bytes: () => Buffer.concat(written) }
}

/** Writes one file from parts. */
export const made = async (parts: ReadonlyArray<ReadonlyArray<Block>>, frames: Frame = frame) => {
  const { bytes, file } = open()
  const writer = new PdfWriter([frames])
  const written = []
  for (const blocks of parts) written.push(await writer.part(blocks, [file]))
  await writer.finish(file, { parts: written, frame: frames, attachments: [], metadata })
  return bytes()
}

export const attachment = (name: string, bytes: Buffer, changes: Partial<AttachedFile> = {}): AttachedFile => ({
  name,
  mimeType: "application/json",
  description: `What ${name} is`,
  relationship: "Data",
  createdAt: metadata.createdAt,
  bytes: Readable.from([bytes.subarray(0, 10), bytes.subarray(10)]),
  ...changes
})

export const heading = (level: 1 | 2 | 3, text: string): Block => ({ kind: "heading", level, text })

export const paragraph = (text: string): Block => ({ kind: "paragraph", text })

export const text = (...texts: ReadonlyArray<string>): Cell => texts.map((text) => ({ text }))

export const pagesOf = async (pdf: Uint8Array, ...options: ReadonlyArray<string>) =>
  (await ask(pdf, "pdftotext", ...options)).split("\f").slice(0, -1)

/** Fails if a checker finds a fault in a file or its structure. */
export const sound = async (pdf: Uint8Array) => {
  assert.include(await ask(pdf, "qpdf", "--check"), "No syntax or stream encoding errors found")
  // qpdf follows the cross-references, which pdf-lib does not.
  assert.deepStrictEqual((await readStructure(await rewritten(pdf))).problems, [])
}

/** Filler with this number of lines. */
export const lines = (count: number, word = "line") =>
  paragraph(Array.from({ length: count }, (_, n) => `${word} ${n}`).join("\n"))
