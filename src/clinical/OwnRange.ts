import type { Observation, ObservationReferenceRange, Quantity } from "fhir/r4.js"
import { hasCode } from "./Coding.ts"
import { compareDecimals } from "./Decimal.ts"
import { list, type Members, members, text } from "./Members.ts"
import { unitOf } from "./Quantity.ts"

type Result = Pick<Observation, "interpretation" | "referenceRange" | "valueInteger" | "valueQuantity">

/**
 * `Above range` or `Below range`: arithmetic on what the source sent, where it sent no interpretation. Returns null
 * unless the result has one range, which is normal for any patient and in the result's own unit.
 */
export const againstOwnRange = (result: Members<Result>): "Above range" | "Below range" | null => {
  const [range, another] = list(result.referenceRange)
  if (range === undefined || another !== undefined || list(result.interpretation).length > 0) return null
  const { age, appliesTo, high, low, type } = members<ObservationReferenceRange>(range)
  if (list(appliesTo).length > 0 || list(age).length > 0 || !(list(type).length === 0 || hasCode(type, "normal"))) {
    return null
  }
  const value = result.valueQuantity ?? { value: result.valueInteger }
  const [least, most] = [boundOf(low, value), boundOf(high, value)]
  if (least === undefined || most === undefined || (least !== null && most !== null && !isBelow(least, most))) {
    return null
  }
  return isBeyond(value, most, 1) ? "Above range" : isBeyond(value, least, -1) ? "Below range" : null
}

/** The number of a bound in the unit of `value`, null if there is no bound, or undefined if it can't be compared. */
const boundOf = (bound: unknown, value: unknown): string | null | undefined => {
  if (bound === undefined || bound === null) return null
  const { comparator, value: number } = members<Quantity>(bound)
  const source = text(number)
  return source === null || comparator !== undefined || !isSameUnit(bound, value) ? undefined : source
}

const isBelow = (low: string, high: string) => (compareDecimals(low, high) ?? 1) <= 0

/** A bound belongs to the range. `> 5` is above the range if the bound is 5, and `>= 5` is not. */
const isBeyond = (value: unknown, bound: string | null, side: 1 | -1) => {
  const { comparator, value: number } = members<Quantity>(value)
  const source = text(number)
  if (source === null || bound === null) return false
  const order = compareDecimals(source, bound)
  if (order === null) return false
  if (comparator === undefined || comparator === null) return order * side > 0
  const [strict, orEqual] = side > 0 ? [">", ">="] : ["<", "<="]
  return comparator === strict ? order * side >= 0 : comparator === orEqual && order * side > 0
}

/** Codes decide if both have one. Units that are only written alike may be of two systems. */
const isSameUnit = (a: unknown, b: unknown) => {
  const [one, other] = [members<Quantity>(a), members<Quantity>(b)]
  const [code, otherCode] = [text(one.code), text(other.code)]
  if (code === null || otherCode === null) return unitOf(one) === unitOf(other)
  const [system, otherSystem] = [text(one.system), text(other.system)]
  return code === otherCode && (system === null || otherSystem === null || system === otherSystem)
}
