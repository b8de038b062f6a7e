import { Effect } from "effect"
import { setTimeout } from "node:timers/promises"
import { randomAddress, signInVeteran } from "../test/support/Client.ts"
import { head } from "../test/support/Sockets.ts"
import { syncPath } from "../test/support/Sync.ts"
import { type Bench, residentSet, syncBody, timedSync, watched } from "./Bench.ts"
import { launch, outputOf, probed } from "./Bystander.ts"
import type { Crowd } from "./crowd-client.ts"
import type { Times } from "./crowd-probe.ts"
import { alone, benchmark, percentile } from "./Figure.ts"
import { openLimited, requireRunning } from "./MemoryGroup.ts"

const seconds = 45

/** Three crowds at once: slow readers of the documentation page, slow readers of a large record, and stalled syncs. */
export const crowd = benchmark({
  rounds: 1,
  isCold: true,
  figures: {
    resident: {
      name: "resident set under a crowd of slow clients",
      unit: "MB",
      floor: "before",
      goal: { atMost: 700 }
    },
    health: { name: "/health p99 under the crowd", unit: "ms", floor: "quiet", goal: { atMost: 100 } }
  },
  open: Effect.fnUntraced(function*(tree) {
    const { port, service, told } = yield* openLimited(tree, { API_DOCS: "true" })
    const crowds = yield* Effect.promise(() => prepared(service))
    const health = `${service.url}/health`
    return async () => {
      const quiet = (await probed([health], 5))[health]!
      const before = residentSet(service)
      let under: Times[string] = { times: [], failures: 0 }
      const outcomes: Array<string> = []
      const most = await watched(service, async () => {
        const children = Object.entries(crowds).map(([name, requests]) => {
          const child = launch("crowd-client.ts", { port, requests } satisfies Crowd)
          return { name, child, outcome: outputOf(child) }
        })
        await setTimeout(500)
        under = (await probed([health], seconds))[health]!
        for (const { child, name, outcome } of children) {
          child.kill()
          outcomes.push(`${name} ${JSON.stringify(await outcome)}`)
        }
      })
      requireRunning(service)
      const { failures, times } = under
      const detail = `longest ${Math.max(...times).toFixed(0)} ms, ${failures} of ${times.length} failed`
      return {
        resident: alone(most, before, [told, ...outcomes].join("; ")),
        health: alone(percentile(times, 0.99), percentile(quiet.times, 0.99), detail)
      }
    }
  })
})

const prepared = async (service: Bench["service"]): Promise<Record<string, Crowd["requests"]>> => {
  const rich = await signInVeteran(service)
  const large = Array.from(
    { length: 3 },
    (_, n) => `{"resourceType":"Observation","id":"${n}","x":"${"x".repeat(2e7)}"}`
  )
  await timedSync(service, rich, syncBody({ Observation: large }))
  const stalled = await Promise.all(Array.from({ length: 4 }, () => signInVeteran(service)))
  const from = () => ({ "x-forwarded-for": randomAddress() })
  const asking = (count: number, path: string, headers: Record<string, string>) =>
    Array.from({ length: count }, () => ({ head: head(`GET ${path}`, { ...from(), ...headers }), blanks: 0 }))
  const sync = { "content-type": "application/json", "content-length": 60e6 }
  return {
    "500 slow readers of the docs page": asking(500, "/api/docs", {}),
    "40 slow readers of a 60 MB record": asking(40, "/api/veteran/me/health-record", rich.headers),
    "24 stalled syncs of 60 MB": stalled.flatMap(({ headers }) =>
      Array.from(
        { length: 6 },
        () => ({ head: head(`POST ${syncPath}`, { ...from(), ...headers, ...sync }), blanks: 59e6 })
      )
    )
  }
}
