import { Effect } from "effect"
import { sign } from "../test/http/release/Releases.ts"
import { call, signInVeteran } from "../test/support/Client.ts"
import { expecting, open, openFloor, resources, syncBody, timedSync } from "./Bench.ts"
import { probed } from "./Bystander.ts"
import { alone, benchmark, median, percentile } from "./Figure.ts"
import { largeBody } from "./sync.ts"
import { openRecord } from "./view.ts"

const floor = "node:http beside it"

const seconds = 5

/** What others wait while the service has much in hand, beside a bare server that shares the processors with it. */
export const bystanders = benchmark({
  rounds: 5,
  figures: {
    releases: { name: "/health p99 while releases are signed", unit: "ms", floor, goal: { atMost: 12 } },
    large: { name: "/health p99 beside large syncs and views", unit: "ms", floor, goal: { atMost: 20 } },
    me: { name: "/me beside large syncs and views, median", unit: "ms", floor: "quiet", goal: { atMost: 2 } },
    documents: { name: "documents beside the same, median", unit: "ms", floor: "quiet", goal: { atMost: 2 } },
    record: { name: "a record of 100 beside the same, median", unit: "ms", floor: "quiet", goal: { atMost: 2 } }
  },
  open: Effect.fnUntraced(function*(tree) {
    const { owner, service } = yield* open(tree)
    const bare = yield* openFloor("{\"status\":\"ok\"}")
    const body = largeBody(26e6)
    const { path, providers } = yield* Effect.promise(() => openRecord(service, 4))
    const veterans = (count: number) => Promise.all(Array.from({ length: count }, () => signInVeteran(service)))
    const veteran = yield* Effect.promise(() => signInVeteran(service))
    const signers = yield* Effect.promise(() => veterans(4))
    yield* Effect.promise(() => timedSync(service, veteran, syncBody(resources(100))))
    const health = [`${service.url}/health`, `http://127.0.0.1:${bare.port}/`]
    const reads = ["/api/veteran/me", "/api/veteran/me/documents", "/api/veteran/me/health-record?limit=20"]
      .map((path) => service.url + path)
    const waits = async () => {
      const [both, read] = await Promise.all([
        probed(health, seconds, { pause: 10 }),
        probed(reads, seconds, { headers: { ...veteran.headers } })
      ])
      for (const [address, { failures }] of Object.entries({ ...both, ...read })) {
        if (failures > 0) throw new Error(`${failures} of the requests of ${address} failed`)
      }
      const [ours, least] = health.map((address) => percentile(both[address]!.times, 0.99)) as [number, number]
      return { p99: alone(ours, least), medians: reads.map((address) => median(read[address]!.times)) }
    }
    /** Keeps them all busy until the bystanders are done. */
    const beside = async <A>(all: ReadonlyArray<(n: number) => Promise<unknown>>, waiting: () => Promise<A>) => {
      const state = { runs: true }
      const busy = all.map(async (work) => {
        for (let n = 0; state.runs; n++) await work(n)
      })
      const waited = await waiting().finally(() => state.runs = false)
      await Promise.all(busy)
      return waited
    }
    return async () => {
      await owner.query("delete from rate_limit_spendings")
      const quiet = await waits()
      const signing = await beside(
        signers.map((signer) => async () => expecting(201, await sign(service, signer))),
        waits
      )
      const senders = await veterans(4)
      const large = await beside([
        ...senders.map((sender) => (n: number) =>
          n < 6
            ? timedSync(service, sender, n % 2 === 0 ? body : emptied)
            : Promise.reject(new Error("no sync is left"))
        ),
        ...providers.slice(0, 2).map((provider) => async () =>
          expecting(200, await call(service, "GET", path, provider))
        )
      ], waits)
      const read = (n: number) => ({ ours: large.medians[n]!, floor: quiet.medians[n]! })
      return { releases: signing.p99, large: large.p99, me: read(0), documents: read(1), record: read(2) }
    }
  })
})

/** After it the same large sync has each item to write again. */
const emptied = JSON.stringify({
  fhirResourceFetchStatuses: Object.fromEntries([...resources(3000).keys()].map((type) => [type, "empty"])),
  resources: {}
})
