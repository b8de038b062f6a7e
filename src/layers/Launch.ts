import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Exit, Layer, type Runtime } from "effect"
import { describeCause } from "../services/platform/Defects.ts"
import { App } from "./App.ts"

/** Stopping on a signal is a success. The reason of a failed start is printed in plain lines on standard error. */
const teardown: Runtime.Teardown = (exit, onExit) => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return onExit(0)
  const error = Cause.squash(exit.cause)
  const expected = error instanceof Error && "_tag" in error
  process.stderr.write(`${expected ? error.message : JSON.stringify(describeCause(exit.cause), null, 2)}\n`)
  onExit(1)
}

// A log shipper that restarts may close stdout or stderr. Without this handler the error would end the service.
for (const output of [process.stdout, process.stderr]) output.on("error", () => {})

// Service managers usually wait 30 seconds after SIGTERM before they kill the process, so it exits after 24 seconds.
for (const signal of ["SIGTERM", "SIGINT"]) {
  process.once(signal, () => setTimeout(() => process.exit(0), 24_000).unref())
}

Layer.launch(App).pipe(NodeRuntime.runMain({ disableErrorReporting: true, teardown }))
