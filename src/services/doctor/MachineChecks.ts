import { Effect } from "effect"
import { totalmem } from "node:os"
import { descriptorsBeside, maxDescriptors } from "../platform/Descriptors.ts"
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

const descriptors = Effect.map(Settings, ({ maxConnections }) => {
  const limit = maxDescriptors() ?? Infinity
  const needed = maxConnections + descriptorsBeside
  return where([
    limit < needed,
    warning(
      `This user may open ${limit} files at once, and MAX_CONNECTIONS=${maxConnections} needs ${needed}.`,
      "The service takes fewer connections than MAX_CONNECTIONS says, and a crowd fills those sooner.",
      `Raise the limit (ulimit -n ${needed}, or LimitNOFILE=${needed} in a systemd unit), or set MAX_CONNECTIONS=${
        Math.max(16, limit - descriptorsBeside)
      }.`
    )
  ])
})

const mebibyte = 1024 * 1024

const memory = Effect.map(Settings, ({ memoryBudget, syncsAtOnce }) => {
  // docs/operator.md has these figures: the process itself, those that read syncs, those that make releases.
  const needed = memoryBudget / mebibyte + 450 + 200 * syncsAtOnce + 130 * 2
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
