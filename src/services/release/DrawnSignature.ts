import { PNG } from "pngjs"
import type { Picture } from "../pdf/Picture.ts"

/** The file may have 200 kB (roi-authorization.md). */
const maximumBytes = 200_000

/** A phone's screen draws far fewer; a small file may claim to unpack to gigabytes. */
const maximumPixels = 4_000_000

/**
 * Reads a drawn signature from its base64 (RFC 4648). The answer holds the pixels and nothing else that the file may
 * have carried, or is a text that says what is wrong.
 */
export const readDrawnSignature = (base64: string): Picture | string => {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0) return "Expected base64"
  const file = Buffer.from(base64, "base64")
  if (file.length > maximumBytes) return "Expected a picture of at most 200 kB"
  // A file begins with a signature and IHDR, which has width, height and, at 28, the interlace method (PNG, 11.2.1).
  const isPng = file.length > 33 && file.toString("latin1", 0, 8) === "\x89PNG\r\n\x1a\n" &&
    file.toString("latin1", 12, 16) === "IHDR"
  if (!isPng) return "Expected a PNG picture"
  const [width, height, interlaced] = [file.readUInt32BE(16), file.readUInt32BE(20), file[28] !== 0]
  if (width * height > maximumPixels) return "Expected a picture of at most 4 million pixels"
  if (interlaced) return "Expected a PNG picture that is not interlaced"
  try {
    return PNG.sync.read(file)
  } catch {
    return "Expected a PNG picture that is whole"
  }
}
