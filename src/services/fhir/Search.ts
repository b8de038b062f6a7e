import { Effect } from "effect"
import { InvalidRequest } from "../../domain/Errors.ts"
import { isFhirType } from "../../domain/FhirType.ts"
import {
  type Criterion,
  criterionOf,
  cutAt,
  dateOf,
  eachOf,
  expected,
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

type Pairs = ReadonlyArray<readonly [name: string, value: string]>

export const defaultCount = 100

export const maxCount = 1000

const cursorName = "_cursor"

/** `_summary=count` means the same as `_count=0`: only the number of matches. */
const summary = ["_summary", "count"] as const

/** Parameters of the answer's format, not of its content. */
const formatParameters: ReadonlySet<string> = new Set(["_format", "_pretty"])

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

const refuseUnknown = (pairs: Pairs, known: (pair: readonly [string, string]) => boolean, strict: boolean) => {
  const unknown = strict ? pairs.filter((pair) => !known(pair) && !formatParameters.has(pair[0])) : []
  return unknown.length === 0 ? Effect.void : Effect.fail(
    new InvalidRequest({
      issues: unknown.slice(0, 50).map(([name]) => ({
        path: [name.slice(0, 100)],
        message: "This parameter is not known here, and 'prefer: handling=strict' was sent"
      }))
    })
  )
}

/** Reads the parameters of a search of one type. Unknown parameters are refused if `strict`, otherwise ignored. */
export const searchOf = Effect.fnUntraced(function*(resourceType: string, pairs: Pairs, strict: boolean) {
  const parameters = parametersOf(resourceType)
  const known = (pair: readonly [string, string]) =>
    parameters.has(pair[0]) || isSummary(pair) || searchParameters.has(pair[0]) ||
    includeOf(resourceType, ...pair) !== undefined
  yield* checkBounds(pairs, (name) => parameters.has(name) || listParameters.has(name))
  yield* refuseUnknown(pairs, known, strict)
  const ids = yield* every(pairs, "_id", (text) => eachOf(text, present), "Expected ids")
  const criteria: Array<Criterion> = []
  for (const [name, parameter] of parameters) {
    criteria.push(...yield* every(pairs, name, (text) => criterionOf(parameter, text), expected[parameter.kind]))
  }
  const patients = []
  for (const name of ["patient", "subject"]) {
    patients.push(...yield* every(pairs, name, (text) => eachOf(text, present), "Expected a patient"))
  }
  const count = yield* single(pairs, "_count", countOf, `Expected a number from 0 to ${maxCount}`)
  return {
    ids: ids.length === 0 ? undefined : ids.reduce((both, one) => both.filter((id) => one.includes(id))),
    updated: yield* every(pairs, "_lastUpdated", (text) => eachOf(text, dateOf), expected.date),
    patients,
    order: yield* single(pairs, "_sort", (text) => orderOf(resourceType, text), orderWords),
    includes: includesOf(resourceType, pairs),
    criteria,
    count: pairs.some(isSummary) ? 0 : count ?? defaultCount,
    cursor: yield* single(pairs, cursorName, present, "Expected a cursor"),
    understood: pairs.filter((pair) => known(pair) && pair[0] !== cursorName)
  } satisfies Search
})

export const everythingOf = Effect.fnUntraced(function*(pairs: Pairs, strict: boolean) {
  const known = ([name]: readonly [string, string]) => everythingParameters.has(name)
  yield* checkBounds(pairs, (name) => name === "_type")
  yield* refuseUnknown(pairs, known, strict)
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
    understood: pairs.filter((pair) => known(pair) && pair[0] !== cursorName)
  } satisfies Everything
})

/** The veteran's list of disclosures names the requested types, so only types that FHIR defines are accepted. */
const typesOf = (text: string) => eachOf(text, (type) => isFhirType(type) ? type : undefined)

const sinceOf = (text: string): WantedDate | undefined => {
  const date = dateOf(text)
  return date?.prefix === "eq" && !text.startsWith("eq") ? { prefix: "ge", range: date.range } : undefined
}
