import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { glob, mkdir, readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { rolldown } from "rolldown"

const root = fileURLToPath(new URL("../..", import.meta.url))

const bundles = join(root, "node_modules/.cache/bundles")

/** A bundle that no run began with for this time, in milliseconds, is removed: its sources have probably changed. */
const maxAge = 86_400_000

/** The modules that processes start with: the programs, and what the service loads into other processes and threads. */
const entries = async () => {
  const found: Record<string, string> = {}
  for await (const file of glob("src/*.ts", { cwd: root })) {
    found[basename(file, ".ts")] = file === "src/main.ts" ? "src/layers/Launch.ts" : file
  }
  for await (const file of glob("src/services/**/*.ts", { cwd: root })) {
    for (const [, name] of (await readFile(join(root, file), "utf8")).matchAll(ownModule)) {
      found[name!] = join(dirname(file), `${name}.ts`)
    }
  }
  return found
}

const ownModule = /new URL\("\.\/(\w+)\.ts", import\.meta\.url\)/g

/**
 * The tests' services do not run this. Beside four busy workers of a higher priority, a large release would get a tenth
 * of the processor's time. After two minutes it would be given up.
 */
const lowersPriority = "setPriority(constants.priority.PRIORITY_BELOW_NORMAL)"

const hashOfInputs = async () => {
  const files = ["package-lock.json", "test/support/Bundle.ts"]
  for await (const file of glob("src/**/*.ts", { cwd: root })) files.push(file)
  // A bundle has paths of its checkout in it. The folder of the cache may be a copy of another checkout's.
  const hash = createHash("sha256").update(root).update("\0")
  for (const file of files.sort()) hash.update(file).update("\0").update(await readFile(join(root, file))).update("\0")
  return hash.digest("hex").slice(0, 16)
}

/**
 * Bundles the programs, because half of the processor time of a start is the import of 1,500 modules. Returns the
 * folder, where `main.mjs` is the service. A module still finds the files beside its source, since it keeps its URL.
 */
export const bundle = async () => {
  const folder = join(bundles, await hashOfInputs())
  if (existsSync(folder)) {
    await utimes(folder, new Date(), new Date())
    return folder
  }
  const fresh = `${folder}.${process.pid}`
  await mkdir(bundles, { recursive: true })
  for (const name of await readdir(bundles)) {
    const path = join(bundles, name)
    if (Date.now() - (await stat(path)).mtimeMs > maxAge) await rm(path, { recursive: true, force: true })
  }
  const built = await rolldown({
    cwd: root,
    input: await entries(),
    platform: "node",
    // An `export *` of a CommonJS package names nothing in a bundle (@effect/platform-node's Undici.js).
    external: ["undici"],
    plugins: [{
      name: "same-priority",
      transform: {
        filter: { id: /WorkerProcess\.ts$/ },
        handler: (code) => {
          if (!code.includes(lowersPriority)) throw new Error(`WorkerProcess.ts lacks ${lowersPriority}`)
          return code.replace(lowersPriority, "")
        }
      }
    }, {
      name: "own-url",
      transform: {
        filter: { code: "import.meta.url" },
        handler: (code, id) =>
          code.split(ownModule).map((part, at) =>
            at % 2 === 1
              ? `new URL("./${part}.mjs", import.meta.url)`
              : part.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href))
          ).join("")
      }
    }],
    logLevel: "warn"
  })
  await built.write({ dir: fresh, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" })
  await built.close()
  // Another run may have made the same bundle meanwhile.
  await rename(fresh, folder).catch(() => rm(fresh, { recursive: true }))
  return folder
}
