import { parentPort } from "node:worker_threads"

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
