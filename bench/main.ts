import { Effect } from "effect"
import { open } from "./Bench.ts"
import { benchMe } from "./me.ts"
import { benchMemory, benchSync } from "./sync.ts"
import { benchView } from "./view.ts"

/** Each figure is a ratio to its floor in the same run: on a noisy machine absolute times mean nothing. */
await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
  const bench = yield* open
  console.log("ratio to the floor, median of rounds\n")
  yield* benchSync(bench)
  yield* benchView(bench)
  yield* benchMe(bench)
  yield* benchMemory(bench)
})))
