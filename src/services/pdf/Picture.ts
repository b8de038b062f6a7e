import { deflateSync } from "node:zlib"

/** A picture in a PDF: `deflated` has its rows from top to bottom, three bytes per pixel: red, green, blue. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly deflated: Uint8Array
}

/** Mixes a picture with white paper. `data` has four bytes per pixel: red, green, blue and opacity. */
export const onPaper = (
  { data, height, width }: { readonly width: number; readonly height: number; readonly data: Uint8Array }
): Picture => {
  const rgb = new Uint8Array(data.length / 4 * 3)
  for (let from = 0, to = 0; from < data.length; from += 4) {
    const alpha = data[from + 3]! / 255
    for (let channel = 0; channel < 3; channel++) rgb[to++] = 255 - (255 - data[from + channel]!) * alpha
  }
  return { width, height, deflated: deflateSync(rgb) }
}
