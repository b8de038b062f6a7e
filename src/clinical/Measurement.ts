import type { Observation, Quantity } from "fhir/r4.js"
import { bloodPressure } from "./BloodPressure.ts"
import { members, text } from "./Members.ts"
import { unitOf } from "./Quantity.ts"

/** What a result measured, as numbers of which a line may be drawn: one, or of a blood pressure two. */
export interface Measurement {
  /** Null: the source sent none. Numbers of different units are never of one line. */
  readonly unit: string | null
  readonly values: ReadonlyArray<number>
}

/** Null where there is no number, or only a bound of one (`< 5`): a line would show it as if it had been measured. */
export const measurement = (resourceType: string, json: unknown): Measurement | null => {
  if (resourceType !== "Observation") return null
  const { component, valueQuantity } = members<Observation>(json)
  const pressure = bloodPressure(component)
  if (pressure !== null) return numbers(pressure.unit, pressure.systolic, pressure.diastolic)
  const { comparator, value } = members<Quantity>(valueQuantity)
  return comparator === undefined ? numbers(unitOf(valueQuantity), text(value) ?? "") : null
}

const numbers = (unit: string | null, ...texts: ReadonlyArray<string>): Measurement | null => {
  const values = texts.map((text) => text === "" ? Number.NaN : Number(text))
  return values.every(Number.isFinite) ? { unit, values } : null
}
