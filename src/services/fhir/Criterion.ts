import { type DateRange, type Prefix, prefixes, rangeOf } from "./DateRange.ts"
import type { ParameterKind, SearchParameter } from "./SearchParameters.ts"

export interface WantedToken {
  /** If undefined, any system matches. An empty text matches codes without a system. */
  readonly system: string | undefined
  /** If undefined, any code of the system matches. */
  readonly code: string | undefined
}

export interface WantedDate {
  readonly prefix: Prefix
  readonly range: DateRange
}

/** One parameter of a search. A resource meets it if any of its values matches any of the wanted values. */
export type Criterion =
  | { readonly kind: "token"; readonly parameter: SearchParameter; readonly wanted: ReadonlyArray<WantedToken> }
  | { readonly kind: "date"; readonly parameter: SearchParameter; readonly wanted: ReadonlyArray<WantedDate> }

/** Splits at each separator that no backslash precedes (R4 search, 3.1.1.4.1.1). */
export const cutAt = (text: string, separator: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let part = ""
  for (let at = 0; at < text.length; at++) {
    if (text[at] === separator) {
      parts.push(part)
      part = ""
    } else part += text[at] === "\\" ? `\\${text[++at] ?? ""}` : text[at]
  }
  parts.push(part)
  return parts
}

export const unescaped = (text: string) => text.replaceAll(/\\(.)/gs, "$1")

/** Reads `[system|]code`. Returns undefined if both are empty. */
const tokenOf = (text: string): WantedToken | undefined => {
  const [first = "", ...rest] = cutAt(text, "|")
  const [head, code] = [unescaped(first), unescaped(rest.join("|"))]
  if (rest.length === 0) return head === "" ? undefined : { system: undefined, code: head }
  return head === "" && code === "" ? undefined : { system: head, code: code || undefined }
}

/** A plus sign that is not URL-encoded arrives as a space. No date contains a space, so it becomes a plus again. */
const withPlus = (text: string) => text.replace(/ (?=\d\d:\d\d$)/, "+")

/** Maximum length of a date in a search. A date with a prefix, nanoseconds and a zone has 37 characters. */
const maxDateLength = 40

export const dateOf = (text: string): WantedDate | undefined => {
  if (text.length > maxDateLength) return undefined
  const prefix = prefixes.find((prefix) => text.startsWith(prefix))
  const range = rangeOf(withPlus(prefix === undefined ? text : text.slice(prefix.length)))
  return range === undefined ? undefined : { prefix: prefix ?? "eq", range }
}

/** Reads comma-separated values. Returns undefined if any of them is invalid. */
export const eachOf = <A>(text: string, read: (value: string) => A | undefined): ReadonlyArray<A> | undefined => {
  const values = cutAt(text, ",").map(read)
  return values.every((value) => value !== undefined) ? values : undefined
}

export const criterionOf = (parameter: SearchParameter, text: string): Criterion | undefined => {
  if (parameter.kind === "token") {
    const wanted = eachOf(text, tokenOf)
    return wanted && { kind: "token", parameter, wanted }
  }
  const wanted = eachOf(text, dateOf)
  return wanted && { kind: "date", parameter, wanted }
}

export const expected: Record<ParameterKind, string> = {
  token: "Expected codes, each as 'code', 'system|code', 'system|' or '|code'",
  date: `Expected dates of FHIR, each with one of the prefixes ${prefixes.join(", ")} or none`
}
