// The service as it is, with what a library might do: at one signal it has Node warn, at another it throws where nobody catches.
await import("../../src/main.ts")

process.on("SIGHUP", () => process.emitWarning("c4n4ry", "DeprecationWarning", "DEP0001"))

process.on("SIGUSR2", () => {
  throw new TypeError("c4n4ry")
})
