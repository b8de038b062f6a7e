import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Layer } from "effect"
import { Patience } from "../../src/http/wire/SlowClients.ts"
import { App } from "../../src/layers/App.ts"

/** Starts the service with very short limits for slow clients, or with those in the variable `PATIENCE`. */
const patience = {
  ...{ answer: 2000, pause: 1000, grace: 1500, bytesPerSecond: 64 * 1024, smallBody: 2500 },
  ...JSON.parse(process.env["PATIENCE"] ?? "{}")
}

Layer.launch(Layer.provide(App, Layer.succeed(Patience, patience))).pipe(NodeRuntime.runMain())
