import { PNG } from "pngjs"
import { onPaper, type Picture } from "../pdf/Picture.ts"
import type { Dialogue } from "../platform/Dialogue.ts"

/** Maximum size of a picture (roi-authorization.md). */
const maxBytes = 200_000

/** Base64 has four characters for three bytes. */
const maxBase64 = Math.ceil(maxBytes / 3) * 4

const tooLarge = "Expected a picture of at most 200 kB"

/** More pixels than a phone's screen draws. Without this limit, a small file could unpack to gigabytes. */
const maxPixels = 4_000_000

/** Reads one drawing. A worker process runs this (Workers.ts), once per release. */
export default function readDrawing({ hear, tell }: Dialogue<string, Picture | string>) {
  tell(readDrawnSignature(hear()))
}

/** Reads a drawn signature from base64 (RFC 4648). Returns only its pixels, or a message that says what is wrong. */
export function readDrawnSignature(base64: string): Picture | string {
  if (base64.length > maxBase64) return tooLarge
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0) return "Expected base64"
  const file = Buffer.from(base64, "base64")
  if (file.length > maxBytes) return tooLarge
  const chunks = chunksOf(file)
  if (chunks === undefined) return "Expected a PNG picture"
  if (chunks === "cut") return "Expected a PNG picture that is whole"
  const [header, ...others] = chunks
  if (header?.type !== "IHDR" || header.data.length !== 13 || others.some(({ type }) => !drawing.includes(type))) {
    return "Expected a PNG picture of one header, a palette and pixels"
  }
  const [width, height, interlaced] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4), header.data[12] !== 0]
  if (width * height > maxPixels) return "Expected a picture of at most 4 million pixels"
  if (interlaced) return "Expected a PNG picture that is not interlaced"
  try {
    return onPaper(PNG.sync.read(Buffer.concat([signature, ...chunks.map(({ bytes }) => bytes)])))
  } catch {
    return "Expected a PNG picture that is whole"
  }
}

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1")

/** The chunks that may follow the header. In the decoder, a second header (IHDR) would replace the checked one. */
const drawing = ["PLTE", "tRNS", "IDAT", "IEND"]

interface Chunk {
  readonly type: string
  readonly data: Buffer
  /** The whole chunk: length, type, data and checksum (PNG, 5.3). */
  readonly bytes: Buffer
}

/**
 * Returns the first chunk of a PNG file, all critical chunks and tRNS, up to IEND. The caller checks that the first one
 * is the header (PNG, 5.6). Other chunks (text, times, colour profiles) are dropped, so that the decoder sees only
 * checked chunks.
 * @returns "cut" if the file ends early, undefined if it is not a PNG file.
 */
const chunksOf = (file: Buffer): ReadonlyArray<Chunk> | "cut" | undefined => {
  if (!file.subarray(0, signature.length).equals(signature)) return undefined
  const chunks: Array<Chunk> = []
  for (let at = signature.length; at + 12 <= file.length;) {
    const end = at + 12 + file.readUInt32BE(at)
    if (end > file.length) return "cut"
    const type = file.toString("latin1", at + 4, at + 8)
    const isCritical = /^[A-Z]/.test(type)
    if (isCritical || type === "tRNS" || at === signature.length) {
      chunks.push({ type, data: file.subarray(at + 8, end - 4), bytes: file.subarray(at, end) })
    }
    if (type === "IEND") return chunks
    at = end
  }
  return "cut"
}
