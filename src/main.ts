import { enableCompileCache } from "node:module"
import { compiledModules, resolveOnce } from "./services/platform/CompiledModules.ts"

// Static imports are resolved and compiled before the first statement runs.
enableCompileCache(compiledModules)
resolveOnce()
await import("./layers/Launch.ts")
