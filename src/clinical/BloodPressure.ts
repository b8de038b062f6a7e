import type { ObservationComponent } from "fhir/r4.js"
import { hasCode } from "./Coding.ts"
import { list, members, text } from "./Members.ts"
import { quantity, unitOf } from "./Quantity.ts"

/** Codes of LOINC, some of which name the position of the body, and one code of SNOMED CT. */
const systolic = ["8480-6", "8459-0", "8460-8", "8461-6", "271649006"]
const diastolic = ["8462-4", "8453-3", "8454-1", "8455-8", "271650006"]

export interface BloodPressure {
  /** `120/80 mm[Hg]` */
  readonly text: string
  /** The numbers as they were sent. */
  readonly systolic: string
  readonly diastolic: string
  readonly unit: string | null
}

/** Reads both pressures by their codes, in any order. Returns null unless there is one of each, in the same unit. */
export const bloodPressure = (components: unknown): BloodPressure | null => {
  const measured = (codes: ReadonlyArray<string>) => {
    const found = list(components).map((one) => members<ObservationComponent>(one)).filter(({ code }) =>
      codes.some((one) => hasCode(code, one))
    )
    const value = found.length === 1
      ? members<Record<"value" | "comparator", unknown>>(found[0]!.valueQuantity)
      : {}
    return {
      value: text(value.value),
      unit: unitOf(value),
      whole: quantity(value),
      plain: value.comparator === undefined
    }
  }
  const [above, below] = [measured(systolic), measured(diastolic)]
  return above.value !== null && below.value !== null && above.plain && below.plain && above.unit === below.unit
    ? { text: `${above.value}/${below.whole}`, systolic: above.value, diastolic: below.value, unit: above.unit }
    : null
}
