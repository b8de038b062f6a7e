import { type DateRange, type Prefix, prefixes, rangeOf } from "./DateRange.ts"
import { type NameReadings, readingsOf } from "./NameReadings.ts"
import { wantedReference } from "./ReferenceKeys.ts"
import type {
  DateParameter,
  ParameterKind,
  ReferenceParameter,
  SearchParameter,
  StringParameter,
  TokenParameter
} from "./SearchParameters.ts"

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

interface Wanting<Parameter extends SearchParameter, Value> {
  readonly parameter: Parameter
  readonly wanted: ReadonlyArray<Value>
}

/** One parameter of a search. A resource meets it if any of its values matches any of the wanted values. */
export type Criterion =
  | { readonly kind: "date" } & Wanting<DateParameter, WantedDate>
  /** References are wanted by their keys (ReferenceKeys.ts). */
  | { readonly kind: "reference" } & Wanting<ReferenceParameter, ReadonlyArray<string>>
  | { readonly kind: "string" } & Wanting<StringParameter, NameReadings>
  | { readonly kind: "token" } & Wanting<TokenParameter, WantedToken>

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

/** `fhirBase` is this service's address: a reference under it is the same as a relative one. */
export const criterionOf = (parameter: SearchParameter, text: string, fhirBase: string): Criterion | undefined => {
  switch (parameter.kind) {
    case "date": {
      const wanted = eachOf(text, dateOf)
      return wanted && { kind: "date", parameter, wanted }
    }
    case "reference": {
      const wanted = eachOf(text, (one) => wantedReference(unescaped(one), parameter.target, fhirBase))
      return wanted && { kind: "reference", parameter, wanted }
    }
    case "string": {
      const wanted = eachOf(text, (one) => readingsOf(unescaped(one)))
      return wanted && { kind: "string", parameter, wanted }
    }
    case "token": {
      const wanted = eachOf(text, tokenOf)
      return wanted && { kind: "token", parameter, wanted }
    }
  }
}

export const expectedValues: Record<ParameterKind, string> = {
  date: `Expected dates of FHIR, each with one of the prefixes ${prefixes.join(", ")} or none`,
  reference: "Expected references, each as 'id', 'Type/id' or a URL",
  string: "Expected texts, each with a letter or a digit",
  token: "Expected codes, each as 'code', 'system|code', 'system|' or '|code'"
}
