import type { Environment } from "vitest/runtime"
import { spendOfWorker } from "./ProcessorTime.ts"

type Ending = () => unknown

// Vitest loads the environment and the test files separately, so this module has two instances in one process. They
// share this list.
const { testEndings: endings = [] } = globalThis as { testEndings?: Array<Ending> }

Object.assign(globalThis, { testEndings: endings })

/** Registers a function that runs when Vitest stops the worker, after the last of its test files. */
export const atWorkerEnd = (ending: Ending) => void endings.push(ending)

/** Tests run in plain Node. When a worker stops, everything that its test files share is closed, the newest first. */
export default {
  name: "worker",
  viteEnvironment: "ssr",
  setup: () => ({
    teardown: async () => {
      for (const ending of endings.splice(0).reverse()) {
        // A function may fail, for example if the database has stopped. The others must still end their processes.
        await Promise.resolve().then(ending).catch(() => {})
      }
      spendOfWorker()
    }
  })
} satisfies Environment
