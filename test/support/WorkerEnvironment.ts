import type { Environment } from "vitest/runtime"

type Ending = () => unknown

// Vitest loads the environment and the test files separately, so this module has two instances in one process. They
// share this list.
const { testEndings: endings = [] } = globalThis as { testEndings?: Array<Ending> }

Object.assign(globalThis, { testEndings: endings })

/** Registers a function that runs when Vitest stops the worker, after the last of its test files. */
export const atWorkerEnd = (ending: Ending) => void endings.push(ending)

/** The environment of every test is Node's. At its end it closes what the files of a worker share, the newest first. */
export default {
  name: "worker",
  viteEnvironment: "ssr",
  setup: () => ({
    teardown: async () => {
      for (const ending of endings.splice(0).reverse()) {
        // The database may have stopped already. One failure must not keep other processes alive.
        await Promise.resolve().then(ending).catch(() => {})
      }
    }
  })
} satisfies Environment
