import { isUtf8 } from "node:buffer"
import { markup, type RichText, rtf } from "./RichText.ts"
import { hiddenCharacters } from "./Words.ts"
import { WordSearch } from "./WordSearch.ts"

const asWritten = new WordSearch()

const asRead = new WordSearch()

/** Finds categories by words. A hidden character may separate words or stand within one: both readings are searched. */
export const searchText = (text: string): number => {
  const seen = text.replace(hiddenCharacters, "")
  return searchReading(text) | (seen.length < text.length ? searchReading(seen) : 0)
}

/** Searches a text as it is, and a text with tags or entities also as markup. */
const searchReading = (text: string): number => {
  asWritten.feed(text, true)
  const { sawMarkup } = asWritten
  const found = asWritten.finish()
  if (!sawMarkup) return found
  const rich = richText(text)
  rich.feed(text)
  rich.end()
  return found | asRead.finish()
}

const isRtf = (beginning: string) => /^\s*\{\\rtf/.test(beginning)

const richText = (beginning: string) => isRtf(beginning) ? rtf(asRead) : markup(asRead)

/** Characters of base64 that are decoded in one step. */
const pieceLength = 65_536

/**
 * Finds categories by the words of an attachment's `data`, which is base64. Its first bytes show its type, even if
 * `contentType` differs. Plain text, HTML, XML and RTF are searched; PDF, pictures and other binary data are not.
 */
export const searchData = (data: string): number => {
  // A value with spaces is not base64, but probably the text itself.
  const found = data.includes(" ") ? searchText(data) : 0
  if (data.length > pieceLength) return found | searchPieces(decoded(data))
  const text = decodedWhole(data)
  return found | (isRtf(text) ? searchPieces([text]) : searchText(text))
}

/** Reads the pieces of one text as they are, and as markup or RTF. */
const searchPieces = (pieces: Iterable<string>): number => {
  let rich: RichText | undefined
  for (const piece of pieces) {
    rich ??= richText(piece)
    asWritten.feed(piece)
    rich.feed(piece)
  }
  rich?.end()
  return asWritten.finish() | asRead.finish()
}

const encodings = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const

type Encoding = typeof encodings[number]

/** Decoders are reused, because making one takes longer than decoding the few bytes of most attachments. */
const wholes = Object.fromEntries(encodings.map((encoding) => [encoding, new TextDecoder(encoding)])) as Record<
  Encoding,
  TextDecoder
>

/** Decodes a text in one piece. Returns an empty text for binary data. */
const decodedWhole = (data: string): string => {
  const bytes = Buffer.from(data.replace(/\s+/g, ""), "base64")
  const encoding = encodingOf(bytes)
  return encoding === undefined ? "" : wholes[encoding].decode(bytes)
}

function* decoded(data: string): Generator<string> {
  let decoder: TextDecoder | undefined
  let rest = ""
  for (let at = 0; at < data.length; at += pieceLength) {
    const characters = rest + data.slice(at, at + pieceLength).replace(/\s+/g, "")
    const whole = characters.length - characters.length % 4
    rest = characters.slice(whole)
    const bytes = Buffer.from(at + pieceLength < data.length ? characters.slice(0, whole) : characters, "base64")
    if (decoder === undefined) {
      const encoding = encodingOf(bytes)
      if (encoding === undefined) return
      decoder = new TextDecoder(encoding)
    }
    yield decoder.decode(bytes, { stream: true })
  }
}

const sample = 512

/** Detects a text's encoding by its first bytes. Returns undefined for binary data. */
const encodingOf = (bytes: Buffer): Encoding | undefined => {
  if (bytes.length === 0 || bytes.subarray(0, 5).toString("latin1") === "%PDF-") return undefined
  const head = bytes.subarray(0, sample)
  const zeros = (parity: number) => head.filter((byte, at) => byte === 0 && at % 2 === parity).length
  const even = zeros(0)
  const odd = zeros(1)
  if ((head[0] === 0xff && head[1] === 0xfe) || (even === 0 && odd > head.length / 4)) return "utf-16le"
  if ((head[0] === 0xfe && head[1] === 0xff) || (odd === 0 && even > head.length / 4)) return "utf-16be"
  if (even + odd > 0) return undefined
  return isUtf8(bytes.subarray(0, wholeLength(bytes))) ? "utf-8" : "windows-1252"
}

/** Returns the byte length without a cut-off last character. Its first byte tells its full length (RFC 3629, 3). */
const wholeLength = (bytes: Buffer): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) break
    if (byte < 0xc0) continue
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return back < needed ? bytes.length - back : bytes.length
  }
  return bytes.length
}
