import { Cause, Effect } from "effect"
import type { Benchmark, Figure, Sample } from "./Figure.ts"

/** A figure with its samples of each side, in the order of the rounds. */
export interface Measured {
  readonly benchmark: string
  readonly figure: Figure
  readonly sides: ReadonlyArray<ReadonlyArray<Sample>>
  /** The error, if the figure could not be measured. */
  readonly failed?: string
}

export const tell = (text: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`)

/**
 * Measures every side once in each round, together with its floor. A side is, for example, a checkout. Each round
 * reverses the order of the sides, so that other load on the machine affects them alike. A figure that cannot be
 * measured does not stop the others.
 */
export const measure = <Side>(
  name: string,
  benchmark: Benchmark<string, Side>,
  sides: ReadonlyArray<Side>,
  rounds = benchmark.rounds
) =>
  rows(name, benchmark, sides, rounds).pipe(
    Effect.scoped,
    Effect.catchCause((cause) => {
      tell(`${name} failed:\n${Cause.pretty(cause)}`)
      const failed = String(Cause.squash(cause))
      return Effect.succeed(
        Object.values(benchmark.figures).map((figure): Measured => ({
          benchmark: name,
          figure,
          sides: sides.map(() => []),
          failed
        }))
      )
    })
  )

const rows = Effect.fnUntraced(function*<Side>(
  name: string,
  { figures, isCold = false, open }: Benchmark<string, Side>,
  sides: ReadonlyArray<Side>,
  rounds: number
) {
  tell(`${name}: opening`)
  const opened = yield* Effect.forEach(
    sides,
    (side) => Effect.map(open(side), (round) => ({ round, sampled: new Array<Record<string, Sample>>() }))
  )
  const first = isCold ? 1 : 0
  for (let round = first; round <= rounds; round++) {
    tell(`${name}: ${round === 0 ? "warming up" : `round ${round} of ${rounds}`}`)
    for (const { round: sample, sampled } of round % 2 === 0 ? opened : opened.toReversed()) {
      const samples = yield* Effect.promise(sample)
      if (round > 0) sampled.push(samples)
    }
  }
  return Object.entries(figures).map(([key, figure]): Measured => ({
    benchmark: name,
    figure,
    sides: opened.map(({ sampled }) => sampled.map((samples) => samples[key]!))
  }))
})
