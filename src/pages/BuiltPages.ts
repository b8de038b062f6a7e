import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { glob, readFile } from "node:fs/promises"
import { join } from "node:path"
import { root, type Site } from "./Sites.ts"

/** The path of a file beside `folder` with the stamp of the build, written when the build is complete. */
export const stampOf = (folder: string) => `${folder}.sha256`

/** The stamp of a build: the hash of its inputs, and whether it is plain, without compressed files. */
export const stamp = (inputs: string, plain: boolean) => plain ? `${inputs} plain` : inputs

/** Returns the stamp of the last complete build, or undefined if there is none. Its folder may have been deleted. */
export const builtFrom = async (folder: string) =>
  existsSync(join(folder, "index.html")) ? readFile(stampOf(folder), "utf8").catch(() => undefined) : undefined

/** A full build also serves where a plain one is enough. */
export const isBuilt = async (folder: string, inputs: string, plain: boolean) => {
  const last = await builtFrom(folder)
  return last === stamp(inputs, false) || (plain && last === stamp(inputs, true))
}

const inputs = ({ name }: Site) => [
  `web/{*,shared/**/*,${name}/**/*}`,
  "src/{clinical,client,domain,http,pages}/**/*.ts",
  "package-lock.json",
  "tsconfig.json"
]

/** Hashes every file that a build of the site may read. */
export const hashOfInputs = async (site: Site) => {
  const files: Array<string> = []
  for await (const entry of glob(inputs(site), { cwd: root, withFileTypes: true })) {
    if (entry.isFile()) files.push(join(entry.parentPath, entry.name))
  }
  const hash = createHash("sha256")
  for (const file of files.sort()) {
    hash.update(file.slice(root.length)).update("\0").update(await readFile(file)).update("\0")
  }
  return hash.digest("hex")
}

/** Whether Vite is installed. It is a development dependency, so `npm ci --omit=dev` omits it. */
export const mayBuild = () => {
  try {
    return import.meta.resolve("vite") !== ""
  } catch {
    return false
  }
}
