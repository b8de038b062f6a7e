import type { Observation, Quantity } from "fhir/r4.js"
import { bloodPressure } from "./BloodPressure.ts"
import { members, text } from "./Members.ts"
import { unitOf } from "./Quantity.ts"

/** The numbers of a result for a chart: one, or two for a blood pressure. */
export interface Measurement {
  /** A missing unit is null. A chart never joins numbers in different units by a line. */
  readonly unit: string | null
  readonly values: ReadonlyArray<number>
}

/** Returns null if there is no number or only a bound (`< 5`), which a chart would show as a measured value. */
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
