import { spawnSync } from "node:child_process"

/** Tells whether this machine lacks a program, so that a test that needs it must be skipped. */
export const isMissing = (program: string) => spawnSync(program, ["--version"]).error !== undefined
