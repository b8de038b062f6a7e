import { readFileSync } from "node:fs"

/**
 * Compares a tier's processor time with costs.json, in pieces of fixed work (floor.ts), and fails if it is more than a
 * tenth larger. A commit that raises a cost says why. Arguments: the tier's name, the account of its run
 * (test/support/ProcessorTime.ts), and the seconds of a piece before and after it.
 */
const [tier, account, ...pieces] = process.argv.slice(2) as [string, string, ...ReadonlyArray<string>]

const costs: Readonly<Record<string, number>> = JSON.parse(readFileSync(new URL("costs.json", import.meta.url), "utf8"))

const mean = (numbers: ReadonlyArray<number>) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length

const seconds = readFileSync(account, "utf8").split("\n").filter(Boolean)
  .reduce((sum, line) => sum + JSON.parse(line).seconds, 0)

const cost = Math.round(seconds / mean(pieces.map(Number)))

const committed = costs[tier] ?? 0

console.log(
  `The tier ${tier} took ${Math.round(seconds)} s of processor time, ${cost} pieces of fixed work (${committed}).`
)

if (cost > 1.1 * committed) {
  console.error(`That is more than a tenth above .ci/costs.json. Find the cause, or raise the figure and say why.`)
  process.exitCode = 1
}
