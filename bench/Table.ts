import { type Goal, isReached, median, ratioOf, type Sample } from "./Figure.ts"
import type { Measured } from "./Rounds.ts"

const middle = (samples: ReadonlyArray<Sample>, of: (sample: Sample) => number | undefined) => {
  const values = samples.flatMap((sample) => of(sample) ?? [])
  return values.length === 0 ? null : median(values)
}

/** One line of the table, and one object of the JSON. */
export const lineOf = ({ benchmark, failed, figure, sides: [own = [], other = []] }: Measured) => {
  const values = own.map(ratioOf)
  const others = other.map(ratioOf)
  // What is compared with the goal, over all rounds: a ratio or the measured value itself.
  const value = values.length === 0
    ? null
    : { min: Math.min(...values), median: median(values), max: Math.max(...values) }
  return {
    benchmark,
    figure: figure.name,
    unit: figure.unit,
    ours: middle(own, ({ ours }) => ours),
    floor: middle(own, ({ floor }) => floor),
    value,
    rounds: values.length,
    goal: figure.goal ?? null,
    isReached: value === null || figure.goal === undefined ? null : isReached(figure.goal, value.median),
    failed: failed ?? null,
    detail: own.at(-1)?.detail ?? null,
    // The other checkout's median, and the median of the rounds' ratios of our value to its value.
    compared: others.length === 0 || value === null
      ? null
      : { median: median(others), ratio: median(values.map((value, n) => value / others[n]!)) }
  }
}

const number = (value: number) => {
  const size = Math.abs(value)
  return size >= 1000 ? Math.round(value).toLocaleString("en-US") : value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2)
}

const quantity = (amount: number, unit: string) => `${number(amount)} ${unit}`.replace(" /", "/")

const goalText = (goal: Goal) => "atLeast" in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`

/** Makes words fit into a cell. */
const cellText = (words: string) => words.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").slice(0, 160)

const cells = (measured: Measured) => {
  const { compared, detail, failed, figure, floor, goal, isReached, ours, unit, value } = lineOf(measured)
  const floorName = measured.figure.floor
  return [
    figure,
    ours === null ? "" : quantity(ours, unit),
    floorName === undefined ? "" : `${floorName}${floor === null ? "" : `: ${quantity(floor, unit)}`}`,
    value === null ? "" : `${number(value.min)} / **${number(value.median)}** / ${number(value.max)}`,
    goal === null ? "" : goalText(goal),
    failed === null ? (isReached === null ? "" : isReached ? "yes" : "no") : "failed",
    compared === null ? "" : `${number(compared.median)} (× ${number(compared.ratio)})`,
    cellText(failed ?? detail ?? "")
  ]
}

/** Writes the table in Markdown, as in docs/speed.md, with columns as wide as dprint makes them. */
export const tableOf = (measured: ReadonlyArray<Measured>, other: string | undefined) => {
  const head = ["Figure", "Measured", "Floor", "Min / median / max", "Goal", "Reached", other ?? "", "Besides"]
  const rows = [head, ...measured.map(cells)]
    .map((row) => row.filter((_, column) => other !== undefined || column !== 6))
  const widths = rows[0]!.map((_, column) => Math.max(3, ...rows.map((row) => row[column]!.length)))
  const line = (row: ReadonlyArray<string>, filler = " ") =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!, filler)).join(" | ")} |`
  const [first = [], ...others] = rows
  return [line(first), line(first.map(() => ""), "-"), ...others.map((row) => line(row))].join("\n")
}
