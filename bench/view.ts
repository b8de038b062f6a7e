import { Effect } from "effect"
import { call, giveGrant, type SignedIn, signInProvider, signInVeteran } from "../test/support/Client.ts"
import { type Bench, open, openFloor, resources, syncBody, timedSync } from "./Bench.ts"
import { alone, benchmark } from "./Figure.ts"
import { get, load } from "./load.ts"

const floor = "its plain bytes by node:http"

/**
 * Makes a veteran with a record of 3,000 resources, and `count` providers to read it. One provider may read only 600
 * times a minute, so a load needs several.
 */
export const openRecord = async (service: Bench["service"], count: number) => {
  const veteran = await signInVeteran(service)
  await timedSync(service, veteran, syncBody(resources(3000)))
  const providers: Array<SignedIn> = []
  for (let n = 0; n < count; n++) {
    const provider = await signInProvider(service)
    await giveGrant(service, veteran, provider)
    providers.push(provider)
  }
  return { veteran, providers, path: `/api/provider/patients/${veteran.id}/record` }
}

/** A provider's view of a record of 3,000 resources, once as browsers request it and once without compression. */
export const view = benchmark({
  rounds: 7,
  figures: {
    zstd: { name: "view of 3,000, zstd taken", unit: "/s", floor, goal: { atLeast: 0.3 } },
    plain: { name: "view of 3,000, without compression", unit: "/s", floor, goal: { atLeast: 0.15 } },
    processor: { name: "view of 3,000, processor time without compression", unit: "µs", floor }
  },
  open: Effect.fnUntraced(function*(tree) {
    const { port, service } = yield* open(tree)
    const { path, providers } = yield* Effect.promise(() => openRecord(service, 16))
    const { text } = yield* Effect.promise(() => call(service, "GET", path, providers[0]!))
    const bare = yield* openFloor(text)
    const as = (headers: Readonly<Record<string, string>>) =>
      providers.map((provider) => get(path, { ...provider.headers, ...headers }))
    const [plainly, compressed] = [as({}), as({ "accept-encoding": "gzip, deflate, br, zstd" })]
    const at = { connections: 4, seconds: 1.5 }
    return async () => {
      const least = await load(bare, { ...at, requests: plainly })
      const plain = await load({ port, pid: service.process.pid! }, { ...at, requests: plainly })
      const zstd = await load({ port, pid: service.process.pid! }, { ...at, requests: compressed })
      const detail = `${(Buffer.byteLength(text) / 1e6).toFixed(2)} MB`
      return {
        plain: { ours: plain.perSecond, floor: least.perSecond, detail },
        zstd: { ours: zstd.perSecond, floor: least.perSecond },
        processor: alone(plain.processor, least.processor)
      }
    }
  })
})
