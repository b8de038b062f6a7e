import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

// The workers inherit it, and what the tests start gets it from them (test/support/Environment.ts).
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("node_modules/.cache/node", import.meta.url))

export default defineConfig({
  test: {
    environment: "node",
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2
  }
})
