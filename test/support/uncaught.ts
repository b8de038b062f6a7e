// Starts the service with faults of a library: one signal makes Node warn, another throws an uncaught error.
await import("../../src/main.ts")

process.on("SIGHUP", () => process.emitWarning("c4n4ry", "DeprecationWarning", "DEP0001"))

process.on("SIGUSR2", () => {
  throw new TypeError("c4n4ry")
})
