import { members } from "../../clinical/Members.ts"
import type { Criterion, WantedDate, WantedToken } from "./Criterion.ts"
import { agrees, rangeOfValue } from "./DateRange.ts"
import { each, type SearchParameter, valuesAt } from "./SearchParameters.ts"

/** Tells, step by step, whether a resource agrees with all of some criteria. */
export type Matcher = (resource: unknown) => Generator<void, boolean>

/** Goes once through the values of each parameter, however much is wanted of it: a resource may have very many. */
export const matcherOf = (criteria: ReadonlyArray<Criterion>): Matcher => {
  const matchers = Array.from(
    Map.groupBy(criteria, ({ parameter }) => parameter),
    ([parameter, those]) =>
      parameter.kind === "token"
        ? tokensMatcher(parameter, those.flatMap((one) => one.kind === "token" ? [one.wanted] : []))
        : datesMatcher(parameter, those.flatMap((one) => one.kind === "date" ? [one.wanted] : []))
  )
  return function*(resource) {
    for (const matcher of matchers) if (!(yield* matcher(resource))) return false
    return true
  }
}

/** Codes are the same in either case of letters: "when in doubt, servers SHOULD" (R4 search, 3.1.1.4.10). */
const keyOf = ({ code, system }: WantedToken) => JSON.stringify([system, code]).toLowerCase()

/** One of each list is found. */
const tokensMatcher = (parameter: SearchParameter, lists: ReadonlyArray<ReadonlyArray<WantedToken>>): Matcher => {
  const keys = lists.map((wanted) => wanted.map(keyOf))
  const all = new Set(keys.flat())
  const codes = new Set(lists.flat().map(({ code }) => code?.toLowerCase()))
  return function*(resource) {
    const found = new Set<string>()
    const find = (token: WantedToken) => {
      // Most codes are not wanted in any system, which costs less to know than their keys.
      if (!codes.has(token.code?.toLowerCase())) return
      const key = keyOf(token)
      if (all.has(key)) found.add(key)
    }
    for (const value of valuesAt(resource, parameter)) {
      for (const token of tokensOf(value)) {
        find(token)
        if (token.system) find({ ...token, code: undefined })
        if (token.code !== undefined) find({ ...token, system: undefined })
        yield
      }
    }
    return keys.every((list) => list.some((key) => found.has(key)))
  }
}

/** A code stands by itself, as a Coding, or as one of those of a CodeableConcept; in no system, its system is empty. */
function* tokensOf(value: unknown): Generator<WantedToken, void> {
  if (typeof value === "string") {
    yield { system: "", code: value }
    return
  }
  const { code, coding, system } = members<{ code: unknown; coding: unknown; system: unknown }>(value)
  if (coding !== undefined) {
    for (const one of each(coding)) yield* tokensOf(one)
    return
  }
  yield {
    system: system === undefined ? "" : typeof system === "string" && system !== "" ? system : undefined,
    code: typeof code === "string" ? code : undefined
  }
}

const datesMatcher = (parameter: SearchParameter, lists: ReadonlyArray<ReadonlyArray<WantedDate>>): Matcher =>
  function*(resource) {
    let unmet = lists
    for (const value of valuesAt(resource, parameter)) {
      const range = rangeOfValue(value)
      if (range !== undefined) {
        unmet = unmet.filter((dates) => !dates.some(({ prefix, range: wanted }) => agrees(range, prefix, wanted)))
      }
      if (unmet.length === 0) return true
      yield
    }
    return unmet.length === 0
  }
