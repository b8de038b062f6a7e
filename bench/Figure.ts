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
  /** The name of the comparison that is measured beside it. */
  readonly floor?: string
}

/** One figure in one round. */
export interface Sample {
  readonly ours: number
  /** The floor in the same round. */
  readonly floor?: number
  /** The value for the goal. It defaults to `ours / floor`, or to `ours` without a floor. */
  readonly ratio?: number
  readonly detail?: string
}

/** The samples of a round by the figures' keys, or an error for each that could not be measured. */
export type Samples<Key extends string = string> = Readonly<Record<Key, Sample | Error>>

/** Figures that are measured together, with one service of a checkout. `open` returns the work of a round. */
export interface Benchmark<Key extends string = string, Side = Tree> {
  readonly figures: Readonly<Record<Key, Figure>>
  readonly rounds: number
  /** The first round counts, too, although its code has never run before. */
  readonly isCold?: boolean
  readonly open: (side: Side) => Effect.Effect<() => Promise<Samples<Key>>, unknown, Scope.Scope>
}

/** Returns its argument: the type checks the samples' keys against the figures' keys. */
export const benchmark = <Key extends string>(it: Benchmark<Key>) => it

export const ratioOf = ({ floor, ours, ratio }: Sample) => ratio ?? (floor === undefined ? ours : ours / floor)

/** Both arguments are times: the floor's share means the same as for rates. */
export const floorShare = (ours: number, floor: number, detail?: string): Sample => ({
  ours,
  floor,
  ratio: floor / ours,
  ...detail !== undefined && { detail }
})

/** A time or a size, with a floor that is only shown beside it. */
export const alone = (ours: number, floor: number, detail?: string): Sample => ({
  ours,
  floor,
  ratio: ours,
  ...detail !== undefined && { detail }
})

export const isReached = (goal: Goal, value: number) => "atLeast" in goal ? value >= goal.atLeast : value <= goal.atMost

export const median = (values: ReadonlyArray<number>) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

export const percentile = (values: ReadonlyArray<number>, share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]!
