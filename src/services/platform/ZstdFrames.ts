/**
 * Text as zstd frames, one behind the other: their contents follow each other (RFC 8878, 3). What is stored as a frame is
 * passed on as it is, between raw frames, whose content is not compressed. The frames read here are those that zlib made of
 * texts for this service: they need a window of 2 MiB at most, where RFC 9659 lets an answer have 8.
 */
export class ZstdFrame {
  readonly bytes: Buffer
  /** How many bytes the text has. */
  readonly contentLength: number

  private constructor(bytes: Buffer, contentLength: number) {
    this.bytes = bytes
    this.contentLength = contentLength
  }

  /** Undefined: the frame does not tell how long its text is (RFC 8878, 3.1.1.1.4). */
  static of(bytes: Buffer): ZstdFrame | undefined {
    const { length, start } = contentSizeAt(bytes[4]!)
    if (length === 0) return undefined
    const size = bytes.readUIntLE(start, Math.min(length, 6))
    return new ZstdFrame(bytes, length === 2 ? size + 256 : size)
  }
}

/** A block has at most so many bytes (RFC 8878, 3.1.1.2.4). */
const largestBlock = 128 * 1024

const blockHeadLength = 3

const rawHeadLength = 9

/** Where in a frame the length of its content stands, by the frame's descriptor (RFC 8878, 3.1.1.1). */
const contentSizeAt = (descriptor: number) => {
  const isOneSegment = (descriptor & 0x20) !== 0
  const dictionaryLength = [0, 1, 2, 4][descriptor & 3]!
  return {
    start: 5 + (isOneSegment ? 0 : 1) + dictionaryLength,
    length: [isOneSegment ? 1 : 0, 2, 4, 8][descriptor >> 6]!
  }
}

/** How long the raw frame of these texts is, one behind the other. */
export const rawFrameLength = (texts: ReadonlyArray<Uint8Array>) =>
  texts.reduce(
    (size, { length }) => size + length + blockHeadLength * Math.max(1, Math.ceil(length / largestBlock)),
    rawHeadLength
  )

/** Writes the raw frame of these texts, at least one; answers where it ends. */
export const writeRawFrame = (target: Buffer, at: number, texts: ReadonlyArray<Uint8Array>): number => {
  target.writeUInt32LE(0xfd2fb528, at)
  // It is one segment, and tells the length of its content in four bytes.
  target[at + 4] = 0xa0
  let end = target.writeUInt32LE(texts.reduce((size, { length }) => size + length, 0), at + 5)
  for (const [index, text] of texts.entries()) {
    for (let from = 0; from < text.length || from === 0; from += largestBlock) {
      const block = text.subarray(from, from + largestBlock)
      const isLast = index === texts.length - 1 && from + largestBlock >= text.length
      end = target.writeUIntLE(block.length << 3 | (isLast ? 1 : 0), end, blockHeadLength)
      target.set(block, end)
      end += block.length
    }
  }
  return end
}

/** Cuts such bytes into frames; `raw` is the content of one that is not compressed, in pieces. */
export const cutFrames = (bytes: Buffer) => {
  const frames: Array<{ readonly bytes: Buffer; readonly raw: ReadonlyArray<Buffer> | undefined }> = []
  for (let start = 0, at = 0; start < bytes.length; start = at) {
    const descriptor = bytes[start + 4]!
    const size = contentSizeAt(descriptor)
    at = start + size.start + size.length
    const raw: Array<Buffer> = []
    let isRaw = true
    for (let isLast = false; !isLast;) {
      const head = bytes.readUIntLE(at, blockHeadLength)
      const type = head >> 1 & 3
      at += blockHeadLength
      const block = bytes.subarray(at, at += type === 1 ? 1 : head >> 3)
      raw.push(block)
      isRaw &&= type === 0
      isLast = (head & 1) === 1
    }
    // A checksum of the content may follow the blocks.
    at += descriptor & 4
    frames.push({ bytes: bytes.subarray(start, at), raw: isRaw ? raw : undefined })
  }
  return frames
}
