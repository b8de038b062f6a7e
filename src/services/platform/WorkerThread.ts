import { constants, setPriority } from "node:os"
import { parentPort } from "node:worker_threads"

// Where cores are few, whoever reads goes before long work. Linux takes this for the calling thread, others for the process.
if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

/** A thread does one task at a time (Workers.ts): it asks for a module by its URL, and answers what its default export made. */
export interface Asked {
  readonly module: string
  readonly input: unknown
}

export type Answered = { readonly output: unknown } | { readonly defect: unknown }

parentPort!.on("message", async ({ input, module }: Asked) => {
  const answer = (answered: Answered) => parentPort!.postMessage(answered)
  try {
    const { default: work } = await import(module)
    answer({ output: await work(input) })
  } catch (defect) {
    answer({ defect })
  }
})
