/**
 * JSON (RFC 8259) as bytes, where the exact text matters: FHIR makes the precision of a decimal significant, so a
 * resource is kept as it was sent and never parsed and written again.
 */

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const comma = 0x2c
const colon = 0x3a

/** How deep a request may nest. */
export const maximumDepth = 64

/** A value's place in the bytes, `end` exclusive. */
export interface Slice {
  readonly start: number
  readonly end: number
}

export interface Cut {
  /** The text with each cut value replaced by its index in `slices`. */
  readonly outer: string
  readonly slices: ReadonlyArray<Slice>
}

/**
 * Cuts the elements out of `{[member]: {anything: [element, ...]}}`. It checks no grammar: if `outer` and every slice
 * are valid JSON then so are the bytes, and a malformed document yields an `outer` or a slice that does not parse.
 */
export const cutElements = (bytes: Uint8Array, member: string): Cut => {
  const slices: Array<Slice> = []
  let outer = ""
  let copied = 0
  let depth = 0
  let key = ""
  let inside = false
  const decode = (start: number, end: number) => Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at]!
    if (byte === quote) {
      const end = stringEnd(bytes, at)
      if (depth === 1) key = decode(at + 1, end - 1)
      at = end
      continue
    }
    at++
    if (byte === openBrace || byte === openBracket) {
      depth++
      if (depth === 2) inside = byte === openBrace && key === member
      if (depth === 3 && inside && byte === openBracket) {
        while (true) {
          const start = afterSpace(bytes, at)
          if (start >= bytes.length || bytes[start] === closeBracket || bytes[start] === comma) break
          const end = valueEnd(bytes, start)
          outer += decode(copied, start) + slices.length
          slices.push({ start, end })
          copied = end
          at = afterSpace(bytes, end)
          if (bytes[at] !== comma) break
          at++
        }
      }
    } else if (byte === closeBrace || byte === closeBracket) {
      depth--
    }
  }
  return { outer: outer + decode(copied, bytes.length), slices }
}

/** The deepest nesting of objects and arrays. */
export const depthOf = (bytes: Uint8Array, { end, start }: Slice = { start: 0, end: bytes.length }): number => {
  let depth = 0
  let deepest = 0
  for (let at = start; at < end;) {
    const byte = bytes[at]!
    if (byte === quote) {
      at = stringEnd(bytes, at)
      continue
    }
    at++
    if (byte === openBrace || byte === openBracket) deepest = Math.max(deepest, ++depth)
    else if (byte === closeBrace || byte === closeBracket) depth--
  }
  return deepest
}

const afterSpace = (bytes: Uint8Array, at: number) => {
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++
  return at
}

/** After the closing quote of the string that starts at `at`. */
const stringEnd = (bytes: Uint8Array, at: number) => {
  for (at++; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === backslash) at++
    else if (byte === quote) return at + 1
  }
  return bytes.length
}

/** After the value that starts at `at`; never before `at + 1`. */
const valueEnd = (bytes: Uint8Array, at: number) => {
  if (bytes[at] === quote) return stringEnd(bytes, at)
  let depth = 0
  while (at < bytes.length) {
    const byte = bytes[at]!
    if (byte === quote) {
      at = stringEnd(bytes, at)
      continue
    }
    if (depth === 0 && (byte === comma || byte === closeBracket || byte === closeBrace || byte === colon)) return at
    at++
    if (byte === openBrace || byte === openBracket) depth++
    else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) return at
  }
  return at
}
