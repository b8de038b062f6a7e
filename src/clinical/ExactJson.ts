/** A number that JavaScript would print otherwise than it was sent: `1.00`, `-1.000000000000000000E+245`. */
export class ExactNumber {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}

/**
 * `JSON.parse`, with an `ExactNumber` in the place of each number whose digits would change. FHIR makes the precision of a decimal
 * significant (R4, 2.24.0.1). Throws SyntaxError where the text is not JSON, and RangeError
 * where such a number stands among thousands of levels (a request has at most 64).
 */
export const parse = (text: string): unknown => hasInexactNumber(text) ? JSON.parse(text, keepSource) : JSON.parse(text)

/** A reviver costs several times the parsing itself, so that it is asked only where it has something to keep. */
const hasInexactNumber = (text: string) => {
  for (const [, number] of text.matchAll(numbers)) if (String(Number(number)) !== number) return true
  return false
}

/** Each number of a JSON text; in strings it may find more, which costs only time. */
const numbers = /(?:^|[[:,])\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=\s*(?:[\]},]|$))/g

const keepSource = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === "number" && context?.source !== undefined && String(value) !== context.source
    ? new ExactNumber(context.source)
    : value
