import { existsSync } from "node:fs"
import { chromium } from "playwright-core"
import { packedChromium } from "./PackedChromium.ts"

/** A real Chromium: the one at CHROMIUM_PATH, Debian's, or the one of the npm package. */
export const launchChromium = async () => {
  const installed = [process.env["CHROMIUM_PATH"], "/usr/bin/chromium"].find((path) =>
    path !== undefined && existsSync(path)
  )
  if (installed !== undefined) return chromium.launch({ executablePath: installed, args: ["--no-sandbox"] })
  // Chromium's own switches for a machine without a sandbox. The package's switches would turn the same-origin policy
  // off.
  return chromium.launch({
    executablePath: await packedChromium(),
    args: ["--no-sandbox", "--no-zygote", "--disable-webgl"]
  })
}
