/** The number of pixels in a picture, according to its header. Returns null if the header is not found. */
export const pixelsOf = (bytes: Uint8Array, contentType: "image/png" | "image/jpeg"): number | null => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return contentType === "image/png" ? pngPixels(view) : jpegPixels(view)
  } catch {
    // The header is cut off.
    return null
  }
}

/** IHDR is the first chunk (PNG, 11.2.1). */
const pngPixels = (view: DataView) => view.getUint32(12) === 0x49484452 ? view.getUint32(16) * view.getUint32(20) : null

/** The frame header has the size (ISO/IEC 10918-1, B.2.2). Other segments are skipped. */
const jpegPixels = (view: DataView) => {
  for (let at = 2;;) {
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) at++
    else if (isFrame(marker)) return view.getUint16(at + 5) * view.getUint16(at + 7)
    else if (marker === 0xda || marker === 0xd9) return null
    else at += 2 + view.getUint16(at + 2)
  }
}

const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
