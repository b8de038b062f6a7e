/**
 * The part of the tests' environment that programs inherit. Node keeps compiled code in NODE_COMPILE_CACHE
 * (vitest.config.ts), which saves a third of each start's time.
 */
export const inherited = { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] }
