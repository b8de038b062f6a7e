import { readSync, writeFileSync, writeSync } from "node:fs"
import { constants, setPriority } from "node:os"
import { Worker } from "node:worker_threads"
import { keepCompiledModules, resolveOnce } from "./CompiledModules.ts"
import { type Dialogue, framed, Incoming } from "./Dialogue.ts"

/** A process does one work at a time (Workers.ts). The work is the default export of the module at the URL `begin`. */
export type ToWorker = { readonly begin: string } | { readonly message: unknown } | { readonly over: true }

/** `ended` is sent once for each work. With `isLarge` the process is not reused: it would keep much memory. */
export type FromWorker =
  | { readonly message: unknown }
  | { readonly defect: unknown }
  | { readonly ended: true; readonly isLarge: boolean }

/** A process with more bytes of resident memory is ended after its work. An ordinary release stays below this limit. */
const largeProcess = 300 * 1024 * 1024

/** The file descriptor of the connection to WorkerLine.ts. Reading and writing it blocks. */
const line = 3

// A terminal or supervisor signals the whole process group, but only the service may end this process.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {})
new Worker(new URL("./Lifeline.ts", import.meta.url)).unref()
// If cores are few, the service's requests come before this process's long work.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
// If memory is short, the kernel ends this process before the service.
if (process.platform === "linux") writeFileSync("/proc/self/oom_score_adj", "1000")

keepCompiledModules()
resolveOnce()

const incoming = new Incoming()

const next = (): ToWorker => {
  for (;;) {
    const count = readSync(line, incoming.room)
    if (count === 0) process.exit()
    const whole = incoming.advance(count)
    if (whole !== undefined) return whole.message as ToWorker
  }
}

const answer = (said: FromWorker) => {
  for (const bytes of framed(said)) for (let at = 0; at < bytes.length;) at += writeSync(line, bytes, at)
}

class Over extends Error {}

const dialogue: Dialogue<unknown, unknown> = {
  hear: () => {
    const said = next()
    if ("message" in said) return said.message
    throw new Over()
  },
  tell: (message) => answer({ message })
}

for (;;) {
  const said = next()
  // This message was meant for the previous work, which ended without reading it.
  if (!("begin" in said)) continue
  try {
    const { default: work } = await import(said.begin)
    await work(dialogue)
  } catch (error) {
    if (!(error instanceof Over)) answer({ defect: error })
  }
  answer({ ended: true, isLarge: process.memoryUsage.rss() > largeProcess })
}
