import { default as jsqr } from "jsqr"
import type { Page } from "playwright-core"
import { PNG } from "pngjs"

/** The package is CommonJS. Node and the types have its function as a `default` within the default. */
const decode = jsqr.default

/**
 * Reads the QR code from a picture of the whole screen, as a clinic's camera does. The decoder is not by the authors of
 * the service's encoder. Returns undefined if it sees none.
 */
export const scanned = async (page: Page) => {
  const { data, height, width } = PNG.sync.read(await page.screenshot())
  return decode(new Uint8ClampedArray(data), width, height)?.data
}
