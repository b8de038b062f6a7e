import { Effect } from "effect"
import { setTimeout } from "node:timers/promises"
import { sign } from "../test/http/release/Releases.ts"
import { type Answer, call, signInVeteran } from "../test/support/Client.ts"
import { expecting, open, openFloor, resources, syncBody, syncPath, timedSync } from "./Bench.ts"
import { probed } from "./Bystander.ts"
import { alone, benchmark, median, percentile } from "./Figure.ts"
import { largeBody } from "./sync.ts"
import { openRecord } from "./view.ts"

const floor = "node:http beside it"

const seconds = 5

/**
 * How long other users wait while the service is busy. The comparison is a bare server on the same processors, or the
 * service when it is not busy.
 */
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
    const veteran = yield* Effect.promise(() => signInVeteran(service))
    const signers = yield* Effect.promise(() => Promise.all(Array.from({ length: 4 }, () => signInVeteran(service))))
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
    /**
     * Repeats all requests until the other users' waits are measured. After an answer of 503, a client waits half a
     * second.
     */
    const beside = async (all: ReadonlyArray<() => Promise<Answer>>) => {
      const state = { runs: true }
      const busy = all.map(async (work) => {
        while (state.runs) {
          const answer = await work()
          if (answer.status === 503) await setTimeout(500)
          else expecting(answer.status === 201 ? 201 : 200, answer)
        }
      })
      const waited = await waits().finally(() => state.runs = false)
      await Promise.all(busy)
      return waited
    }
    const sync = async () => call(service, "POST", syncPath, { headers: (await signInVeteran(service)).headers, body })
    return async () => {
      await owner.query("delete from rate_limit_spendings")
      const quiet = await waits()
      const signing = await beside(signers.map((signer) => () => sign(service, signer)))
      const views = providers.slice(0, 2).map((provider) => () => call(service, "GET", path, provider))
      const large = await beside([sync, sync, sync, sync, ...views])
      const read = (n: number) => ({ ours: large.medians[n]!, floor: quiet.medians[n]! })
      return { releases: signing.p99, large: large.p99, me: read(0), documents: read(1), record: read(2) }
    }
  })
})
