import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const root = fileURLToPath(new URL("../..", import.meta.url))

/**
 * Unpacks the Chromium of the npm package once per user, and returns its path. The package itself writes directly into
 * the folder that it checks, so the second of two concurrent starts could run half a browser.
 */
export const packedChromium = async () => {
  const { version } = JSON.parse(
    await readFile(join(root, "node_modules/@sparticuz/chromium/package.json"), "utf8")
  )
  const kept = join(root, `node_modules/.cache/chromium-${version}`)
  if (!existsSync(kept)) {
    await mkdir(dirname(kept), { recursive: true })
    const fresh = await mkdtemp(`${kept}-`)
    const unpack = "import('@sparticuz/chromium').then(({ default: packed }) => packed.executablePath())"
    await promisify(execFile)(process.execPath, ["--eval", unpack], { cwd: root, env: { TMPDIR: fresh } })
    const fonts = join(fresh, "fonts/fonts.conf")
    await writeFile(fonts, (await readFile(fonts, "utf8")).replaceAll("/tmp/", `${kept}/`))
    // If two run together, only one rename succeeds.
    await rename(fresh, kept).catch(() => rm(fresh, { recursive: true }))
  }
  if (!existsSync("/etc/fonts/fonts.conf")) process.env["FONTCONFIG_PATH"] ??= join(kept, "fonts")
  return join(kept, "chromium")
}
