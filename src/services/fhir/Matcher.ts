import { members } from "../../clinical/Members.ts"
import type { Criterion, WantedDate, WantedToken } from "./Criterion.ts"
import { agrees, rangeOfValue } from "./DateRange.ts"
import { each, type SearchParameter, valuesAt } from "./SearchParameters.ts"

/** Checks, step by step, whether a resource meets all criteria. */
export type Matcher = (resource: unknown) => Generator<void, boolean>

/** Reads the values of each parameter once, for all its criteria: a resource may have very many values. */
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

/** Codes match regardless of case, which servers should ignore when in doubt (R4 search, 3.1.1.4.10). */
const keyOf = ({ code, system }: WantedToken) => JSON.stringify([system, code]).toLowerCase()

/** A resource matches if it has at least one token of each list. */
const tokensMatcher = (parameter: SearchParameter, lists: ReadonlyArray<ReadonlyArray<WantedToken>>): Matcher => {
  const keys = lists.map((wanted) => wanted.map(keyOf))
  const all = new Set(keys.flat())
  const codes = new Set(lists.flat().map(({ code }) => code?.toLowerCase()))
  return function*(resource) {
    const found = new Set<string>()
    const find = (token: WantedToken) => {
      // Comparing the code first is cheaper than making a key, and most codes are not wanted.
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

/** A code is a string, a Coding, or one of the codings of a CodeableConcept. Its system is empty if it has none. */
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
