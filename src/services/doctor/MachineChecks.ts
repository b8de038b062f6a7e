import { Effect } from "effect"
import { availableParallelism, totalmem } from "node:os"
import { Settings } from "../platform/Settings.ts"
import { check, error, warning, where } from "./Finding.ts"

/** It has what the service calls: zstd in node:zlib, `tls.getCACertificates`, types that are stripped. */
const oldestNode = 24

const node = Effect.sync(() =>
  where([
    Number.parseInt(process.versions.node) < oldestNode,
    error(
      `Node is ${process.versions.node}.`,
      `The service needs ${oldestNode} or later.`,
      "Start it by npm (npm start), which uses the Node that npm ci installed."
    )
  ])
)

/** Besides its clients' connections a process has those to the database, files under way, threads and the runtime's own. */
const descriptorsBesides = 100

const descriptors = Effect.map(Settings, ({ maxConnections }) => {
  const limit = openFiles()
  const needed = maxConnections + descriptorsBesides
  return where([
    limit < needed,
    warning(
      `This user may open ${limit} files at once, and MAX_CONNECTIONS=${maxConnections} needs ${needed}.`,
      "A crowd takes the last of them, and the service then accepts no connection and opens no file until some are closed.",
      `Raise the limit (ulimit -n ${needed}, or LimitNOFILE=${needed} in a systemd unit), or set MAX_CONNECTIONS=${
        Math.max(1, limit - descriptorsBesides)
      }.`
    )
  ])
})

const openFiles = () => {
  const { userLimits } = process.report.getReport() as unknown as {
    readonly userLimits?: { readonly open_files: { readonly soft: number | string } }
  }
  const soft = Number(userLimits?.open_files.soft)
  return Number.isNaN(soft) ? Infinity : soft
}

const mebibyte = 1024 * 1024

const memory = Effect.map(Settings, ({ memoryBudget, syncsAtOnce }) => {
  const releaseThreads = Math.min(4, Math.max(2, availableParallelism() - 1))
  // docs/operator.md has these figures: the process itself, a thread of a sync, a thread that makes releases.
  const needed = memoryBudget / mebibyte + 450 + 100 * syncsAtOnce + 80 * releaseThreads
  const constrained = process.constrainedMemory()
  const available = Math.floor(Math.min(totalmem(), constrained > 0 ? constrained : Infinity) / mebibyte)
  return where([
    needed > available,
    warning(
      `This machine, or the service's part of it, has ${available} MiB of memory, and the settings let a process take ${needed}.`,
      "A crowd, or a few large syncs, have the system end the process.",
      "Give it more, or lower MEMORY_BUDGET_MIB and SYNCS_AT_ONCE."
    )
  ])
})

export const machineChecks = [
  check("node", [], node),
  check("descriptors", ["MAX_CONNECTIONS"], descriptors),
  check("memory", ["MEMORY_BUDGET_MIB", "SYNCS_AT_ONCE"], memory)
]
