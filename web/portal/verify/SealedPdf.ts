/** Reads the document number and the seals of a PDF (ISO 32000-1, 12.8.1). */

const chunkBytes = 1024 * 1024

/** Longer than any match, so that none is cut in two by the end of a chunk. */
const overlap = 256

const latin1 = new TextDecoder("latin1")

/** Yields each match in the bytes. It pauses after every megabyte, so that the page stays responsive. */
const matches = async function*(bytes: Uint8Array, pattern: RegExp) {
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    const text = latin1.decode(bytes.subarray(start, start + chunkBytes + overlap))
    for (const match of text.matchAll(pattern)) if (match.index < chunkBytes) yield match
    await new Promise((resolve) => setTimeout(resolve))
  }
}

export const isPdf = (bytes: Uint8Array) => latin1.decode(bytes.subarray(0, 1024)).includes("%PDF-")

/**
 * Returns the document number in the PDF's metadata, or undefined if there is none. A file may claim any number, so the
 * service decides whether the number belongs to the file.
 */
export const documentIdIn = async (bytes: Uint8Array): Promise<string | undefined> => {
  let last: string | undefined
  const identifier = /<dc:identifier>urn:uuid:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})<\/dc:identifier>/g
  for await (const [, id] of matches(bytes, identifier)) last = id
  return last
}

/** A signature, and the bytes that it covers. */
export interface Seal {
  /** CMS SignedData (RFC 5652) in DER. */
  readonly signature: Uint8Array<ArrayBuffer>
  readonly signed: Uint8Array<ArrayBuffer>
  /** True if the signature covers every byte except itself, so nothing was added after it. */
  readonly whole: boolean
}

/** The most signatures that are tried. */
const maxSeals = 20

const byteRange = /\/ByteRange\s{0,9}\[\s{0,9}0\s{1,9}(\d{1,10})\s{1,9}(\d{1,10})\s{1,9}(\d{1,10})\s{0,9}\]/g

/** The signatures in the file, in order. Malformed ones are left out. */
export const sealsIn = async (bytes: Uint8Array<ArrayBuffer>): Promise<ReadonlyArray<Seal>> => {
  const seals: Array<Seal> = []
  for await (const [, from, to, length] of matches(bytes, byteRange)) {
    const seal = sealAt(bytes, Number(from), Number(to), Number(length))
    if (seal !== undefined && seals.push(seal) === maxSeals) break
  }
  return seals
}

/** Larger than any signature with its certificates. */
const maxSignatureLength = 100_000

const sealAt = (bytes: Uint8Array<ArrayBuffer>, from: number, to: number, length: number): Seal | undefined => {
  if (to - from < 4 || to - from > maxSignatureLength || to + length > bytes.length) return undefined
  const digits = /^<((?:[0-9a-f]{2})+)>$/i.exec(latin1.decode(bytes.subarray(from, to)))?.[1]
  if (digits === undefined) return undefined
  const signed = new Uint8Array(from + length)
  signed.set(bytes.subarray(0, from))
  signed.set(bytes.subarray(to, to + length), from)
  return {
    signature: Uint8Array.from(digits.match(/../g)!, (pair) => Number.parseInt(pair, 16)),
    signed,
    whole: to + length === bytes.length
  }
}
