import { existsSync } from "node:fs"
import { chromium } from "playwright-core"
import { packedChromium } from "./PackedChromium.ts"

/** A real Chromium: the one that CHROMIUM_PATH names, Debian's, or the one that comes as an npm package. */
export const launchChromium = async () => {
  const installed = [process.env["CHROMIUM_PATH"], "/usr/bin/chromium"].find((path) =>
    path !== undefined && existsSync(path)
  )
  if (installed !== undefined) return chromium.launch({ executablePath: installed, args: ["--no-sandbox"] })
  // Its own switches, for a place without a sandbox; those of the package would switch the same-origin policy off.
  return chromium.launch({
    executablePath: await packedChromium(),
    args: ["--no-sandbox", "--no-zygote", "--disable-webgl"]
  })
}
