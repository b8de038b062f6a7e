import type { Money, Quantity, Range, Ratio, SampledData } from "fhir/r4.js"
import { joined, members, text } from "./Members.ts"

/** The number as sent, with its comparator and its unit. Without a unit, the unit's code is used: `< 5.40 mg/dL`. */
export const quantity = (json: unknown): string | null => {
  const { comparator, value } = members<Quantity>(json)
  const number = text(value)
  return number && joined([text(comparator), number, unitOf(json)], " ")
}

/** `3.5 to 5.1 mmol/L`, `at least 3.5 mmol/L`, `at most 5.1 mmol/L`. */
export const range = (json: unknown): string | null => {
  const { high, low } = members<Range>(json)
  const [from, to] = [quantity(low), quantity(high)]
  if (from === null || to === null) return from === null ? to && `at most ${to}` : `at least ${from}`
  const shared = unitOf(low)
  return `${shared !== null && shared === unitOf(high) ? from.slice(0, -shared.length).trimEnd() : from} to ${to}`
}

/** `1:128`, `5 mg per 1 mL`. */
export const ratio = (json: unknown): string | null => {
  const { denominator, numerator } = members<Ratio>(json)
  const [above, below] = [quantity(numerator), quantity(denominator)]
  if (above === null || below === null) return above ?? (below && `per ${below}`)
  return unitOf(numerator) === null && unitOf(denominator) === null ? `${above}:${below}` : `${above} per ${below}`
}

/** `12.50 USD` */
export const money = (json: unknown): string | null => {
  const { currency, value } = members<Money>(json)
  return text(value) && joined([text(value), text(currency)], " ")
}

/** The samples as sent, preceded by the values that explain them, such as the period and the factor. */
export const sampledData = (json: unknown): string | null => {
  const { data, dimensions, factor, lowerLimit, origin, period, upperLimit } = members<SampledData>(json)
  const said = (label: string, value: string | null) => value && `${label} ${value}`
  const frame = joined([
    said("one each", text(period) && `${text(period)} ms`),
    said("from", quantity(origin)),
    said("times", text(factor)),
    said("lower limit", text(lowerLimit)),
    said("upper limit", text(upperLimit)),
    said("dimensions", text(dimensions))
  ])
  return text(data) && joined([joined(["Samples", frame], " "), text(data)], ": ")
}

/** UCUM's `1` means that there is no unit. */
export const unitOf = (json: unknown) => {
  const { code, unit } = members<Quantity>(json)
  return text(unit) ?? (text(code) === "1" ? null : text(code))
}
