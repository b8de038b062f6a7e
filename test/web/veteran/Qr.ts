import { default as jsqr } from "jsqr"
import type { Page } from "playwright-core"
import { PNG } from "pngjs"

/** The package has no module of its own, so its function is the module's `default` for Node and types alike. */
const decode = jsqr.default

/**
 * Reads the QR code from a picture of the whole screen, as a clinic's camera does. The decoder is not by those who wrote
 * the service's encoder. Returns undefined if it sees none.
 */
export const scanned = async (page: Page) => {
  const { data, height, width } = PNG.sync.read(await page.screenshot())
  return decode(new Uint8ClampedArray(data), width, height)?.data
}
