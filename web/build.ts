import { createHash } from "node:crypto"
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "vite"

const root = fileURLToPath(new URL("..", import.meta.url))

/** Where the built pages stand. */
export const builtPages = join(root, "dist/web/portal")

const stamp = join(root, "dist/web/inputs.sha256")

/** Builds the pages where what they are made of has changed since; answers whether it did. */
export const buildWhereChanged = async () => {
  const inputs = hashOfInputs()
  if (existsSync(stamp) && existsSync(builtPages) && readFileSync(stamp, "utf8") === inputs) return false
  await build({ configFile: join(root, "web/vite.config.ts"), logLevel: "warn" })
  writeFileSync(stamp, inputs)
  return true
}

const hashOfInputs = () => {
  const hash = createHash("sha256")
  const files = globSync(["web/**", "src/domain/**/*.ts", "src/http/**/*.ts", "src/client/*.ts", "package-lock.json"], {
    cwd: root,
    withFileTypes: true
  }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).sort()
  for (const file of files) hash.update(file.slice(root.length)).update("\0").update(readFileSync(file)).update("\0")
  return hash.digest("hex")
}

if (import.meta.main) await buildWhereChanged()
