import { Effect } from "effect"
import { setTimeout } from "node:timers/promises"
import { call, randomAddress, signInVeteran } from "../test/support/Client.ts"
import { head } from "../test/support/Sockets.ts"
import { type Bench, expecting, open, residentSet, resources, syncBody, syncPath, watched } from "./Bench.ts"
import { launch, outputOf, probed } from "./Bystander.ts"
import type { Crowd } from "./crowd-client.ts"
import type { Times } from "./crowd-probe.ts"
import { alone, benchmark, percentile } from "./Figure.ts"
import { memoryGroup } from "./MemoryGroup.ts"

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
    health: { name: "/health p99 under the crowd", unit: "ms", floor: "quiet", goal: { atMost: 100 } },
    me: { name: "/me p99 under the crowd", unit: "ms", floor: "quiet" },
    record: { name: "a record of 200 under the crowd, p99", unit: "ms", floor: "quiet" }
  },
  open: Effect.fnUntraced(function*(tree) {
    // Finalizers run in reverse order. This one is registered before the service's, so it runs after the service has
    // ended and left the group.
    let leave = () => {}
    yield* Effect.addFinalizer(() => Effect.sync(() => leave()))
    const { port, service } = yield* open(tree, { API_DOCS: "true" })
    const limit = 1.5 * 1024 ** 3
    // Memory that the process took before it was moved still counts in its earlier group, so it is subtracted here.
    const group = memoryGroup(service.process.pid!, limit - residentSet(service) * 1024 ** 2)
    if (typeof group !== "string") leave = group.close
    const told = typeof group === "string" ? group : "in 1.5 GiB"
    const { crowds, headers } = yield* Effect.promise(() => prepared(service))
    const addresses = ["/health", "/api/veteran/me", "/api/veteran/me/health-record"].map((path) => service.url + path)
    return async () => {
      const quiet = await probed(addresses, 5, { headers })
      const before = residentSet(service)
      let under: Times = {}
      const outcomes: Array<string> = []
      const most = await watched(service, async () => {
        const children = Object.entries(crowds).map(([name, requests]) => {
          const child = launch("crowd-client.ts", { port, requests } satisfies Crowd)
          return { name, child, outcome: outputOf(child) }
        })
        await setTimeout(500)
        under = await probed(addresses, seconds, { headers })
        for (const { child, name, outcome } of children) {
          child.kill()
          outcomes.push(`${name} ${JSON.stringify(await outcome)}`)
        }
      })
      const { exitCode, signalCode } = service.process
      if (exitCode !== null || signalCode !== null) throw new Error(`the service ended (${exitCode ?? signalCode})`)
      const p99 = (n: number) => {
        const { failures, times } = under[addresses[n]!]!
        const detail = `longest ${Math.max(...times).toFixed(0)} ms, ${failures} of ${times.length} failed`
        return alone(percentile(times, 0.99), percentile(quiet[addresses[n]!]!.times, 0.99), detail)
      }
      return {
        resident: alone(most, before, [told, ...outcomes].join("; ")),
        health: p99(0),
        me: p99(1),
        record: p99(2)
      }
    }
  })
})

const prepared = async (service: Bench["service"]) => {
  const [rich, ordinary] = [await signInVeteran(service), await signInVeteran(service)]
  const large = Array.from(
    { length: 3 },
    (_, n) => `{"resourceType":"Observation","id":"${n}","x":"${"x".repeat(2e7)}"}`
  )
  for (const [veteran, types] of [[rich, new Map([["Observation", large]])], [ordinary, resources(200)]] as const) {
    expecting(200, await call(service, "POST", syncPath, { headers: veteran.headers, body: syncBody(types) }))
  }
  const stalled = await Promise.all(Array.from({ length: 4 }, () => signInVeteran(service)))
  const from = () => ({ "x-forwarded-for": randomAddress() })
  const asking = (count: number, path: string, headers: Record<string, string>) =>
    Array.from({ length: count }, () => ({ head: head(`GET ${path}`, { ...from(), ...headers }), blanks: 0 }))
  const sync = { "content-type": "application/json", "content-length": 60e6 }
  const crowds: Record<string, Crowd["requests"]> = {
    "500 slow readers of the docs page": asking(500, "/api/docs", {}),
    "40 slow readers of a 60 MB record": asking(40, "/api/veteran/me/health-record", rich.headers),
    "24 stalled syncs of 60 MB": stalled.flatMap(({ headers }) =>
      Array.from(
        { length: 6 },
        () => ({ head: head(`POST ${syncPath}`, { ...from(), ...headers, ...sync }), blanks: 59e6 })
      )
    )
  }
  return { crowds, headers: { ...ordinary.headers } }
}
