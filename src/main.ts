import { keepCompiledModules, resolveOnce } from "./services/platform/CompiledModules.ts"

// Static imports are resolved and compiled before the first statement runs.
keepCompiledModules()
resolveOnce()
await import("./layers/Launch.ts")
