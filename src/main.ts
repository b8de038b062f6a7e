import { keepCompiledModules } from "./services/platform/CompiledModules.ts"

// Static imports are compiled before the first statement runs.
keepCompiledModules()
await import("./layers/Launch.ts")
