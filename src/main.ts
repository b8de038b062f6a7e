import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Exit, Layer, type Runtime } from "effect"
import { App } from "./layers/App.ts"
import { describeCause } from "./services/platform/Defects.ts"

/** To stop on a signal is success. What keeps the service from starting is said in plain lines on standard error. */
const teardown: Runtime.Teardown = (exit, onExit) => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return onExit(0)
  const error = Cause.squash(exit.cause)
  const expected = error instanceof Error && "_tag" in error
  process.stderr.write(`${expected ? error.message : JSON.stringify(describeCause(exit.cause), null, 2)}\n`)
  onExit(1)
}

// Whoever reads the log may go away, as a log shipper does that restarts: the service goes on without a reader.
for (const output of [process.stdout, process.stderr]) output.on("error", () => {})

// Whoever stops the service waits for half a minute, as a rule, and kills it then: what has not ended by now will not.
for (const signal of ["SIGTERM", "SIGINT"]) {
  process.once(signal, () => setTimeout(() => process.exit(0), 24_000).unref())
}

Layer.launch(App).pipe(NodeRuntime.runMain({ disableErrorReporting: true, teardown }))
