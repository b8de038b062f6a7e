/** Cuts the resources out of JSON, so that each keeps the exact text that was synchronized. */

import { isClosing, isOpening, type Span, spanAt, stringEnd, textOf } from "./JsonSpans.ts"

const quote = 0x22

/** The depth of `{sections: [{items: [{resource}]}]}` in a record view's answer. Nothing else of it nests as deep. */
const depthOfItems = 5

/** The depth of `{entry: [{resource}]}` in a FHIR Bundle, and of `{items: [{resource}]}` in a page of items. */
const depthInList = 3

const key = new TextEncoder().encode("\"resource\":")

interface CutJson {
  readonly answer: unknown
  readonly spans: ReadonlyArray<Span>
}

/** Cuts a record view's answer. */
export const cutRecord = (bytes: Uint8Array): CutJson => cut(bytes, depthOfItems)

/** Cuts a Bundle or a page of items. Throws if the bytes are no JSON: a Bundle may come from outside. */
export const cutList = (bytes: Uint8Array): CutJson => cut(bytes, depthInList)

/**
 * Returns the JSON with the index of a span in place of each resource at that depth. The service writes it without
 * spaces between a member's name and its value.
 */
const cut = (bytes: Uint8Array, depthOfResources: number): CutJson => {
  const spans: Array<Span> = []
  let outer = ""
  let copied = 0
  let depth = 0
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at]!
    if (byte === quote) {
      if (depth === depthOfResources && isKey(bytes, at)) {
        const span = spanAt(bytes, at + key.length, Infinity)!
        outer += textOf(bytes, { start: copied, end: span.start }) + spans.length
        spans.push(span)
        copied = span.end
        at = span.end
      } else at = stringEnd(bytes, at)
      continue
    }
    if (isOpening(byte)) depth++
    else if (isClosing(byte)) depth--
    at++
  }
  outer += textOf(bytes, { start: copied, end: bytes.length })
  return { answer: JSON.parse(outer), spans }
}

const isKey = (bytes: Uint8Array, at: number) => {
  for (let index = 0; index < key.length; index++) if (bytes[at + index] !== key[index]) return false
  return true
}
