import { enableCompileCache } from "node:module"
import { compiledModules } from "./services/platform/CompiledModules.ts"

// Static imports are compiled before the first statement runs.
enableCompileCache(compiledModules)
await import("./layers/Launch.ts")
