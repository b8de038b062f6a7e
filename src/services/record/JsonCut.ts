/**
 * This reads JSON (RFC 8259) as bytes, because the exact text matters: FHIR makes the precision of a decimal
 * significant, so a resource is kept as it was sent and never parsed and written again.
 */

import { InvalidRequest } from "../../domain/Errors.ts"

const quote = 0x22

const backslash = 0x5c

const openBrace = 0x7b

const closeBrace = 0x7d

const openBracket = 0x5b

const closeBracket = 0x5d

const comma = 0x2c

const colon = 0x3a

/** A request may nest this deep and no deeper. */
export const maximumDepth = 64

/**
 * So many elements are cut out, and so many values may stand within one of them or around them all: each becomes an object, in
 * memory that a process's limits do not bound in time. The largest records have some hundred thousand resources, the largest
 * FHIR resource some ten thousand values.
 */
const most = 500_000

const tooMany = (member: string) =>
  InvalidRequest.at([member], `Expected at most ${most} elements, and values in each of them and around them`)

/** Says where a value is in the bytes; `end` is the place after its last byte. */
export interface Slice {
  readonly start: number
  readonly end: number
  /** The value nests this deep. */
  readonly depth: number
}

export interface Cut {
  /**
   * The text in which each array that was cut holds only the index of its first slice and their number; an empty one
   * stays.
   */
  readonly outer: string
  readonly slices: ReadonlyArray<Slice>
}

/**
 * Cuts the elements out of `{[member]: {anything: [element, ...]}}`. It checks no grammar: if `outer` and every slice
 * are valid JSON then so are the bytes, and a malformed document yields an `outer` or a slice that does not parse. It throws
 * `InvalidRequest` where there are too many values.
 */
export const cutElements = (bytes: Uint8Array, member: string): Cut => {
  const slices: Array<Slice> = []
  let outer = ""
  let copied = 0
  let depth = 0
  let key: Uint8Array = bytes.subarray(0, 0)
  let inside = false
  let values = 0
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at]!
    if (byte === quote) {
      const end = stringEnd(bytes, at)
      if (depth === 1) key = bytes.subarray(at, end)
      at = end
      continue
    }
    at++
    if (byte === openBrace || byte === openBracket) {
      depth++
      if (++values > most) throw tooMany(member)
      if (depth === 2) inside = byte === openBrace && nameOf(key) === member
      if (depth === 3 && inside && byte === openBracket) {
        const first = slices.length
        const from = at
        let end = at
        while (true) {
          const start = afterSpace(bytes, at)
          if (start >= bytes.length || bytes[start] === closeBracket || bytes[start] === comma) break
          const slice = valueAt(bytes, start)
          if (slice === undefined || slices.push(slice) > most) throw tooMany(member)
          end = slice.end
          at = afterSpace(bytes, end)
          if (bytes[at] !== comma) break
          at++
        }
        if (end === from) continue
        // What follows the last element stays, a comma too many as well. A blank keeps a `.0` there from joining the
        // count.
        outer += `${decode(bytes, copied, from)}${first},${slices.length - first} `
        copied = end
      }
    } else if (byte === closeBrace || byte === closeBracket) {
      depth--
    } else if (byte === comma && ++values > most) throw tooMany(member)
  }
  return { outer: outer + decode(bytes, copied, bytes.length), slices }
}

const decode = (bytes: Uint8Array, start: number, end: number) =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()

/** Reads a member's name, which may be written with escapes; it is undefined where it is malformed. */
const nameOf = (key: Uint8Array): unknown => {
  try {
    return JSON.parse(decode(key, 0, key.length))
  } catch {
    return undefined
  }
}

/** Counts how deep objects and arrays nest. */
export const depthOf = (bytes: Uint8Array): number => {
  let depth = 0
  let deepest = 0
  for (let at = 0; at < bytes.length;) {
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

/** Finds the place after the closing quote of the string that starts at `at`. */
const stringEnd = (bytes: Uint8Array, at: number) => {
  for (at++; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === backslash) at++
    else if (byte === quote) return at + 1
  }
  return bytes.length
}

/** Finds the end of the value that starts at `start`; undefined where too many values stand in it. */
const valueAt = (bytes: Uint8Array, start: number): Slice | undefined => {
  if (bytes[start] === quote) return { start, end: stringEnd(bytes, start), depth: 0 }
  const { length } = bytes
  let at = start
  let depth = 0
  let deepest = 0
  let values = 0
  while (at < length) {
    const byte = bytes[at]!
    if (depth === 0 && (byte === comma || byte === closeBracket || byte === closeBrace || byte === colon)) break
    at++
    if (byte === quote) {
      // This repeats `stringEnd`, because a call for each of a record's strings costs as much again.
      while (at < length) {
        const within = bytes[at++]
        if (within === quote) break
        if (within === backslash) at++
      }
    } else if (byte === openBrace || byte === openBracket) {
      if (++depth > deepest) deepest = depth
      values++
    } else if (byte === comma) values++
    else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) break
    if (values > most) return undefined
  }
  return { start, end: Math.min(at, length), depth: deepest }
}
