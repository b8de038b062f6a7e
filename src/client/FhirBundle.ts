import { Option, Predicate, Schema } from "effect"
import { afterSpace, nameOf, type Span, spanAt, stringEnd, textOf } from "../clinical/JsonSpans.ts"
import type { RecordItem } from "../clinical/Sections.ts"
import { namedPatient } from "./NamedPatient.ts"

export interface SearchPage {
  /** Bundle.total, or 0 if it is absent. */
  readonly total: number
  /** The `next` link, unchanged: absolute or relative. */
  readonly next: string | undefined
  /** `text` is the exact JSON text. `match` is true if Bundle.total counts the resource (by its `search.mode`). */
  readonly resources: ReadonlyArray<{
    readonly id: string
    readonly text: string
    readonly match: boolean
    /** Id of the patient that the resource is about; undefined if it names none. */
    readonly patient: string | undefined
  }>
  /** Number of entries that a sync cannot take. If there are any, the type may be incomplete. */
  readonly leftOut: number
}

/** VA's servers write null for some absent members, although FHIR's JSON allows no null there. */
const absent = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** FHIR R4, 3.1.1.3. A looser schema could accept a body that is no search result, and read it as an empty record. */
const Searchset = Schema.Struct({
  resourceType: Schema.Literal("Bundle"),
  type: Schema.Literal("searchset"),
  total: absent(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
  link: absent(Schema.Array(Schema.Struct({ relation: Schema.String, url: Schema.String }))),
  entry: absent(Schema.Array(Schema.Unknown))
})

const Entry = Schema.Struct({
  resource: Schema.Struct({
    resourceType: Schema.String,
    id: Schema.String.check(Schema.isPattern(/^[A-Za-z0-9\-.]{1,64}$/))
  }),
  search: absent(Schema.Struct({ mode: absent(Schema.String) }))
})

const Search = Schema.Struct({ search: Schema.Struct({ mode: Schema.Literals(["include", "outcome"]) }) })

const decodeSearchset = Schema.decodeUnknownOption(Schema.fromJsonString(Searchset))

const decodeEntry = Schema.decodeUnknownOption(Entry)

const isNoMatch = Schema.is(Search)

/** R4's issue code `transient` and its child codes. A search with one of these issues may be incomplete. */
const mayLack = ["transient", "lock-error", "no-store", "exception", "timeout", "incomplete", "throttled"]

/** An OperationOutcome about the search, without an issue that could mean that results are missing. */
const Hint = Schema.Struct({
  resource: Schema.Struct({
    resourceType: Schema.Literal("OperationOutcome"),
    issue: Schema.NonEmptyArray(Schema.Struct({
      severity: Schema.Literals(["information", "warning"]),
      code: Schema.String.check(Schema.makeFilter((code) => !mayLack.includes(code)))
    }))
  })
})

const isHint = Schema.is(Hint)

/** A resource that is included beside the matches. One of another type can be skipped: its own type is searched too. */
const Included = Schema.Struct({
  resource: Schema.Struct({ resourceType: Schema.String }),
  search: Schema.Struct({ mode: Schema.Literal("include") })
})

const isIncluded = Schema.is(Included)

/** Whether the entry can be skipped, because the type is complete without it. */
const isBeside = (value: unknown, resourceType: string) =>
  isHint(value) || isIncluded(value) && value.resource.resourceType !== resourceType

/** Cuts the resources out of a page's text, because serialising them would turn `1.00` into `1` (FHIR, decimal). */
export const parseSearchPage = (text: string, resourceType: string): Option.Option<SearchPage> =>
  Option.map(decodeSearchset(text), ({ entry, link, total }) => {
    const entries = entry ?? []
    const bytes = encoder.encode(text)
    const spans = entries.length === 0 ? [] : elements(bytes, memberOf(bytes, 0, "entry")!)
    let leftOut = 0
    const resources = entries.flatMap((value, index) => {
      if (!isSynchronisable(value, resourceType)) {
        if (!isBeside(value, resourceType)) leftOut++
        return []
      }
      return [{
        id: value.resource.id,
        text: textOf(bytes, memberOf(bytes, spans[index]!.start, "resource")!),
        match: !isNoMatch(value),
        patient: namedPatient(value.resource)
      }]
    })
    return {
      total: total ?? 0,
      next: link?.find(({ relation }) => relation === "next")?.url,
      resources,
      leftOut
    }
  })

/** Returns the resources of a Bundle's text, each as its exact text. */
export const parseBundle = (text: string): ReadonlyArray<RecordItem> => {
  const bytes = encoder.encode(text)
  const list = memberOf(bytes, 0, "entry")
  return list === undefined ? [] : elements(bytes, list).map(({ start }) => {
    const resource = textOf(bytes, memberOf(bytes, start, "resource")!)
    const { id, resourceType } = JSON.parse(resource)
    return { resourceType, fhirId: id, text: resource }
  })
}

/** Returns the exact text of a JSON object's member. If the name is repeated, the last one counts, as in JSON.parse. */
export const memberText = (text: string, name: string): string | undefined => {
  const bytes = encoder.encode(text)
  const span = memberOf(bytes, 0, name)
  return span && textOf(bytes, span)
}

/**
 * Whether the service takes the entry as an item of the type (contract, parts 1 and 5). The service refuses a whole
 * sync for one invalid entry. An OperationOutcome is about the search and is not part of the record.
 */
const isSynchronisable = (value: unknown, resourceType: string): value is typeof Entry.Type =>
  Option.exists(
    decodeEntry(value),
    ({ resource, search }) => resource.resourceType === resourceType && search?.mode !== "outcome"
  ) &&
  isStorable((value as typeof Entry.Type).resource, deepestResource)

/** The service accepts 64 levels of JSON in a request, three of which surround each resource. */
const deepestResource = 61

/** Whether names and strings have no NUL and no lone surrogate, and the value is not nested too deeply. */
const isStorable = (value: unknown, levels: number): boolean => {
  if (Predicate.isString(value)) return value.isWellFormed() && !value.includes("\0")
  if (!Predicate.isObjectOrArray(value)) return true
  return levels > 0 &&
    Object.entries(value).every(([name, member]) => isStorable(name, 0) && isStorable(member, levels - 1))
}

const encoder = new TextEncoder()

const [comma, colon, closeBracket, closeBrace] = [0x2c, 0x3a, 0x5d, 0x7d]

/** The elements of the array at `start`, in JSON that `JSON.parse` has accepted. */
const elements = (bytes: Uint8Array, { start }: Span): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  for (let at = nextToken(bytes, start + 1); bytes[at] !== closeBracket;) {
    const span = spanAt(bytes, at, Infinity)!
    spans.push(span)
    at = nextToken(bytes, span.end)
  }
  return spans
}

/**
 * Finds a member by its name in the object at `start`; white space may precede the object. If the name is repeated, the
 * last member counts. `JSON.parse` must have accepted the JSON.
 */
const memberOf = (bytes: Uint8Array, start: number, name: string): Span | undefined => {
  let member: Span | undefined
  for (let at = nextToken(bytes, afterSpace(bytes, start) + 1); bytes[at] !== closeBrace;) {
    const memberName = { start: at, end: stringEnd(bytes, at) }
    const value = spanAt(bytes, nextToken(bytes, memberName.end), Infinity)!
    if (nameOf(bytes, memberName) === name) member = value
    at = nextToken(bytes, value.end)
  }
  return member
}

/** Skips white space, and a comma or colon within it. */
const nextToken = (bytes: Uint8Array, at: number) => {
  const next = afterSpace(bytes, at)
  return bytes[next] === comma || bytes[next] === colon ? afterSpace(bytes, next + 1) : next
}
