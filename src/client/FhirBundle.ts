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

/**
 * Cuts the resources out of a page, because serialising them would turn `1.00` into `1` (FHIR, decimal). Entries are
 * parsed one by one, because the objects of a whole page would take much of a phone's memory.
 */
export const parseSearchPage = (page: Uint8Array, resourceType: string): Option.Option<SearchPage> =>
  Option.gen(function*() {
    const bytes = page.subarray(startsWithMark(page) ? 3 : 0)
    const { entries, rest } = yield* entriesOf(bytes)
    const { link, total } = yield* decodeSearchset(rest)
    let leftOut = 0
    const resources: Array<SearchPage["resources"][number]> = []
    for (const entry of entries) {
      const value = yield* valueOf(bytes, entry)
      if (isSynchronisable(value, resourceType)) {
        resources.push({
          id: value.resource.id,
          text: textOf(bytes, memberOf(bytes, entry.start, "resource")!),
          match: !isNoMatch(value),
          patient: namedPatient(value.resource)
        })
      } else if (!isBeside(value, resourceType)) leftOut++
    }
    const next = link?.find(({ relation }) => relation === "next")?.url
    return { total: total ?? 0, next, resources, leftOut }
  })

/** Whether the byte order mark is before the text, which a reader of JSON may ignore (RFC 8259, 8.1). */
const startsWithMark = ([first, second, third]: Uint8Array) => first === 0xef && second === 0xbb && third === 0xbf

/** Fails on invalid UTF-8, because a replacement character would silently change a resource. */
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const decodeStrictly = Option.liftThrowable((bytes: Uint8Array) => strict.decode(bytes))

const valueOf = Option.liftThrowable((bytes: Uint8Array, { end, start }: Span): unknown =>
  JSON.parse(strict.decode(bytes.subarray(start, end)))
)

/**
 * Finds a page's entries, and the text of the page without them. The page is JSON if both are, and only then. If the
 * member `entry` is no array, it stays in the text.
 */
const entriesOf = (bytes: Uint8Array) => {
  const list = memberOf(bytes, 0, "entry")
  const entries = list && elements(bytes, list)
  if (list === undefined || entries === undefined) {
    return Option.map(decodeStrictly(bytes), (rest) => ({ entries: [], rest }))
  }
  const parts = [bytes.subarray(0, list.start), bytes.subarray(list.end)].map(decodeStrictly)
  return Option.map(Option.all(parts), (texts) => ({ entries, rest: texts.join("[]") }))
}

/** Returns the resources of a Bundle's text, each as its exact text. */
export const parseBundle = (text: string): ReadonlyArray<RecordItem> => {
  const bytes = encoder.encode(text)
  const list = memberOf(bytes, 0, "entry")
  const entries = list && elements(bytes, list)
  return (entries ?? []).map(({ start }) => {
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

const [comma, colon, openBracket, closeBracket, closeBrace] = [0x2c, 0x3a, 0x5b, 0x5d, 0x7d]

/** The elements of an array. Returns undefined for another value, and if commas do not separate the elements. */
const elements = (bytes: Uint8Array, { end, start }: Span): ReadonlyArray<Span> | undefined => {
  if (bytes[start] !== openBracket) return undefined
  const spans: Array<Span> = []
  let at = afterSpace(bytes, start + 1)
  if (at === end - 1 && bytes[at] === closeBracket) return spans
  for (;;) {
    const span = spanAt(bytes, at, Infinity)!
    // Without this, a page of commas would become millions of spans.
    if (span.end === at) return undefined
    spans.push(span)
    at = afterSpace(bytes, span.end)
    if (at === end - 1 && bytes[at] === closeBracket) return spans
    if (bytes[at] !== comma) return undefined
    at = afterSpace(bytes, at + 1)
  }
}

/**
 * Finds a member by its name in the object at `start`; white space may precede the object. If the name is repeated, the
 * last member counts, as in JSON.parse. In bytes that are no JSON it may find anything.
 */
const memberOf = (bytes: Uint8Array, start: number, name: string): Span | undefined => {
  let member: Span | undefined
  for (let at = nextToken(bytes, afterSpace(bytes, start) + 1); at < bytes.length && bytes[at] !== closeBrace;) {
    const memberName = { start: at, end: stringEnd(bytes, at) }
    const value = spanAt(bytes, nextToken(bytes, memberName.end), Infinity)!
    const read = nameOf(bytes, memberName)
    if (read === undefined) return undefined
    if (read === name) member = value
    at = nextToken(bytes, value.end)
  }
  return member
}

/** Skips white space, and a comma or colon within it. */
const nextToken = (bytes: Uint8Array, at: number) => {
  const next = afterSpace(bytes, at)
  return bytes[next] === comma || bytes[next] === colon ? afterSpace(bytes, next + 1) : next
}
