import { Readable } from "node:stream"
import { ZipFile } from "yazl"

/** A file of the archive. Its content is read only when its turn comes. */
export interface ArchiveEntry {
  readonly name: string
  readonly content: AsyncIterable<Uint8Array>
  /** Pictures and PDFs are compressed already. */
  readonly isCompressed?: boolean
}

/** Fast, and 4 to 10 times smaller for FHIR in JSON. */
const compressionLevel = 4

/** Smaller pieces are joined up to this size, in bytes. */
const pieceBytes = 64 * 1024

/**
 * Makes a ZIP archive (with ZIP64) of files that are read one after another. The archive has no end if one of them
 * fails: the stream is destroyed with the error. To destroy the stream ends the reading.
 */
export const archive = (entries: AsyncIterable<ArchiveEntry>, at: Date): Readable => {
  const zip = new ZipFile()
  const out = zip.outputStream as Readable
  let current: Readable | undefined
  const add = ({ content, isCompressed = false, name }: ArchiveEntry) =>
    new Promise<void>((resolve) => {
      current = Readable.from(joined(content), { objectMode: false })
      current.once("close", resolve)
      zip.addReadStream(current, name, {
        mtime: at,
        mode: 0o100644,
        ...(isCompressed ? { compress: false } : { compressionLevel })
      })
    })
  const fill = async () => {
    for await (const entry of entries) {
      // yazl would open the content for nobody and never close it. Node ends a process that loses an open file.
      if (out.destroyed) return
      await add(entry)
    }
    zip.end()
  }
  zip.on("error", (error: Error) => out.destroy(error))
  // The reader sees an error that comes before it reads. Without a listener Node would end the process.
  out.on("error", () => {})
  out.once("close", () => current?.destroy())
  fill().catch((error: Error) => out.destroy(error))
  return out
}

const joined = async function*(content: AsyncIterable<Uint8Array>) {
  let pieces: Array<Uint8Array> = []
  let bytes = 0
  for await (const piece of content) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes < pieceBytes) continue
    yield Buffer.concat(pieces)
    pieces = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(pieces)
}
