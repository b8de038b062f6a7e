import { assert, test } from "vitest"
import { floorShare } from "../../bench/Figure.ts"
import { starts } from "../../bench/starts.ts"
import { quiet, sync } from "../../bench/sync.ts"
import { tableOf } from "../../bench/Table.ts"

const rowsOf = (table: string) =>
  table.split("\n").map((line) => line.slice(2, -2).split(" | ").map((cell) => cell.trim()))

test("The table has each measured figure with its floor, its range, its goal and whether the median reaches it", () => {
  const table = tableOf([
    {
      benchmark: "sync",
      figure: sync.figures.first,
      sides: [[floorShare(200, 100), floorShare(250, 75), floorShare(200, 90, "6.1 MB")]]
    },
    { benchmark: "quiet", figure: quiet.figures.first, sides: [[{ ours: 300, floor: 200 }]] },
    { benchmark: "starts", figure: starts.figures.healthy, sides: [[{ ours: 2 }]] }
  ], undefined)
  const [head, , ...rows] = rowsOf(table)
  assert.deepStrictEqual(head, ["Figure", "Measured", "Floor", "Min / median / max", "Goal", "Reached", "Besides"])
  assert.deepStrictEqual(rows, [
    [
      "first sync of 3,000, alone",
      "200 ms",
      "COPY of the same rows: 90.0 ms",
      "0.30 / **0.45** / 0.50",
      "≥ 0.4",
      "yes",
      "6.1 MB"
    ],
    ["first sync after a quiet minute", "300 ms", "the next: 200 ms", "1.50 / **1.50** / 1.50", "≤ 1.2", "no", ""],
    ["process start to /health", "2.00 s", "", "2.00 / **2.00** / 2.00", "", "", ""]
  ])
})

test("A figure that could not be measured says why in its row", () => {
  const failed = { benchmark: "sync", figure: sync.figures.first, sides: [[]], failed: "no port |\nis free" }
  assert.deepStrictEqual(rowsOf(tableOf([failed], undefined))[2], [
    "first sync of 3,000, alone",
    "",
    "COPY of the same rows",
    "",
    "≥ 0.4",
    "failed",
    "no port \\| is free"
  ])
})

test("Another checkout has a column with its median and the ratio of the rounds", () => {
  const sides = [[{ ours: 2 }, { ours: 3 }, { ours: 4 }], [{ ours: 1 }, { ours: 2 }, { ours: 4 }]]
  const table = tableOf([{ benchmark: "starts", figure: starts.figures.healthy, sides }], "../other")
  assert.deepStrictEqual(rowsOf(table)[0]!.slice(-2), ["../other", "Besides"])
  assert.deepStrictEqual(rowsOf(table)[2]!.slice(-2), ["2.00 (× 1.50)", ""])
})
