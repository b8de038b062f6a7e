import { readFileSync } from "node:fs"
import { spentInAll } from "../test/support/ProcessorTime.ts"

/**
 * Compares a tier's processor time with costs.json, in pieces of fixed work (floor.ts), and fails if it is more than a
 * tenth larger. A commit that raises a cost says why. Arguments: the tier's name, and a file with the seconds of each
 * piece that was done beside it. TEST_PROCESSOR_TIME names the account of its run.
 */
const [tier, pieces] = process.argv.slice(2) as [string, string]

const costs: Readonly<Record<string, number>> = JSON.parse(readFileSync(new URL("costs.json", import.meta.url), "utf8"))

const seconds = spentInAll()

const each = readFileSync(pieces, "utf8").trim().split("\n").map(Number)

const piece = each.reduce((sum, one) => sum + one, 0) / each.length

const cost = Math.round(seconds / piece)

const committed = costs[tier] ?? 0

console.log(
  `The tier ${tier} took ${Math.round(seconds)} s of processor time, ${cost} pieces of fixed work (${committed}), ` +
    `each ${piece.toFixed(2)} s.`
)

if (cost > 1.1 * committed) {
  console.error(`That is more than a tenth above .ci/costs.json. Find the cause, or raise the figure and say why.`)
  process.exitCode = 1
}
