import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { dirname, extname, join, relative } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { hashOfInputs, isBuilt, stamp, stampOf } from "../src/pages/BuiltPages.ts"
import type { Site } from "../src/pages/Sites.ts"

/** Files of these kinds are also stored compressed, for web servers that serve compressed files directly. */
const compressible = new Set([".html", ".js", ".mjs", ".css", ".svg", ".json", ".webmanifest", ".wasm", ".ttf"])

/**
 * Builds a site into a folder if its sources have changed. Returns the files, or undefined if nothing had changed. A
 * plain build writes no compressed files. They take longer than the pages themselves.
 */
export const buildPages = async (
  site: Site,
  folder: string,
  plain: boolean
): Promise<ReadonlyArray<string> | undefined> => {
  await mkdir(dirname(folder), { recursive: true })
  // The kernel releases this lock when the process ends. A process that waited for it finds the pages built.
  using lock = new DatabaseSync(`${folder}.lock`, { timeout: 300_000 })
  lock.exec("begin exclusive")
  const inputs = await hashOfInputs(site)
  if (await isBuilt(folder, inputs, plain)) return
  const fresh = `${folder}.new`
  await rm(fresh, { recursive: true, force: true })
  // React uses its development build unless NODE_ENV is "production".
  process.env["NODE_ENV"] = "production"
  const { build } = await import("vite")
  for (const mode of site.builds) {
    await build({
      mode,
      configFile: fileURLToPath(new URL("vite.config.ts", import.meta.url)),
      logLevel: "error",
      build: { outDir: fresh }
    })
  }
  if (!plain) await compressFiles(fresh)
  const files = await replace(folder, fresh)
  await writeFile(stampOf(folder), stamp(inputs, plain))
  return files
}

const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()

const compressFiles = async (folder: string) => {
  for (const file of await filesIn(folder)) {
    if (!compressible.has(extname(file))) continue
    const bytes = await readFile(join(folder, file))
    const encodings = {
      br: await promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
      gz: await promisify(gzip)(bytes, { level: 9 })
    }
    for (const [ending, compressed] of Object.entries(encodings)) {
      if (compressed.length < bytes.length) await writeFile(join(folder, `${file}.${ending}`), compressed)
    }
  }
}

/**
 * Replaces first the files that pages load, then the pages. Then it removes the old pages, and last the other old
 * files. A killed build therefore leaves no broken page. The stamp is removed before all this and written after it.
 * After a killed build, it is missing, and the next build repeats the work.
 */
const replace = async (folder: string, fresh: string) => {
  const made = await filesIn(fresh)
  // A service worker names the files of its build, as a page does.
  const isPage = (file: string) => /(\.html|^sw\.js)(\.\w+)?$/.test(file)
  await mkdir(folder, { recursive: true })
  await rm(stampOf(folder), { force: true })
  for (const file of [...made.filter((file) => !isPage(file)), ...made.filter(isPage)]) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await rename(join(fresh, file), join(folder, file))
  }
  const old = (await filesIn(folder)).filter((file) => !made.includes(file))
  for (const file of [...old.filter(isPage), ...old.filter((file) => !isPage(file))]) await rm(join(folder, file))
  await rm(fresh, { recursive: true })
  return made
}
