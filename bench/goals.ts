import { Effect } from "effect"
import type { Tree } from "./Bench.ts"
import { bystanders } from "./bystanders.ts"
import type { Benchmark, Figure, Goal } from "./Figure.ts"
import { firstPage } from "./first-page.ts"
import { memoryWith } from "./memory.ts"
import { pair } from "./pair.ts"
import { quiet } from "./quiet.ts"
import { roi } from "./roi.ts"
import { measure, type Measured, tell } from "./Rounds.ts"
import { health, me } from "./small.ts"
import { starts } from "./starts.ts"
import { storage } from "./storage.ts"
import { largeSync, sync } from "./sync.ts"
import { cellText, drawn, goalText, type Line, lineOf, number, quantity, reachedText } from "./Table.ts"
import { view } from "./view.ts"

/** Without the settings of malloc that an operator may make. */
const memory = memoryWith({})

/**
 * What is measured, by the names for --only, with rounds that fit into ten minutes. What is in one group runs at once:
 * the last group waits for minutes.
 */
const groups: ReadonlyArray<Readonly<Record<string, readonly [benchmark: Benchmark, rounds: number]>>> = [
  { health: [health, 3] },
  { me: [me, 3] },
  { view: [view, 3] },
  { sync: [sync, 3] },
  { roi: [roi, 3] },
  { bystanders: [bystanders, 1] },
  { starts: [starts, 3] },
  { pair: [pair, 3] },
  { storage: [storage, 1] },
  { "large-sync": [largeSync, 1] },
  { "first-page": [firstPage, 1] },
  { memory: [memory, 1], quiet: [quiet, 1] }
]

/** The rows in order. A figure has another goal in the whole table of the bench, and sometimes another name. */
const rows: ReadonlyArray<readonly [figure: Figure, goal?: Goal, name?: string]> = [
  [sync.figures.first, { atLeast: 0.4 }],
  [quiet.figures.first, { atMost: 1.2 }],
  [sync.figures.again, { atMost: 0.15 }],
  [sync.figures.conditional, { atMost: 0.03 }],
  [health.figures.rate, { atLeast: 0.3 }],
  [me.figures.fastify, { atLeast: 1 }],
  [view.figures.zstd, { atLeast: 0.15 }],
  [view.figures.plain, { atLeast: 0.15 }],
  [roi.figures.authorization, { atMost: 16 }],
  [starts.figures.release, { atMost: 2 }],
  [bystanders.figures.large, { atMost: 20 }],
  [bystanders.figures.me, { atMost: 2 }],
  [starts.figures.healthy],
  [starts.figures.imports, { atMost: 0.6 }],
  [firstPage.figures.fresh, { atMost: 8 }],
  [firstPage.figures.later, { atMost: 0.5 }],
  [largeSync.figures.resident, { atMost: 400 }],
  [memory.figures.most, { atMost: 600 }, "largest resident set in views, syncs, releases and uploads"],
  [memory.figures.after, { atMost: 450 }, "resident set two minutes after these"],
  [storage.figures.table, { atMost: 1500 }],
  [storage.figures.wal, { atMost: 2000 }],
  [storage.figures.later, { atMost: 1.1 }],
  [pair.figures.me, { atMost: 1.5 }],
  [pair.figures.sync, { atMost: 1.5 }]
]

/** @param only the names of what is measured; all if there are none. */
export const measureGoals = Effect.fnUntraced(function*(tree: Tree, only: ReadonlyArray<string>, given?: number) {
  const started = performance.now()
  const measured = yield* Effect.forEach(groups, (group) =>
    Effect.forEach(
      Object.entries(group).filter(([name]) => only.length === 0 || only.includes(name)),
      ([name, [benchmark, rounds]]) => measure(name, benchmark, [tree], given ?? rounds),
      { concurrency: "unbounded" }
    ))
  tell(`goals: measured in ${((performance.now() - started) / 60_000).toFixed(1)} minutes`)
  return measured.flat(2)
})

/** Growth to 10,000,000 items takes hours, so its row only says how to measure it. */
const growthRow = ["growth 10⁴ → 10⁷ items", "see `npm run bench -- growth`", "≤ 1.15", ""]

/** Writes the measured rows in Markdown: the median with its range, and what was compared. */
export const goalsTable = (measured: ReadonlyArray<Measured>) =>
  drawn([
    ["Work", "Measured", "Goal", "Reached"],
    ...rows.flatMap(([figure, goal, name]) => {
      const one = measured.find((one) => one.figure === figure)
      return one === undefined ? [] : [cells({ ...one, figure: rowOf(figure, goal, name) })]
    }),
    growthRow
  ])

const rowOf = ({ floor, name, unit }: Figure, goal: Goal | undefined, given = name): Figure => ({
  name: given,
  unit,
  ...floor !== undefined && { floor },
  ...goal !== undefined && { goal }
})

const cells = (measured: Measured) => {
  const line = lineOf(measured)
  const { figure, goal } = line
  return [figure, measuredText(line, measured.figure.floor), goal === null ? "" : goalText(goal), reachedText(line)]
}

const measuredText = ({ detail, failed, floor, ours, unit, value }: Line, floorName = "") => {
  if (failed !== null || ours === null || value === null) return cellText(failed ?? "")
  const own = quantity(ours, unit)
  const isRatio = value.median !== ours
  const besides = [
    ...value.min === value.max ? [] : [`${number(value.min)} to ${number(value.max)}`],
    ...isRatio ? [own] : [],
    ...floor === null ? [] : [`${floorName}: ${quantity(floor, unit)}`],
    ...detail === null ? [] : [cellText(detail)]
  ].join("; ")
  return `${isRatio ? number(value.median) : own}${besides === "" ? "" : ` (${besides})`}`
}
