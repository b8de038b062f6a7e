import { Effect } from "effect"
import { setTimeout } from "node:timers/promises"
import { call, signInVeteran } from "../test/support/Client.ts"
import { openDatabase, openService, quietMillis, resources, syncBody, timedSync } from "./Bench.ts"
import { benchmark, median } from "./Figure.ts"

/** Services that are quiet at the same time, because one sample of each takes minutes. */
const services = 3

/** The first sync of 3,000 after minutes without one, beside the next one of another veteran. */
export const quiet = benchmark({
  rounds: 1,
  isCold: true,
  figures: {
    first: { name: "first sync after a quiet minute", unit: "ms", floor: "the next", goal: { atMost: 1.2 } }
  },
  open: Effect.fnUntraced(function*(tree) {
    const database = yield* openDatabase()
    const all = yield* Effect.forEach(Array.from({ length: services }), () => openService(database, tree))
    const body = syncBody(resources(3000))
    return async () => {
      for (const service of all) {
        for (let n = 0; n < 6; n++) await timedSync(service, await signInVeteran(service), body)
      }
      await setTimeout(quietMillis)
      const pairs = []
      for (const service of all) {
        const synced = async () => {
          const veteran = await signInVeteran(service)
          // An app asks for the manifest, and then reads the record at the VA.
          await call(service, "GET", "/api/veteran/me/health-record/manifest", { headers: veteran.headers })
          await setTimeout(1000)
          return await timedSync(service, veteran, body)
        }
        pairs.push({ first: await synced(), next: await synced() })
      }
      const ratios = pairs.map(({ first, next }) => first / next)
      return {
        first: {
          ours: median(pairs.map(({ first }) => first)),
          floor: median(pairs.map(({ next }) => next)),
          ratio: median(ratios),
          detail: `of ${services} services: ${ratios.map((ratio) => ratio.toFixed(2)).join(", ")}`
        }
      }
    }
  })
})
