import { readFileSync } from "node:fs"
import { spentInAll } from "../test/support/ProcessorTime.ts"

/**
 * Compares a tier's processor time with costs.json, in pieces of fixed work (floor.ts), and fails if it is more than a
 * tenth larger. A commit that raises a cost says why. Arguments: the tier's name, and the seconds of a piece before and
 * after it. TEST_PROCESSOR_TIME names the account of its run.
 */
const [tier, ...pieces] = process.argv.slice(2) as [string, ...ReadonlyArray<string>]

const costs: Readonly<Record<string, number>> = JSON.parse(readFileSync(new URL("costs.json", import.meta.url), "utf8"))

const mean = (numbers: ReadonlyArray<number>) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length

const seconds = spentInAll()

const cost = Math.round(seconds / mean(pieces.map(Number)))

const committed = costs[tier] ?? 0

console.log(
  `The tier ${tier} took ${Math.round(seconds)} s of processor time, ${cost} pieces of fixed work (${committed}).`
)

if (cost > 1.1 * committed) {
  console.error(`That is more than a tenth above .ci/costs.json. Find the cause, or raise the figure and say why.`)
  process.exitCode = 1
}
