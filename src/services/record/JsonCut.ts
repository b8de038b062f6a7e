/** Cuts a sync's resources out of its body's bytes, so that each is stored exactly as it was sent. */

import {
  afterSpace,
  isClosing,
  isOpening,
  nameOf,
  type Span,
  spanAt,
  stringEnd,
  textOf
} from "../../clinical/JsonSpans.ts"
import { InvalidRequest, PayloadTooLarge } from "../../domain/Errors.ts"
import { syncLimits } from "../../domain/SyncLimits.ts"

const [quote, comma, openBrace, openBracket, closeBracket] = [0x22, 0x2c, 0x7b, 0x5b, 0x5d]

/** The deepest nesting that a request may have. */
export const maximumDepth = 64

/**
 * Limits each of two numbers: values in one element, and values outside the elements. Each value becomes an object, and
 * a full heap would end the process. The largest FHIR resource has about 10,000 values.
 */
const maxValues = 500_000

const tooMany = (member: string) =>
  InvalidRequest.at([member], `Expected at most ${maxValues} values in each element, and around them`)

export interface Cut {
  /** The JSON without the elements. An array that had some holds their first index in `slices` and their number. */
  readonly outer: string
  /** The place of each element in the bytes, in the order of the bytes. */
  readonly slices: ReadonlyArray<Span>
}

/**
 * Cuts the elements out of `{[member]: {anything: [element, ...]}}`, and checks no grammar. The bytes are valid JSON if
 * and only if `outer` and every slice are.
 * @throws `InvalidRequest` for too many values, `PayloadTooLarge` for more elements than a sync may have.
 */
export const cutElements = (bytes: Uint8Array, member: string): Cut => {
  const slices: Array<Span> = []
  let outer = ""
  let copied = 0
  let depth = 0
  let name = { start: 0, end: 0 }
  let inside = false
  let values = 0
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at]!
    if (byte === quote) {
      const end = stringEnd(bytes, at)
      if (depth === 1) name = { start: at, end }
      at = end
      continue
    }
    at++
    if (isOpening(byte)) {
      depth++
      if (++values > maxValues) throw tooMany(member)
      if (depth === 2) inside = byte === openBrace && nameOf(bytes, name) === member
      if (depth === 3 && inside && byte === openBracket) {
        const first = slices.length
        const from = at
        let end = at
        while (true) {
          const start = afterSpace(bytes, at)
          if (start >= bytes.length || bytes[start] === closeBracket || bytes[start] === comma) break
          const slice = spanAt(bytes, start, maxValues)
          if (slice === undefined) throw tooMany(member)
          if (slices.push(slice) > syncLimits.resources) throw new PayloadTooLarge(PayloadTooLarge.resources)
          end = slice.end
          at = afterSpace(bytes, end)
          if (bytes[at] !== comma) break
          at++
        }
        if (end === from) continue
        // What follows the last element stays, so that parsing `outer` finds an error there, such as a superfluous
        // comma. The blank ends the count: without it, a `.0` that follows would become part of that number.
        outer += `${textOf(bytes, { start: copied, end: from })}${first},${slices.length - first} `
        copied = end
      }
    } else if (isClosing(byte)) {
      depth--
    } else if (byte === comma && ++values > maxValues) throw tooMany(member)
  }
  return { outer: outer + textOf(bytes, { start: copied, end: bytes.length }), slices }
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
    if (isOpening(byte)) deepest = Math.max(deepest, ++depth)
    else if (isClosing(byte)) depth--
  }
  return deepest
}
