import { execFileSync } from "node:child_process"

// Starts the service as after 'ulimit -n 256'. Node raises the soft limit at its start, so the hard limit is lowered
// too.
execFileSync("prlimit", ["--pid", `${process.pid}`, "--nofile=256:256"])

await import("../../src/main.ts")
