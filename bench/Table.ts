import { type Goal, isReached, median, ratioOf, type Sample } from "./Figure.ts"
import type { Measured } from "./Rounds.ts"

/** One line of the table, and one object of the JSON. */
export interface Line {
  readonly benchmark: string
  readonly figure: string
  readonly unit: string
  readonly ours: number | null
  readonly floor: number | null
  /** What is compared with the goal, over all rounds: a ratio or the measured value itself. */
  readonly value: { readonly min: number; readonly median: number; readonly max: number } | null
  readonly rounds: number
  readonly goal: Goal | null
  readonly isReached: boolean | null
  readonly failed: string | null
  readonly detail: string | null
  /**
   * `median` is the other checkout's median. In each round, our value is divided by the other checkout's value. `ratio`
   * is the median of the results.
   */
  readonly compared: { readonly median: number; readonly ratio: number } | null
}

const middle = (samples: ReadonlyArray<Sample>, of: (sample: Sample) => number | undefined) => {
  const values = samples.flatMap((sample) => of(sample) ?? [])
  return values.length === 0 ? null : median(values)
}

export const lineOf = ({ benchmark, failed, figure, sides: [own = [], other = []] }: Measured): Line => {
  const values = own.map(ratioOf)
  const value = values.length === 0
    ? null
    : { min: Math.min(...values), median: median(values), max: Math.max(...values) }
  const others = other.map(ratioOf)
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
    compared: others.length === 0 || value === null
      ? null
      : { median: median(others), ratio: median(values.map((value, n) => value / others[n]!)) }
  }
}

export const number = (value: number) => {
  const size = Math.abs(value)
  return size >= 1000 ? Math.round(value).toLocaleString("en-US") : value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2)
}

export const quantity = (amount: number, unit: string) => `${number(amount)} ${unit}`.replace(" /", "/")

export const goalText = (goal: Goal) => "atLeast" in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`

export const reachedText = ({ failed, isReached }: Pick<Line, "failed" | "isReached">) =>
  failed === null ? (isReached === null ? "" : isReached ? "yes" : "no") : "failed"

/** Makes words fit into a cell. */
export const cellText = (words: string) => words.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").slice(0, 160)

const cells = (line: Line, floorName: string | undefined) => {
  const { compared, detail, failed, floor, goal, ours, unit, value } = line
  return [
    line.figure,
    ours === null ? "" : quantity(ours, unit),
    floorName === undefined ? "" : `${floorName}${floor === null ? "" : `: ${quantity(floor, unit)}`}`,
    value === null ? "" : `${number(value.min)} / **${number(value.median)}** / ${number(value.max)}`,
    goal === null ? "" : goalText(goal),
    reachedText(line),
    compared === null ? "" : `${number(compared.median)} (× ${number(compared.ratio)})`,
    cellText(failed ?? detail ?? "")
  ]
}

/** Writes the table in Markdown, as in docs/speed.md, with columns as wide as dprint makes them. */
export const tableOf = (measured: ReadonlyArray<Measured>, other: string | undefined) => {
  const head = ["Figure", "Measured", "Floor", "Min / median / max", "Goal", "Reached", other ?? "", "Besides"]
  const rows = [head, ...measured.map((one) => cells(lineOf(one), one.figure.floor))]
    .map((row) => row.filter((_, column) => other !== undefined || column !== 6))
  return drawn(rows)
}

/** Draws rows in Markdown, the first of them as the head. */
export const drawn = (rows: ReadonlyArray<ReadonlyArray<string>>) => {
  const widths = rows[0]!.map((_, column) => Math.max(3, ...rows.map((row) => row[column]!.length)))
  const line = (row: ReadonlyArray<string>, filler = " ") =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!, filler)).join(" | ")} |`
  const [first = [], ...others] = rows
  return [line(first), line(first.map(() => ""), "-"), ...others.map((row) => line(row))].join("\n")
}
