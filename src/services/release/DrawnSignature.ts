import { PNG } from "pngjs"
import { onPaper, type Picture } from "../pdf/Picture.ts"
import type { Dialogue } from "../platform/Dialogue.ts"

/** The file may have 200 kB (roi-authorization.md). */
const maximumBytes = 200_000

/** Four characters stand for three bytes. */
const maximumBase64 = Math.ceil(maximumBytes / 3) * 4

const tooLarge = "Expected a picture of at most 200 kB"

/** A phone's screen draws far fewer; a small file may claim to unpack to gigabytes. */
const maximumPixels = 4_000_000

/** Hears a drawing and answers it read. It is the work of a process (Workers.ts), and done once a release. */
export default function readDrawing({ hear, tell }: Dialogue<string, Picture | string>) {
  tell(readDrawnSignature(hear()))
}

/**
 * Reads a drawn signature from its base64 (RFC 4648). The answer holds the pixels and nothing else that the file may
 * have carried, or is a text that says what is wrong.
 */
export function readDrawnSignature(base64: string): Picture | string {
  if (base64.length > maximumBase64) return tooLarge
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0) return "Expected base64"
  const file = Buffer.from(base64, "base64")
  if (file.length > maximumBytes) return tooLarge
  const chunks = chunksOf(file)
  if (chunks === undefined) return "Expected a PNG picture"
  if (chunks === "cut") return "Expected a PNG picture that is whole"
  const [header, ...others] = chunks
  if (header?.type !== "IHDR" || header.data.length !== 13 || others.some(({ type }) => !drawing.includes(type))) {
    return "Expected a PNG picture of one header, a palette and pixels"
  }
  const [width, height, interlaced] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4), header.data[12] !== 0]
  if (width * height > maximumPixels) return "Expected a picture of at most 4 million pixels"
  if (interlaced) return "Expected a PNG picture that is not interlaced"
  try {
    return onPaper(PNG.sync.read(Buffer.concat([signature, ...chunks.map(({ bytes }) => bytes)])))
  } catch {
    return "Expected a PNG picture that is whole"
  }
}

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1")

/** What may stand behind the header: a second header would be the one that the decoder obeys (PNG, 5.6). */
const drawing = ["PLTE", "tRNS", "IDAT", "IEND"]

interface Chunk {
  readonly type: string
  readonly data: Buffer
  /** The whole chunk: length, type, data and checksum (PNG, 5.3). */
  readonly bytes: Buffer
}

/**
 * The first chunk, which has to be the header (PNG, 5.6), and those that make the picture, up to IEND: the critical ones and
 * tRNS. What else a file carries (text, times, colour profiles) is left behind, so that the decoder sees nothing that was not
 * looked at.
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
