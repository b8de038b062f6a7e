import { execFileSync } from "node:child_process"

/** Says whether there is such a process; one that has ended, and whose parent has not asked how, is none. */
export const isRunning = (pid: number) => processes().some((one) => one.pid === pid)

/** The worker processes of a service that do this kind of work. */
export const workersOf = (service: { readonly pid?: number | undefined }, kind: string) =>
  processes()
    .filter(({ command, parent }) => parent === service.pid && command.endsWith(`/WorkerProcess.ts ${kind}`))
    .map(({ pid }) => pid)

const processes = () =>
  execFileSync("ps", ["-A", "-ww", "-o", "pid=,ppid=,stat=,args="], { encoding: "utf8" })
    .split("\n")
    .flatMap((line) => {
      const [, pid, parent, state, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
      return pid === undefined || state!.startsWith("Z") ? [] : [{ pid: Number(pid), parent: Number(parent), command: command! }]
    })
