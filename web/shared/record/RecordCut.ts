/**
 * An answer of the record view as bytes, cut so that each resource stays the exact text that was synchronised: FHIR makes the
 * precision of a decimal significant (R4, 2.24.0.1), and `JSON.parse` would make `1.00` into `1`.
 */

/** Where a resource's text stands in the bytes. */
export interface Place {
  readonly start: number
  readonly end: number
}

const [quote, backslash] = [0x22, 0x5c]

const decoder = new TextDecoder()

/** `{sections: [{items: [{resource}]}]}`: nothing else of the answer stands so deep. */
const depthOfItems = 5

const key = new TextEncoder().encode("\"resource\":")

/**
 * The answer, in which the index of its place stands for each resource. The bytes are written by the service: they are JSON, without
 * blanks between a member's name and its value.
 */
export const cutRecord = (bytes: Uint8Array): { readonly answer: unknown; readonly places: ReadonlyArray<Place> } => {
  const places: Array<Place> = []
  let outer = ""
  let copied = 0
  let depth = 0
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at]!
    if (byte === quote) {
      if (depth === depthOfItems && isKey(bytes, at)) {
        const start = at + key.length
        const end = valueEnd(bytes, start)
        outer += decoder.decode(bytes.subarray(copied, start)) + places.length
        places.push({ start, end })
        copied = end
        at = end
      } else at = stringEnd(bytes, at)
      continue
    }
    if (isOpening(byte)) depth++
    else if (isClosing(byte)) depth--
    at++
  }
  outer += decoder.decode(bytes.subarray(copied))
  return { answer: JSON.parse(outer), places }
}

export const textAt = (bytes: Uint8Array, { end, start }: Place) => decoder.decode(bytes.subarray(start, end))

/** `{` and `[`, `}` and `]` differ in one bit. */
const isOpening = (byte: number) => (byte | 0x20) === 0x7b
const isClosing = (byte: number) => (byte | 0x20) === 0x7d

const isKey = (bytes: Uint8Array, at: number) => {
  for (let index = 0; index < key.length; index++) if (bytes[at + index] !== key[index]) return false
  return true
}

const stringEnd = (bytes: Uint8Array, start: number) => {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === backslash) at++
    else if (byte === quote) return at + 1
  }
  return bytes.length
}

/** Of an object, as each resource is one. */
const valueEnd = (bytes: Uint8Array, start: number) => {
  let depth = 0
  for (let at = start; at < bytes.length;) {
    const byte = bytes[at]!
    if (byte === quote) {
      at = stringEnd(bytes, at)
      continue
    }
    at++
    if (isOpening(byte)) depth++
    else if (isClosing(byte) && --depth === 0) return at
  }
  return bytes.length
}
