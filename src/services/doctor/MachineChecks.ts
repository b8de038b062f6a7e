import { Effect } from "effect"
import { totalmem } from "node:os"
import { descriptorsBeside, maxDescriptors } from "../platform/Descriptors.ts"
import { Settings } from "../platform/Settings.ts"
import { check, errorIf, warningIf } from "./Finding.ts"

/** The first version with zstd in node:zlib, `tls.getCACertificates` and type stripping. */
const oldestNode = 24

const node = Effect.sync(() =>
  errorIf(
    Number.parseInt(process.versions.node) < oldestNode,
    `Node is ${process.versions.node}.`,
    `The service needs ${oldestNode} or later.`,
    "Start it by npm (npm start), which uses the Node that npm ci installed."
  )
)

const descriptors = Effect.map(Settings, ({ maxConnections }) => {
  const limit = maxDescriptors() ?? Infinity
  const needed = maxConnections + descriptorsBeside
  return warningIf(
    limit < needed,
    `This user may open ${limit} files at once, and MAX_CONNECTIONS=${maxConnections} needs ${needed}.`,
    "The service takes fewer connections than MAX_CONNECTIONS says, so they are used up sooner.",
    `Raise the limit (ulimit -n ${needed}, or LimitNOFILE=${needed} in a systemd unit), or set MAX_CONNECTIONS=${
      Math.max(16, limit - descriptorsBeside)
    }.`
  )
})

const mebibyte = 1024 * 1024

/** Memory that the service's process needs in addition to its budget (docs/operator.md, "Crowds and slow clients"). */
const processMiB = 450

/**
 * MiB to plan for each child process: the most that one keeps between two tasks (platform/WorkerProcess.ts). A sync
 * with a body of 64 MiB takes more, up to 400 MB. The bodies of all other large syncs then have at most 16 MiB together
 * (record/SyncPlaces.ts), so those syncs take less than planned.
 */
const childMiB = 300

const releaseProcesses = 2

const memory = Effect.map(Settings, ({ memoryBudget, syncsAtOnce }) => {
  const needed = memoryBudget / mebibyte + processMiB + childMiB * (syncsAtOnce + releaseProcesses)
  const constrained = process.constrainedMemory()
  const available = Math.floor(Math.min(totalmem(), constrained > 0 ? constrained : Infinity) / mebibyte)
  return warningIf(
    needed > available,
    `This machine, or the service's part of it, has ${available} MiB of memory, and the settings let a process and its children take ${needed}.`,
    "Under many requests, or a few large syncs, the system may end the process.",
    "Add memory, or lower MEMORY_BUDGET_MIB and SYNCS_AT_ONCE."
  )
})

export const machineChecks = [
  check("node", [], node),
  check("descriptors", ["MAX_CONNECTIONS"], descriptors),
  check("memory", ["MEMORY_BUDGET_MIB", "SYNCS_AT_ONCE"], memory)
]
