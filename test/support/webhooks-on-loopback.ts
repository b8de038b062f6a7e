import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Layer } from "effect"
import { App } from "../../src/layers/App.ts"
import { PublicAddresses, resolveWith } from "../../src/services/oauth/PublicAddresses.ts"

// Starts the service with invented DNS answers. Names under loopback.example lead to the apps' receivers on this
// machine, which the service would otherwise refuse to call. The rules for all other addresses stay the same.
const resolve = resolveWith(() =>
  ({
    resolve4: async (name: string) => name === "inside.example" ? ["10.0.0.7"] : ["93.184.215.14", "192.168.0.1"],
    resolve6: async () => []
  }) as never
)

const addresses = Layer.succeed(PublicAddresses)(async (host) =>
  host.endsWith(".loopback.example") ? [{ address: "127.0.0.1", family: 4 }] : await resolve(host)
)

Layer.launch(Layer.provide(App, addresses)).pipe(NodeRuntime.runMain)
