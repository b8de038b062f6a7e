import { createHash } from "node:crypto"
import { glob, readFile } from "node:fs/promises"
import { join } from "node:path"
import { root, type Site } from "./Sites.ts"

/** The path of a file beside `folder` with the hash of the build's inputs, written when the build is complete. */
export const stampOf = (folder: string) => `${folder}.sha256`

/** Returns the hash of the inputs of the last complete build, or undefined if there is none. */
export const builtFrom = (folder: string) => readFile(stampOf(folder), "utf8").catch(() => undefined)

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

export const areCurrent = async (site: Site) => await builtFrom(site.folder) === await hashOfInputs(site)

/** Whether Vite is installed. It is a development dependency, so `npm ci --omit=dev` omits it. */
export const mayBuild = () => {
  try {
    return import.meta.resolve("vite") !== ""
  } catch {
    return false
  }
}
