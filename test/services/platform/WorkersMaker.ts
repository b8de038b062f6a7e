import { Effect } from "effect"
import { makeWorkers, task } from "../../../src/services/platform/Workers.ts"
import type work from "./WorkersTrial.ts"

const trial = task<typeof work>(new URL("./WorkersTrial.ts", import.meta.url))

// Starts a worker process that is always busy, and prints that process's id.
await Effect.gen(function*() {
  const workers = yield* makeWorkers({ kind: "trial", queue: 0 })
  const { ask } = yield* workers.open(trial)
  process.stdout.write(`${yield* ask({ does: "never" })}\n`)
  setInterval(() => {}, 1000)
  return yield* Effect.never
}).pipe(Effect.scoped, Effect.runPromise)
