import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

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
export const memoryGroup = (pid: number, bytes: number): { readonly close: () => void } | string => {
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
