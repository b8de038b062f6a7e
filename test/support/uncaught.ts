// Starts the service with faults that a library could have. SIGHUP makes Node warn, and SIGUSR2 throws an uncaught
// error.
await import("../../src/main.ts")

process.on("SIGHUP", () => process.emitWarning("c4n4ry", "DeprecationWarning", "DEP0001"))

process.on("SIGUSR2", () => {
  throw new TypeError("c4n4ry")
})
