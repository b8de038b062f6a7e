import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

// The workers inherit this variable, and pass it to the programs that they start (test/support/Environment.ts).
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("node_modules/.cache/node", import.meta.url))

/**
 * Vitest begins with the largest files. The small file about silence waits for a minute and therefore begins first. The
 * files of the doctor and of the documents' commands make the database wait for the disk (test/support/Deployment.ts),
 * and therefore come last.
 */
const rankOf = ({ moduleId }: TestSpecification) =>
  moduleId.endsWith("/test/faults/silence.long.test.ts")
    ? 0
    : /\/test\/do(ctor|cs-commands)[.\w]*$/.test(moduleId)
    ? 2
    : 1

class InOrder extends BaseSequencer {
  override async sort(files: Array<TestSpecification>) {
    return (await super.sort(files)).toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}

export default defineConfig({
  test: {
    environment: "./test/support/WorkerEnvironment.ts",
    // `npm test` leaves out the long tier, `*.long.test.ts` (package.json).
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    // Only a test that hangs reaches these limits, not one on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: "forks",
    // The files of a worker share its modules, and by them one service and one browser (test/support/App.ts).
    isolate: false,
    // One more than CI has processors, because files wait for pauses, limits and disks. With four, the same work takes
    // a quarter more of the processor.
    maxWorkers: 3,
    sequence: { sequencer: InOrder },
    reporters: ["default", "./test/support/LongestFiles.ts"]
  }
})
