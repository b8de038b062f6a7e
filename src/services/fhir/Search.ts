import { Effect } from "effect"
import { InvalidRequest } from "../../domain/Errors.ts"
import { isFhirType } from "../../domain/FhirType.ts"
import {
  type Criterion,
  criterionOf,
  cutAt,
  dateOf,
  eachOf,
  expectedValues,
  unescaped,
  type WantedDate
} from "./Criterion.ts"
import { type Include, includeOf, includesOf } from "./Includes.ts"
import { type Order, orderOf, orderWords } from "./ListingOrder.ts"
import { parametersOf } from "./SearchParameters.ts"

export interface Listing {
  /** If undefined, any id matches. */
  readonly ids: ReadonlyArray<string> | undefined
  /** Conditions on when this service stored the current text. An item must match one date of each list. */
  readonly updated: ReadonlyArray<ReadonlyArray<WantedDate>>
  readonly count: number
  readonly criteria: ReadonlyArray<Criterion>
  readonly cursor: string | undefined
  /** The recognised parameters as they were sent, for the bundle's `self` link. */
  readonly understood: ReadonlyArray<readonly [name: string, value: string]>
  /** The names of the parameters that were ignored, each once. */
  readonly ignored: ReadonlyArray<string>
}

export interface Search extends Listing {
  /** Lists of patients, as ids, `Patient/id` or whole URLs. A resource's patient must be in each list. */
  readonly patients: ReadonlyArray<ReadonlyArray<string>>
  /** If undefined, the matches are ordered by their ids. */
  readonly order: Order | undefined
  readonly includes: ReadonlyArray<Include>
}

export interface Everything extends Listing {
  readonly types: ReadonlyArray<string> | undefined
}

export interface Handling {
  /** Whether unknown parameters are refused (`prefer: handling=strict`) and not ignored. */
  readonly strict: boolean
  /** The address of this FHIR API, without a slash at its end. */
  readonly fhirBase: string
}

type Pairs = ReadonlyArray<readonly [name: string, value: string]>

export const defaultCount = 100

export const maxCount = 1000

const cursorName = "_cursor"

/** `_summary=count` means the same as `_count=0`: only the number of matches. */
const summary = ["_summary", "count"] as const

/** Parameters of the answer's format, not of its content. */
const formatParameters: ReadonlySet<string> = new Set(["_format", "_pretty"])

/** Parameters of which this service knows some values. */
const partlyKnown: ReadonlySet<string> = new Set(["_include", "_revinclude", "_sort", summary[0]])

const listParameters: ReadonlySet<string> = new Set(["_id", "_lastUpdated", "patient", "subject"])

const searchParameters: ReadonlySet<string> = new Set([...listParameters, "_count", "_sort", cursorName])

const everythingParameters: ReadonlySet<string> = new Set(["_type", "_since", "_count", cursorName])

const maxParameters = 100

/** Maximum number of values in all lists of a search together. */
const maxValues = 300

const checkBounds = Effect.fnUntraced(function*(pairs: Pairs, isList: (name: string) => boolean) {
  if (pairs.length > maxParameters) {
    return yield* InvalidRequest.at([], `Expected at most ${maxParameters} parameters`)
  }
  const values = pairs.reduce((sum, [name, text]) => isList(name) ? sum + cutAt(text, ",").length : sum, 0)
  if (values > maxValues) {
    return yield* InvalidRequest.at([], `Expected at most ${maxValues} values in all lists together`)
  }
})

const countOf = (text: string) => /^\d{1,4}$/.test(text) && Number(text) <= maxCount ? Number(text) : undefined

const present = (text: string) => text === "" ? undefined : unescaped(text)

const isSummary = ([name, value]: readonly [string, string]) => name === summary[0] && value === summary[1]

const single = Effect.fnUntraced(
  function*<A>(pairs: Pairs, name: string, read: (text: string) => A | undefined, words: string) {
    const values = pairs.filter((pair) => pair[0] === name).map((pair) => read(pair[1]))
    if (values.length > 1) return yield* InvalidRequest.at([name], "Expected it once")
    return values.length === 1 && values[0] === undefined ? yield* InvalidRequest.at([name], words) : values[0]
  }
)

/** Reads every occurrence of a repeatable parameter. */
const every = Effect.fnUntraced(
  function*<A>(pairs: Pairs, name: string, read: (text: string) => A | undefined, words: string) {
    const values: Array<A> = []
    for (const [, text] of pairs.filter((pair) => pair[0] === name)) {
      const value = read(text)
      if (value === undefined) return yield* InvalidRequest.at([name], words)
      values.push(value)
    }
    return values
  }
)

const refusal = (names: ReadonlyArray<string>, message: string) =>
  new InvalidRequest({ issues: names.slice(0, 50).map((name) => ({ path: [name.slice(0, 100)], message })) })

/**
 * Divides the parameters by whether they are known. A modifier changes the meaning of a known parameter, so an ignored
 * one would turn the answer into that of another question. No modifier is supported, not even `patient:Patient`.
 */
const divided = Effect.fnUntraced(
  function*(pairs: Pairs, strict: boolean, isKnown: (pair: readonly [name: string, value: string]) => boolean) {
    const isStem = (name: string) => formatParameters.has(name) || partlyKnown.has(name) || isKnown([name, ""])
    const modified = pairs.flatMap(([name]) => name.includes(":") && isStem(name.split(":", 1)[0]!) ? [name] : [])
    if (modified.length > 0) return yield* refusal(modified, "No modifier of a parameter is supported here")
    const ignored = pairs.flatMap((pair) => isKnown(pair) || formatParameters.has(pair[0]) ? [] : [pair[0]])
    if (strict && ignored.length > 0) {
      return yield* refusal(ignored, "This parameter is not known here, and 'prefer: handling=strict' was sent")
    }
    const understood = pairs.filter((pair) => isKnown(pair) && pair[0] !== cursorName)
    return { understood, ignored: [...new Set(ignored)] }
  }
)

/** Reads the parameters of a search of one type. */
export const searchOf = Effect.fnUntraced(
  function*(resourceType: string, pairs: Pairs, { fhirBase, strict }: Handling) {
    const parameters = parametersOf(resourceType)
    yield* checkBounds(pairs, (name) => parameters.has(name) || listParameters.has(name))
    const told = yield* divided(
      pairs,
      strict,
      (pair) =>
        parameters.has(pair[0]) || searchParameters.has(pair[0]) || isSummary(pair) ||
        includeOf(resourceType, ...pair) !== undefined
    )
    const ids = yield* every(pairs, "_id", (text) => eachOf(text, present), "Expected ids")
    const criteria: Array<Criterion> = []
    for (const [name, parameter] of parameters) {
      const read = (text: string) => criterionOf(parameter, text, fhirBase)
      criteria.push(...yield* every(pairs, name, read, expectedValues[parameter.kind]))
    }
    const patients = []
    for (const name of ["patient", "subject"]) {
      patients.push(...yield* every(pairs, name, (text) => eachOf(text, present), "Expected a patient"))
    }
    const count = yield* single(pairs, "_count", countOf, `Expected a number from 0 to ${maxCount}`)
    return {
      ids: ids.length === 0 ? undefined : ids.reduce((both, one) => both.filter((id) => one.includes(id))),
      updated: yield* every(pairs, "_lastUpdated", (text) => eachOf(text, dateOf), expectedValues.date),
      patients,
      order: yield* single(pairs, "_sort", (text) => orderOf(resourceType, text), orderWords),
      includes: includesOf(resourceType, pairs),
      criteria,
      count: pairs.some(isSummary) ? 0 : count ?? defaultCount,
      cursor: yield* single(pairs, cursorName, present, "Expected a cursor"),
      ...told
    } satisfies Search
  }
)

export const everythingOf = Effect.fnUntraced(function*(pairs: Pairs, strict: boolean) {
  yield* checkBounds(pairs, (name) => name === "_type")
  const told = yield* divided(pairs, strict, ([name]) => everythingParameters.has(name))
  const types = yield* every(pairs, "_type", typesOf, "Expected resource types")
  const since = yield* single(pairs, "_since", sinceOf, "Expected an instant of FHIR")
  const count = yield* single(pairs, "_count", countOf, `Expected a number from 1 to ${maxCount}`)
  if (count === 0) return yield* InvalidRequest.at(["_count"], `Expected a number from 1 to ${maxCount}`)
  return {
    ids: undefined,
    updated: since === undefined ? [] : [[since]],
    types: types.length === 0 ? undefined : types.reduce((both, one) => both.filter((type) => one.includes(type))),
    criteria: [],
    count: count ?? maxCount,
    cursor: yield* single(pairs, cursorName, present, "Expected a cursor"),
    ...told
  } satisfies Everything
})

/** The veteran's list of disclosures names the requested types, so only types that FHIR defines are accepted. */
const typesOf = (text: string) => eachOf(text, (type) => isFhirType(type) ? type : undefined)

const sinceOf = (text: string): WantedDate | undefined => {
  const date = dateOf(text)
  return date?.prefix === "eq" && !text.startsWith("eq") ? { prefix: "ge", range: date.range } : undefined
}
