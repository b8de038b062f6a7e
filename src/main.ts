import { NodeRuntime } from "@effect/platform-node"
import { Layer } from "effect"
import { App } from "./layers/App.ts"

Layer.launch(App).pipe(NodeRuntime.runMain)
