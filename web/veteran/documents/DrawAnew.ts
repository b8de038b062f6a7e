/** The longer side of a photo as it is kept, in pixels, and its quality (contract, 14.8). */
const longest = 2_400
const quality = 0.85

/**
 * Draws a photo anew, so that nothing but its picture is left: no place, no device, no thumbnail (EXIF). It is drawn as
 * it was held. Returns undefined if the browser cannot open it.
 */
export const drawAnew = async (
  bytes: Uint8Array<ArrayBuffer>,
  type: string
): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  const address = URL.createObjectURL(new Blob([bytes], { type }))
  try {
    const image = await loaded(address)
    const { naturalHeight, naturalWidth } = image
    const scale = Math.min(1, longest / Math.max(naturalWidth, naturalHeight))
    const canvas = document.createElement("canvas")
    canvas.width = Math.max(1, Math.round(naturalWidth * scale))
    canvas.height = Math.max(1, Math.round(naturalHeight * scale))
    const context = canvas.getContext("2d")
    if (context === null) return undefined
    // A JPEG has no transparency: without a ground, it becomes black.
    context.fillStyle = "#fff"
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.imageSmoothingQuality = "high"
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    const drawn = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/jpeg", quality))
    return drawn === null ? undefined : new Uint8Array(await drawn.arrayBuffer())
  } catch {
    return undefined
  } finally {
    URL.revokeObjectURL(address)
  }
}

/** `decode()` would say the same, but Chromium refuses it to photos of some 50 million pixels, as phones take them. */
const loaded = (address: string) =>
  new Promise<HTMLImageElement>((done, refused) => {
    const image = new Image()
    image.addEventListener("load", () => done(image))
    image.addEventListener("error", refused)
    image.src = address
  })
