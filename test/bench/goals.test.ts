import { assert, test } from "vitest"
import { floorShare } from "../../bench/Figure.ts"
import { goalsTable } from "../../bench/goals.ts"
import { quiet } from "../../bench/quiet.ts"
import { starts } from "../../bench/starts.ts"
import { sync } from "../../bench/sync.ts"

const rowsOf = (table: string) =>
  table.split("\n").map((line) => line.slice(2, -2).split(" | ").map((cell) => cell.trim()))

test("The table of goals has the measured rows in its order, with its goals and not those of the figures", () => {
  const table = goalsTable([
    { benchmark: "starts", figure: starts.figures.healthy, sides: [[{ ours: 2 }]] },
    {
      benchmark: "sync",
      figure: sync.figures.first,
      sides: [[floorShare(200, 100), floorShare(250, 75), floorShare(200, 90)]]
    },
    { benchmark: "quiet", figure: quiet.figures.first, sides: [[{ ours: 300, floor: 200 }]] }
  ])
  const [head, , ...rows] = rowsOf(table)
  assert.deepStrictEqual(head, ["Work", "Measured", "Goal", "Reached"])
  assert.deepStrictEqual(rows, [
    ["first sync of 3,000, alone", "0.45 (0.30 to 0.50; 200 ms; COPY of the same rows: 90.0 ms)", "≥ 0.4", "yes"],
    ["first sync after a quiet minute", "1.50 (300 ms; the next: 200 ms)", "≤ 1.2", "no"],
    ["process start to /health", "2.00 s", "", ""],
    ["growth 10⁴ → 10⁷ items", "see `npm run bench -- growth`", "≤ 1.15", ""]
  ])
})

test("A figure that could not be measured says why in its row", () => {
  const failed = { benchmark: "sync", figure: sync.figures.first, sides: [[]], failed: "no port |\nis free" }
  assert.deepStrictEqual(rowsOf(goalsTable([failed]))[2], [
    "first sync of 3,000, alone",
    "no port \\| is free",
    "≥ 0.4",
    "failed"
  ])
})
