import { join } from "node:path"
import { fileURLToPath } from "node:url"

/**
 * The part of the tests' environment that programs inherit. Node keeps compiled code in NODE_COMPILE_CACHE
 * (vitest.config.ts), which saves a third of each start's time.
 */
export const inherited = { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] }

/** Returns a program of src, `main` or another: in a test run its bundle (Bundle.ts), in a benchmark its source. */
export const programFile = (name: string) => {
  const { TEST_BUNDLE: bundle } = process.env
  return bundle === undefined
    ? fileURLToPath(new URL(`../../src/${name}.ts`, import.meta.url))
    : join(bundle, `${name}.mjs`)
}
