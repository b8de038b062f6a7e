import { randomBytes } from "node:crypto"
import { open } from "node:fs/promises"
import { join } from "node:path"
import { PdfFile } from "../../../src/services/pdf/PdfFile.ts"
import { PdfWriter } from "../../../src/services/pdf/PdfWriter.ts"
import { makeIdentity } from "./Pdf.ts"

/**
 * Writes the veteran's and the recipient's copy of a large release into a directory. It is run as a separate process:
 * `large-file.ts <directory> <rows> <megabytes attached>`. Prints its figures as JSON.
 */
const [directory = "", rows = "", megabytes = ""] = process.argv.slice(2)

const megabyte = 1 << 20

const identity = await makeIdentity("rsa")

const written = async (name: string) => {
  const handle = await open(join(directory, name), "w")
  const file = new PdfFile(async (bytes) => {
    await handle.write(bytes)
  })
  return { file, close: () => handle.close() }
}

/** The peak memory in MiB before the writing begins, to subtract from the peak at the end. */
const before = process.resourceUsage().maxRSS / 1024

/** Processor time of this thread in milliseconds, which other processes do not affect. */
const worked = () => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1000
}

let longestHold = 0

let last = worked()

const watch = () => {
  const now = worked()
  longestHold = Math.max(longestHold, now - last)
  last = now
  watching = setImmediate(watch)
}

let watching = setImmediate(watch)

const rowsOf = async function*() {
  for (let n = 0; n < Number(rows); n++) {
    if (n % 100 === 0) await new Promise((resume) => setImmediate(resume))
    yield [
      [{ text: `2019-03-15 14:05 -07:00` }],
      [{ text: `Hemoglobin A1c/Hemoglobin.total in Blood, number ${n}`, bold: true }, { text: "LOINC 4548-4" }],
      [{ text: `${n}.00 %` }, { text: "Reference range 4.0 to 5.6" }],
      [{ text: "Final" }, { text: "High", bold: true }]
    ]
  }
}

/** Yields the attached bytes. Deflate can shorten half of them. */
const attached = async function*() {
  const text = Buffer.alloc(megabyte / 2, "{\"resourceType\":\"Observation\",\"value\":1.00}\n")
  for (let n = 0; n < Number(megabytes); n++) {
    yield text
    yield randomBytes(megabyte / 2)
  }
}

const cpuBefore = process.cpuUsage()
const started = performance.now()
const [own, recipients] = [await written("own.pdf"), await written("recipients.pdf")]
const both = [own.file, recipients.file]
const frame = { header: "A large release", footer: ["A footer", "in two lines"] }
const ownFrame = { ...frame, header: "A large release – Veteran’s copy" }
const metadata = {
  title: "A large release",
  author: "An author",
  subject: "A subject",
  language: "en-US",
  createdAt: new Date(),
  id: randomBytes(16)
}
const writer = new PdfWriter([frame, ownFrame])
const record = await writer.part([
  { kind: "heading", level: 1, text: "The record" },
  { kind: "table", headers: ["Date", "What", "Value", "Status"], widths: [2, 4, 3, 2], rows: rowsOf() }
], both)
const attachments = [
  await writer.attach({
    name: "record.fhir.json",
    mimeType: "application/fhir+json",
    description: "The record",
    relationship: "Data",
    createdAt: metadata.createdAt,
    bytes: attached()
  }, both)
]
await writer.finish(recipients.file, { parts: [record], frame, attachments, metadata, identity })
const first = await writer.part([{ kind: "paragraph", text: "For the veteran" }], [own.file])
await writer.finish(own.file, { parts: [first, record], frame: ownFrame, attachments, metadata, identity })
await Promise.all([own.close(), recipients.close()])
clearImmediate(watching)
const cpu = process.cpuUsage(cpuBefore)
console.log(JSON.stringify({
  pages: record.pages.length,
  seconds: (performance.now() - started) / 1000,
  /** The sum over all threads. */
  processorSeconds: (cpu.user + cpu.system) / 1e6,
  longestHold,
  before,
  peak: process.resourceUsage().maxRSS / 1024
}))
