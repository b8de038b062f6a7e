import { fileURLToPath } from "node:url"

/**
 * The folder for V8's code of modules, which the next start reads: half of a start's processor time is compiling. Only
 * who may change the modules may write it. Where nobody may, nothing is kept.
 */
export const compiledModules = fileURLToPath(new URL("../../../node_modules/.cache/node", import.meta.url))
