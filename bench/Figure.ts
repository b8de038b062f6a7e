import type { Effect, Scope } from "effect"
import type { Tree } from "./Bench.ts"

/** The goal for a figure's median. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number }

export interface Figure {
  readonly name: string
  /** A figure without a goal is only shown. */
  readonly goal?: Goal
  /** The unit of the figure and of its floor: "/s", "ms", "µs", "MB". */
  readonly unit: string
  /** The name of the floor: what is measured in the same rounds for comparison, such as a bare server. */
  readonly floor?: string
}

/** What one round measured for one figure. */
export interface Sample {
  readonly ours: number
  /** The floor's value in the same round. */
  readonly floor?: number
  /** The value that is compared with the goal. It defaults to `ours / floor`, or to `ours` without a floor. */
  readonly ratio?: number
  readonly detail?: string | undefined
}

/**
 * Figures that are measured together, with one service. `open` starts the service and returns the function that
 * measures one round.
 */
export interface Benchmark<Key extends string = string, Side = Tree> {
  readonly figures: Readonly<Record<Key, Figure>>
  readonly rounds: number
  /** If true, there is no warm-up round: the first round counts, although its code has never run before. */
  readonly isCold?: boolean
  readonly open: (side: Side) => Effect.Effect<() => Promise<Readonly<Record<Key, Sample>>>, unknown, Scope.Scope>
}

/** Returns its argument. The parameter's type makes sure that the samples have the same keys as the figures. */
export const benchmark = <Key extends string>(it: Benchmark<Key>) => it

export const ratioOf = ({ floor, ours, ratio }: Sample) => ratio ?? (floor === undefined ? ours : ours / floor)

/** A sample whose two values are times. Its ratio is `floor / ours`: a larger one is better, as it is for rates. */
export const floorShare = (ours: number, floor: number, detail?: string): Sample => ({
  ours,
  floor,
  ratio: floor / ours,
  detail
})

/** A sample whose own value is compared with the goal, not its ratio to the floor. The floor is only shown. */
export const alone = (ours: number, floor: number, detail?: string): Sample => ({
  ours,
  floor,
  ratio: ours,
  detail
})

export const isReached = (goal: Goal, value: number) => "atLeast" in goal ? value >= goal.atLeast : value <= goal.atMost

export const median = (values: ReadonlyArray<number>) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

export const percentile = (values: ReadonlyArray<number>, share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]!
