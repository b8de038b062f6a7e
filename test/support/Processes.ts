import { execFileSync } from "node:child_process"
import { assert } from "vitest"
import { asAdmin, call } from "./Client.ts"
import type { Service } from "./Service.ts"
import { until } from "./Until.ts"

/** Says whether there is such a process; one that has ended, and whose parent has not asked how, is none. */
export const isRunning = (pid: number) => processes().some((one) => one.pid === pid)

/** The worker processes of a service that do this kind of work. */
export const workersOf = ({ process: { pid } }: Service, kind: string) =>
  processes().filter(({ args, parent }) => parent === pid && args.endsWith(`/WorkerProcess.ts ${kind}`))
    .map(({ pid }) => pid)

/** The one that there is. */
export const workerOf = (service: Service, kind: string) => {
  const pids = workersOf(service, kind)
  assert.strictEqual(pids.length, 1)
  return pids[0]!
}

/** Waits until so much of this work is in hand, or waits for a process. */
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
