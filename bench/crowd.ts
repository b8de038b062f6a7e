import { Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { loadavg } from "node:os"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { call, randomAddress, signInVeteran } from "../test/support/Client.ts"
import { head } from "../test/support/Sockets.ts"
import { open, residentSet, resources, syncBody, watched } from "./Bench.ts"
import type { Crowd } from "./crowd-client.ts"
import type { Probe, Times } from "./crowd-probe.ts"
import { memoryGroup } from "./MemoryGroup.ts"

const syncPath = "/api/veteran/me/health-record/sync"

const seconds = 45

const start = (file: string, argument: Crowd | Probe) =>
  spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url)), JSON.stringify(argument)], {
    stdio: ["ignore", "pipe", "inherit"]
  })

const outputOf = async (child: ChildProcess) => {
  let text = ""
  child.stdout!.on("data", (chunk) => text += chunk)
  await once(child, "close")
  return JSON.parse(text)
}

/** Slow readers of the documentation page and of a large record, and stalled syncs, all at once (issue 9, H2, H3, M3). */
export const benchCrowd = Effect.gen(function*() {
  // One for the process itself: the group must not end before it.
  let leave = () => {}
  yield* Effect.addFinalizer(() => Effect.sync(() => leave()))
  const { service } = yield* open({ API_DOCS: "true" })
  const limit = 1.5 * 1024 ** 3
  // What it has taken before it is moved stays counted where it was.
  const group = memoryGroup(service.process.pid!, limit - residentSet(service) * 1024 ** 2)
  if (typeof group !== "string") leave = group.close
  console.log(`a crowd of slow clients; memory group: ${typeof group === "string" ? group : "1.5 GiB"}`)
  yield* Effect.promise(() => run(service))
})

const run = async (service: Parameters<typeof residentSet>[0]) => {
  const port = Number(new URL(service.url).port)
  const [rich, ordinary] = [await signInVeteran(service), await signInVeteran(service)]
  const large = Array.from(
    { length: 3 },
    (_, n) => `{"resourceType":"Observation","id":"${n}","x":"${"x".repeat(2e7)}"}`
  )
  for (const [veteran, types] of [[rich, new Map([["Observation", large]])], [ordinary, resources(200)]] as const) {
    const answer = await call(service, "POST", syncPath, { headers: veteran.headers, body: syncBody(types) })
    if (answer.status !== 200) throw new Error(answer.text)
  }
  const probe = async (duration: number) => {
    const paths = ["/health", "/api/veteran/me", "/api/veteran/me/health-record"]
    const argument = { url: service.url, seconds: duration, paths, headers: ordinary.headers }
    return await outputOf(start("crowd-probe.ts", argument)) as Times
  }
  const quiet = await probe(5)
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
  let under: Times = {}
  const outcomes: Array<string> = []
  const most = await watched(service, async () => {
    const children = Object.entries(crowds).map(([name, requests]) => {
      const child = start("crowd-client.ts", { port, requests })
      return { name, child, outcome: outputOf(child) }
    })
    await setTimeout(500)
    under = await probe(seconds)
    for (const { child, name, outcome } of children) {
      child.kill()
      outcomes.push(`  ${name}: ${JSON.stringify(await outcome)}`)
    }
  })
  const lives = service.process.exitCode === null && service.process.signalCode === null
  const figure = (name: string, aim: string, reached: string) =>
    console.log(`${name.padEnd(44)} aim ${aim.padEnd(9)} ${reached}`)
  figure("the process lives", "yes", lives ? "yes" : "no")
  figure("resident set, MB", "< 700", most.toFixed(0))
  for (const [path, { failures, times }] of Object.entries(under)) {
    const reached = `${at(times, 0.99)} ms, median ${at(times, 0.5)}, longest ${Math.max(...times).toFixed(0)}, ` +
      `${failures} of ${times.length} failed`
    figure(
      `p99 of ${path}`,
      path === "/health" ? "< 100 ms" : "none set",
      `${reached}; quiet p99 ${at(quiet[path]!.times, 0.99)}`
    )
  }
  console.log(outcomes.join("\n"))
  console.log(`  load of the machine: ${loadavg().map((load) => load.toFixed(1)).join(" ")}`)
}

const at = (times: ReadonlyArray<number>, share: number) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]!.toFixed(0)
