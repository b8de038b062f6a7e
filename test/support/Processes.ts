import { execFileSync } from "node:child_process"
import { assert } from "vitest"
import { asAdmin, call } from "./Client.ts"
import type { Service } from "./Service.ts"
import { until } from "./Until.ts"

/** Returns whether a process runs. A zombie does not. */
export const isRunning = (pid: number) => processes().some((one) => one.pid === pid)

/** The ids of a service's worker processes for this kind of work. */
export const workersOf = (
  { process: { pid } }: { readonly process: { readonly pid?: number | undefined } },
  kind: string
) =>
  processes().filter(({ args, parent }) => parent === pid && new RegExp(`/WorkerProcess\\.m?[jt]s ${kind} `).test(args))
    .map(({ pid }) => pid)

/** The id of the only worker process. */
export const workerOf = (service: Service, kind: string) => {
  const pids = workersOf(service, kind)
  assert.strictEqual(pids.length, 1)
  return pids[0]!
}

/** Waits until this many tasks of a kind are in progress or queued. */
export const inHand = (service: Service, kind: string, count: number) =>
  until(`${count} of ${kind} are in hand`, async () => {
    const { text } = await call(service, "GET", "/api/admin/metrics", { headers: asAdmin })
    return text.includes(`worker_tasks{work="${kind}"} ${count}\n`)
  })

const processes = () =>
  execFileSync("ps", ["-A", "-ww", "-o", "pid=,ppid=,stat=,args="], { encoding: "utf8" })
    .split("\n")
    .flatMap((line) => {
      const [, pid, parent, state, args] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
      return pid === undefined || state!.startsWith("Z")
        ? []
        : [{ pid: Number(pid), parent: Number(parent), args: args! }]
    })
