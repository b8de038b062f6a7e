import { Effect } from "effect"
import { setTimeout } from "node:timers/promises"
import { type Answer, call, signInVeteran } from "../test/support/Client.ts"
import { syncPath } from "../test/support/Sync.ts"
import { expecting, open, openFloor, resources, syncBody } from "./Bench.ts"
import { meanwhile, waitsOf } from "./Bystander.ts"
import { alone, benchmark, median, percentile } from "./Figure.ts"
import { openRecord } from "./requests.ts"

const seconds = 5

/**
 * How long other users wait while the service is busy. The comparison is a bare server on the same processors, or the
 * service when it is not busy.
 */
export const bystanders = benchmark({
  rounds: 5,
  figures: {
    large: {
      name: "/health p99 beside large syncs and views",
      unit: "ms",
      floor: "node:http beside it",
      goal: { atMost: 20 }
    },
    me: { name: "/me beside large syncs and views, median", unit: "ms", floor: "quiet", goal: { atMost: 2 } }
  },
  open: Effect.fnUntraced(function*(tree) {
    const { owner, service } = yield* open(tree)
    const bare = yield* openFloor("{\"status\":\"ok\"}")
    const body = syncBody(resources(12_000))
    const { path, providers } = yield* Effect.promise(() => openRecord(service, 2))
    const veteran = yield* Effect.promise(() => signInVeteran(service))
    const waits = async () => {
      const waited = await waitsOf(service, bare, "/api/veteran/me", seconds, veteran.headers)
      for (const [whose, { failures }] of Object.entries(waited)) {
        if (failures > 0) throw new Error(`${failures} of the requests of ${whose} failed`)
      }
      return waited
    }
    /** After an answer of 503, a client waits half a second. */
    const asking = (ask: () => Promise<Answer>) => async () => {
      const answer = await ask()
      if (answer.status === 503) await setTimeout(500)
      else expecting(200, answer)
    }
    const sync = async () => call(service, "POST", syncPath, { headers: (await signInVeteran(service)).headers, body })
    const views = providers.map((provider) => () => call(service, "GET", path, provider))
    const requests = [sync, sync, sync, sync, ...views].map(asking)
    return async () => {
      await owner.query("delete from rate_limit_spendings")
      const quiet = await waits()
      const busy = await meanwhile(requests, waits)
      return {
        large: alone(percentile(busy.health.times, 0.99), percentile(busy.floor.times, 0.99)),
        me: { ours: median(busy.own.times), floor: median(quiet.own.times) }
      }
    }
  })
})
