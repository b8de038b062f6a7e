/**
 * All that a program gets of the tests' own environment. Node keeps what it compiled in NODE_COMPILE_CACHE (vitest.config.ts), by
 * which each of some hundred starts costs two thirds of what it would.
 */
export const inherited = { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] }
