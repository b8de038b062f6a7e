import { execFileSync } from "node:child_process"

// Starts the service with at most 256 file descriptors. Node raises the soft limit to the hard limit at its start, so
// both limits are lowered.
execFileSync("prlimit", ["--pid", `${process.pid}`, "--nofile=256:256"])

await import("../../src/main.ts")
