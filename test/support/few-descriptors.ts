import { execFileSync } from "node:child_process"

// The service as after 'ulimit -n 256'. Node raises the soft limit at its start, so that the hard one is lowered as well.
execFileSync("prlimit", ["--pid", `${process.pid}`, "--nofile=256:256"])

await import("../../src/main.ts")
