import { createHash } from "node:crypto"
import { glob, readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Where the built pages stand. */
export const builtPages = join(root, "dist/web/portal")

/** Of what the pages in a folder were made: written beside the folder when they are whole. */
export const stampOf = (folder: string) => `${folder}.sha256`

/** Undefined where none were ever built whole. */
export const builtFrom = (folder: string) => readFile(stampOf(folder), "utf8").catch(() => undefined)

const inputs = ["web/**/*", "src/{clinical,client,domain,http,pages}/**/*.ts", "package-lock.json", "tsconfig.json"]

/** Changes with whatever the pages are made of. */
export const hashOfInputs = async () => {
  const files: Array<string> = []
  for await (const entry of glob(inputs, { cwd: root, withFileTypes: true })) {
    if (entry.isFile()) files.push(join(entry.parentPath, entry.name))
  }
  const hash = createHash("sha256")
  for (const file of files.sort()) {
    hash.update(file.slice(root.length)).update("\0").update(await readFile(file)).update("\0")
  }
  return hash.digest("hex")
}

export const areCurrent = async (folder: string) => await builtFrom(folder) === await hashOfInputs()

/** Vite is a development dependency: `npm ci --omit=dev` leaves it out. */
export const mayBuild = () => {
  try {
    return import.meta.resolve("vite") !== ""
  } catch {
    return false
  }
}
