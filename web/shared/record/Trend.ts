import type { Summary } from "../../../src/clinical/Row.ts"

/** The results of one test over time. Only numbers of the same unit as the newest make the line; the table has them all. */
export interface Trend {
  readonly unit: string | null
  /** One name for each line: a blood pressure has two. */
  readonly lines: ReadonlyArray<string>
  /** The oldest first. */
  readonly points: ReadonlyArray<TrendPoint>
  /** Of what has no place in the line, the newest first. */
  readonly others: ReadonlyArray<{ readonly date: string; readonly text: string }>
}

export interface TrendPoint {
  readonly date: string
  readonly text: string
  readonly values: ReadonlyArray<number>
}

/** Marks of a result that says nothing of what was measured. */
const isWithdrawn = ({ flags, status }: Summary) =>
  flags.includes("Entered in error") || status === "Cancelled" || status === "Entered in error"

/** Tells which results are of one test: those of one code, however it is called. Null: it is not said which test it is. */
export const testOf = ({ entry }: Summary): string | null => {
  const identity = entry.group.slice(entry.group.indexOf("\t") + 1)
  return entry.reference.startsWith("Observation/") && !identity.endsWith("without a code")
    ? `${entry.section}\t${identity}`
    : null
}

/** `of` is the result whose unit counts. */
export const trendOf = (results: ReadonlyArray<Summary>, of: Summary): Trend | null => {
  const { measurement } = of
  if (measurement === null) return null
  const [points, others]: [Array<TrendPoint>, Array<{ date: string; text: string }>] = [[], []]
  for (const result of results) {
    const { entry: { date }, measurement: one, value } = result
    if (isWithdrawn(result) || value === null) continue
    const fits = one !== null && one.unit === measurement.unit && one.values.length === measurement.values.length
    if (fits && date !== "") points.push({ date, text: value, values: one.values })
    else others.push({ date, text: value })
  }
  return {
    unit: measurement.unit,
    lines: measurement.values.length === 2 ? ["Systolic", "Diastolic"] : [of.title],
    points: points.sort((a, b) => a.date < b.date ? -1 : a.date > b.date ? 1 : 0),
    others: others.sort((a, b) => a.date < b.date ? 1 : a.date > b.date ? -1 : 0)
  }
}

/** The newest result of each test that has a value. */
export const newestOfEach = (results: ReadonlyArray<Summary>): ReadonlyMap<string, Summary> => {
  const newest = new Map<string, Summary>()
  for (const result of results) {
    const test = testOf(result)
    if (test === null || result.value === null || isWithdrawn(result)) continue
    const known = newest.get(test)
    if (known === undefined || known.entry.date < result.entry.date) newest.set(test, result)
  }
  return newest
}
