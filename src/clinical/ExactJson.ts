/** A number that JavaScript would print differently: `1.00`, `-1.000000000000000000E+245`. */
export class ExactNumber {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}

/**
 * Parses JSON. A number whose digits would change becomes an `ExactNumber`, because FHIR makes the precision of a
 * decimal significant (R4, 2.24.0.1). Throws SyntaxError if the text is not JSON. Throws RangeError if a text with such
 * a number also has thousands of nested levels, but a request may have only 64 levels.
 */
export const parse = (text: string): unknown => hasInexactNumber(text) ? JSON.parse(text, keepSource) : JSON.parse(text)

/** Returns undefined for a text that is not JSON. Every stored text is JSON, but any other would still get a row. */
export const parsedOrNothing = (text: string): unknown => {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

/** A reviver costs several times the parsing itself, so it is used only if a number needs it. */
const hasInexactNumber = (text: string) => {
  for (const [, number] of text.matchAll(numbers)) if (String(Number(number)) !== number) return true
  return false
}

/** Matches each number of a JSON text. A match within a string only makes `parse` use the slower reviver. */
const numbers = /(?:^|[[:,])\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=\s*(?:[\]},]|$))/g

const keepSource = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === "number" && context?.source !== undefined && String(value) !== context.source
    ? new ExactNumber(context.source)
    : value
