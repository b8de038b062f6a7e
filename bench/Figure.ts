import type { Effect, Scope } from "effect"
import type { Tree } from "./Bench.ts"

/** What a figure should come to at the median. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number }

export interface Figure {
  readonly name: string
  /** None: it is told, and nothing is asked of it. */
  readonly goal?: Goal
  /** Of what is measured and of its floor: "/s", "ms", "µs", "MB". */
  readonly unit: string
  /** What it is measured beside. */
  readonly floor?: string
}

/** One figure in one round. */
export interface Sample {
  readonly ours: number
  /** Of the same round. */
  readonly floor?: number
  /** What the goal is about: `ours / floor` where it is not said, and without a floor `ours` itself. */
  readonly ratio?: number
  readonly detail?: string
}

/** The samples of a round by the figures' keys; why there is none, where one of several cannot be had. */
export type Samples<Key extends string = string> = Readonly<Record<Key, Sample | Error>>

/** Figures that are measured together, of a tree of the source with a service of its own: what is done each round. */
export interface Benchmark<Key extends string = string, Side = Tree> {
  readonly figures: Readonly<Record<Key, Figure>>
  readonly rounds: number
  /** The first round, in which code runs that has never run, counts too. */
  readonly isCold?: boolean
  readonly open: (side: Side) => Effect.Effect<() => Promise<Samples<Key>>, unknown, Scope.Scope>
}

/** As it stands: the keys of its samples are checked by those of its figures. */
export const benchmark = <Key extends string>(it: Benchmark<Key>) => it

export const ratioOf = ({ floor, ours, ratio }: Sample) => ratio ?? (floor === undefined ? ours : ours / floor)

/** Both are times, of which the floor's share tells what a rate would. */
export const floorShare = (ours: number, floor: number, detail?: string): Sample => ({
  ours,
  floor,
  ratio: floor / ours,
  ...detail !== undefined && { detail }
})

/** A time or a size by itself, with a floor that is only shown beside it. */
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
