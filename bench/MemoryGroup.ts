import { Effect } from "effect"
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Service } from "../test/support/Service.ts"
import { open, residentSet, type Tree } from "./Bench.ts"

const root = "/sys/fs/cgroup"

/**
 * Finds this process's memory cgroup. It is in cgroups version 1 if the memory controller is there, and otherwise in
 * version 2 (cgroups(7)).
 */
const own = () => {
  const lines = readFileSync("/proc/self/cgroup", "utf8").trim().split("\n").map((line) => line.split(":"))
  const old = lines.find(([, controllers]) => controllers!.split(",").includes("memory"))
  return old === undefined
    ? { folder: join(root, lines.find(([id]) => id === "0")?.[2] ?? ""), limit: "memory.max" }
    : { folder: join(root, "memory", old[2]!), limit: "memory.limit_in_bytes" }
}

/**
 * Moves a process into a new group with a memory limit in bytes. Returns a `close` that removes the group, or the
 * reason why this machine cannot make the group.
 */
const memoryGroup = (pid: number, bytes: number): { readonly close: () => void } | string => {
  try {
    const { folder, limit } = own()
    const group = join(folder, `vrss-bench-${pid}`)
    mkdirSync(group)
    if (!existsSync(join(group, limit))) {
      rmdirSync(group)
      return "no memory controller here"
    }
    writeFileSync(join(group, limit), `${Math.floor(bytes)}`)
    writeFileSync(join(group, "cgroup.procs"), `${pid}`)
    // Only an empty group can be removed, so the process must have ended.
    return { close: () => rmdirSync(group) }
  } catch (error) {
    return `no memory group can be made here (${(error as NodeJS.ErrnoException).code})`
  }
}

/** Opens a service that may take 1.5 GiB. `told` says whether it is limited, or else why not. */
export const openLimited = Effect.fnUntraced(function*(tree: Tree, environment: Record<string, string>) {
  // Finalizers run in reverse order. This one is registered before the service's, so it runs after the service has
  // ended and left the group.
  let leave = () => {}
  yield* Effect.addFinalizer(() => Effect.sync(() => leave()))
  const bench = yield* open(tree, environment)
  // Memory that the process took before it was moved still counts in its earlier group, so it is subtracted here.
  const group = memoryGroup(bench.service.process.pid!, 1.5 * 1024 ** 3 - residentSet(bench.service) * 1024 ** 2)
  if (typeof group !== "string") leave = group.close
  return { ...bench, told: typeof group === "string" ? group : "in 1.5 GiB" }
})

export const requireRunning = ({ process: { exitCode, signalCode } }: Service) => {
  if (exitCode !== null || signalCode !== null) throw new Error(`the service ended (${exitCode ?? signalCode})`)
}
