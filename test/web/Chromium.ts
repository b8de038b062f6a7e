import { existsSync } from "node:fs"
import { chromium } from "playwright-core"
import { packedChromium } from "./PackedChromium.ts"

/**
 * Chromium keeps a process ready for the next page, unless it has as many as it may. That is a tenth of the processor
 * time of opening a page. Pages of different sites have different processes all the same.
 */
const frugal = ["--renderer-process-limit=1"]

/** Launches a real Chromium: the one at CHROMIUM_PATH, otherwise Debian's, otherwise the npm package's. */
export const launchChromium = async () => {
  const installed = [process.env["CHROMIUM_PATH"], "/usr/bin/chromium"].find((path) =>
    path !== undefined && existsSync(path)
  )
  if (installed !== undefined) return chromium.launch({ executablePath: installed, args: ["--no-sandbox", ...frugal] })
  // These are Chromium's own switches for a machine without a sandbox. The npm package's switches would turn off the
  // same-origin policy.
  return chromium.launch({
    executablePath: await packedChromium(),
    args: ["--no-sandbox", "--disable-webgl", ...frugal]
  })
}
