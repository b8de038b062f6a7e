import type { Environment } from "vitest/runtime"

type Ending = () => Promise<unknown>

// Vitest loads the environment and the test files apart from each other, so that one module has two instances in a process.
const { testEndings: endings = [] } = globalThis as { testEndings?: Array<Ending> }

Object.assign(globalThis, { testEndings: endings })

/** Registers what must close when Vitest stops the worker, after the last of its test files. */
export const atWorkerEnd = (ending: Ending) => void endings.push(ending)

/** The environment of every test: Node's, which ends by closing what the worker's files share, the newest first. */
export default {
  name: "worker",
  viteEnvironment: "ssr",
  setup: () => ({
    teardown: async () => {
      for (const ending of endings.splice(0).reverse()) {
        // The database may have ended before. A failure must not keep other processes alive.
        await ending().catch(() => {})
      }
    }
  })
} satisfies Environment
