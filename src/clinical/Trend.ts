import type { Summary } from "./Row.ts"

/**
 * The results of one test over time. The chart has only the numbers in one unit. The table also has the other results.
 */
export interface Trend {
  readonly unit: string | null
  /** The names of the lines. A blood pressure has two. */
  readonly lines: ReadonlyArray<string>
  /** Oldest first. */
  readonly points: ReadonlyArray<TrendPoint>
  /** Results that the chart cannot show, newest first. */
  readonly others: ReadonlyArray<{ readonly date: string; readonly text: string }>
}

export interface TrendPoint {
  readonly date: string
  readonly text: string
  readonly values: ReadonlyArray<number>
}

/** True for a result that was cancelled or entered in error. */
const isWithdrawn = ({ flags, status }: Summary) =>
  flags.includes("Entered in error") || status === "Cancelled" || status === "Entered in error"

/** Identifies the test of a result by its code, not by its title. Returns null if the result has no code. */
export const testOf = ({ entry }: Summary): string | null => {
  const identity = entry.group.slice(entry.group.indexOf("\t") + 1)
  return entry.reference.startsWith("Observation/") && !identity.endsWith("without a code")
    ? `${entry.section}\t${identity}`
    : null
}

/** Charts the results that have the same unit as the result `of`. */
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

const isNewer = ({ entry: one }: Summary, { entry: other }: Summary) =>
  one.date > other.date || (one.date === other.date && one.reference < other.reference)

/** For each test, the newest result that has a value. Results of one date go by their references. */
export const newestOfEach = (results: ReadonlyArray<Summary>): ReadonlyMap<string, Summary> => {
  const newest = new Map<string, Summary>()
  for (const result of results) {
    const test = testOf(result)
    if (test === null || result.value === null || isWithdrawn(result)) continue
    const latest = newest.get(test)
    if (latest === undefined || isNewer(result, latest)) newest.set(test, result)
  }
  return newest
}
