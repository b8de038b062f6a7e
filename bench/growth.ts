import { Effect } from "effect"
import type { Tree } from "./Bench.ts"
import type { Measured } from "./Rounds.ts"
export const growth = (_tree: Tree, _sizes: ReadonlyArray<number>, _rounds?: number) =>
  Effect.succeed(new Array<Measured>())
