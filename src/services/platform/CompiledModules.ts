import { registerHooks, type ResolveFnOutput } from "node:module"
import { fileURLToPath } from "node:url"

/**
 * The folder for V8's code of modules, which the next start reads: half of a start's processor time is compiling. Only
 * who may change the modules may write it. Where nobody may, nothing is kept.
 */
export const compiledModules = fileURLToPath(new URL("../../../node_modules/.cache/node", import.meta.url))

/**
 * Node resolves each of the 7,000 import statements of a start anew, which reads files. But the answer depends only on
 * the URL that is imported, or for a package on the importer's folder.
 */
export const resolveOnce = () => {
  const resolved = new Map<string, ResolveFnOutput>()
  registerHooks({
    resolve: (specifier, context, next) => {
      const { conditions, parentURL = "" } = context
      const file = specifier.startsWith(".") ? URL.parse(specifier, parentURL)?.href : undefined
      const key = `${conditions} ${file ?? `${specifier} ${parentURL.slice(0, parentURL.lastIndexOf("/"))}`}`
      const known = resolved.get(key) ?? { ...next(specifier, context), shortCircuit: true }
      resolved.set(key, known)
      return known
    }
  })
}
