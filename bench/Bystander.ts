import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import type { Service } from "../test/support/Service.ts"
import type { Probe, Times } from "./crowd-probe.ts"

/** Starts a program of this folder whose output can be read. */
export const launch = (file: string, argument: object) =>
  spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url)), JSON.stringify(argument)], {
    stdio: ["ignore", "pipe", "inherit"]
  })

export const outputOf = async (child: ChildProcess) => {
  let text = ""
  child.stdout!.on("data", (chunk) => text += chunk)
  await once(child, "close")
  return JSON.parse(text)
}

/**
 * Requests each address repeatedly from a separate process, and returns the response times. A veteran may read each
 * address 600 times a minute. The default pause of 110 ms keeps the requests below this limit.
 */
export const probed = async (
  addresses: ReadonlyArray<string>,
  seconds: number,
  { headers = {}, pause = 110 }: Partial<Pick<Probe, "headers" | "pause">> = {}
): Promise<Times> => await outputOf(launch("crowd-probe.ts", { addresses, seconds, pause, headers } satisfies Probe))

/** Probes /health, a bare server beside it, and with a veteran's headers one path, all at once. */
export const waitsOf = async (
  { url }: Service,
  bare: number,
  path: string,
  seconds: number,
  headers: Readonly<Record<string, string>>
) => {
  const [health, floor, own] = [`${url}/health`, `http://127.0.0.1:${bare}/`, url + path]
  const [both, one] = await Promise.all([
    probed([health, floor], seconds, { pause: 10 }),
    probed([own], seconds, { headers: { ...headers } })
  ])
  return { health: both[health]!, floor: both[floor]!, own: one[own]! }
}

/** Repeats each request until `work` is done. */
export const meanwhile = async <A>(requests: ReadonlyArray<() => Promise<unknown>>, work: () => Promise<A>) => {
  const state = { runs: true }
  const busy = requests.map(async (request) => {
    while (state.runs) await request()
  })
  const done = await work().finally(() => state.runs = false)
  await Promise.all(busy)
  return done
}
