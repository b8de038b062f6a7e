import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

// The workers inherit it, and what the tests start gets it from them (test/support/Environment.ts).
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("node_modules/.cache/node", import.meta.url))

export default defineConfig({
  test: {
    environment: "node",
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    // One more than CI has processors: a third of the files' time is waiting, for a pause, a limit or a disk.
    maxWorkers: 3
  }
})
