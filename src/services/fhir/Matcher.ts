import { members } from "../../clinical/Members.ts"
import type { Criterion, WantedDate, WantedToken } from "./Criterion.ts"
import { matchesDate, rangeOfValue } from "./DateRange.ts"
import { beginsWith, type NameReadings, readingsOf, startsOf } from "./NameReadings.ts"
import { canonicalKeys, referenceKeys } from "./ReferenceKeys.ts"
import {
  type DateParameter,
  each,
  type ReferenceParameter,
  type StringParameter,
  type TokenParameter,
  valuesAt
} from "./SearchParameters.ts"

/** Checks, step by step, whether a resource meets all criteria. */
export type Matcher = (resource: unknown) => Generator<void, boolean>

/** Reads the values of each parameter once, for all its criteria: a resource may have very many values. */
export const matcherOf = (criteria: ReadonlyArray<Criterion>): Matcher => {
  const matchers = [...Map.groupBy(criteria, ({ parameter }) => parameter).values()].map(matcherOfOne)
  return function*(resource) {
    for (const matcher of matchers) if (!(yield* matcher(resource))) return false
    return true
  }
}

/** All criteria are about the same parameter. */
const matcherOfOne = (criteria: ReadonlyArray<Criterion>): Matcher => {
  const [{ kind, parameter }] = criteria as [Criterion]
  const lists = criteria.map(({ wanted }) => wanted)
  switch (kind) {
    case "date":
      return datesMatcher(parameter, lists as Lists<WantedDate>)
    case "reference":
      return referencesMatcher(parameter, lists as Lists<ReadonlyArray<string>>)
    case "string":
      return stringsMatcher(parameter, lists as Lists<NameReadings>)
    case "token":
      return tokensMatcher(parameter, lists as Lists<WantedToken>)
  }
}

type Lists<Value> = ReadonlyArray<ReadonlyArray<Value>>

/** Codes match regardless of case, which servers should ignore when in doubt (R4 search, 3.1.1.4.10). */
const keyOf = ({ code, system }: WantedToken) => JSON.stringify([system, code]).toLowerCase()

/** A resource matches if it has at least one token of each list. */
const tokensMatcher = (parameter: TokenParameter, lists: Lists<WantedToken>): Matcher => {
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
      for (const token of tokensOf(value, parameter.code)) {
        find(token)
        if (token.system) find({ ...token, code: undefined })
        if (token.code !== undefined) find({ ...token, system: undefined })
        yield
      }
    }
    return keys.every((list) => list.some((key) => found.has(key)))
  }
}

/**
 * A code is a string, a Coding, or one of the codings of a CodeableConcept; an Identifier's is its value. Its system is
 * empty if it has none.
 */
function* tokensOf(value: unknown, codeMember: TokenParameter["code"]): Generator<WantedToken, void> {
  if (typeof value === "string") {
    yield { system: "", code: value }
    return
  }
  const { coding, system, [codeMember]: code } = members<Record<TokenParameter["code"] | "coding" | "system", unknown>>(
    value
  )
  if (coding !== undefined) {
    for (const one of each(coding)) yield* tokensOf(one, codeMember)
    return
  }
  yield {
    system: system === undefined ? "" : typeof system === "string" && system !== "" ? system : undefined,
    code: typeof code === "string" ? code : undefined
  }
}

const datesMatcher = (parameter: DateParameter, lists: Lists<WantedDate>): Matcher =>
  function*(resource) {
    let unmet = lists
    for (const value of valuesAt(resource, parameter)) {
      const range = rangeOfValue(value)
      if (range !== undefined) {
        unmet = unmet.filter((dates) => !dates.some(({ prefix, range: wanted }) => matchesDate(range, prefix, wanted)))
      }
      if (unmet.length === 0) return true
      yield
    }
    return unmet.length === 0
  }

const referencesMatcher = (parameter: ReferenceParameter, lists: Lists<ReadonlyArray<string>>): Matcher => {
  const wanted = lists.map((references) => new Set(references.flat()))
  return function*(resource) {
    let unmet = wanted
    for (const value of valuesAt(resource, parameter)) {
      const keys = typeof value === "string" ? canonicalKeys(value) : keysOf(value)
      unmet = unmet.filter((any) => !keys.some((key) => any.has(key)))
      if (unmet.length === 0) return true
      yield
    }
    return false
  }
}

const keysOf = (value: unknown) => {
  const { reference } = members<{ reference: unknown }>(value)
  return typeof reference === "string" ? referenceKeys(reference) : []
}

/** A text matches a wanted text that it begins with, or that one of its words begins with. */
const stringsMatcher = ({ paths, wordPaths }: StringParameter, lists: Lists<NameReadings>): Matcher => {
  const begins = lists.map((list) => [0, 1].map((form) => beginsWith(list.map((readings) => readings[form]!))))
  return function*(resource) {
    let unmet = begins
    for (const isEachWord of [false, true]) {
      for (const value of valuesAt(resource, { paths: isEachWord ? wordPaths : paths })) {
        const readings = typeof value === "string" ? readingsOf(value) ?? [] : []
        for (const [form, reading] of readings.entries()) {
          for (const start of startsOf(reading, isEachWord)) {
            const text = reading.slice(start)
            unmet = unmet.filter((any) => !any[form]!(text))
          }
        }
        if (unmet.length === 0) return true
        yield
      }
    }
    return false
  }
}
