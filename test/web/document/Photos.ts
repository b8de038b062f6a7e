import type { Page } from "playwright-core"

/** What stands in the photos of these tests, and must not reach the service. */
export const hidden = { make: "Spycam", latitude: 48.8566, longitude: 2.3522 }

/** A photo, red on its left and blue on its right, as a camera of these sizes would store it. */
export const photo = async (page: Page, width: number, height: number, orientation = 1) => {
  const base64 = await page.evaluate(([width, height]) => {
    const canvas = document.createElement("canvas")
    canvas.width = width
    canvas.height = height
    const context = canvas.getContext("2d")!
    context.fillStyle = "red"
    context.fillRect(0, 0, width / 2, height)
    context.fillStyle = "blue"
    context.fillRect(width / 2, 0, width / 2, height)
    return canvas.toDataURL("image/jpeg").split(",")[1]!
  }, [width, height] as const)
  const jpeg = Buffer.from(base64, "base64")
  return Buffer.concat([jpeg.subarray(0, 2), exif(orientation), jpeg.subarray(2)])
}

/** The segment APP1 with the camera, the orientation and the place (Exif 2.3, 4.5 and 4.6). */
const exif = (orientation: number) => {
  const make = Buffer.from(`${hidden.make}\0\0`)
  const gpsAt = 8 + 2 + 3 * 12 + 4 + make.length
  const coordinatesAt = gpsAt + 2 + 4 * 12 + 4
  const tiff = Buffer.concat([
    Buffer.from("MM\0*\0\0\0\x08", "latin1"),
    directory([
      entry(0x010f, 2, hidden.make.length + 1, uint32(8 + 2 + 3 * 12 + 4)),
      entry(0x0112, 3, 1, Buffer.from([0, orientation, 0, 0])),
      entry(0x8825, 4, 1, uint32(gpsAt))
    ]),
    make,
    directory([
      entry(1, 2, 2, Buffer.from("N\0\0\0")),
      entry(2, 5, 3, uint32(coordinatesAt)),
      entry(3, 2, 2, Buffer.from("E\0\0\0")),
      entry(4, 5, 3, uint32(coordinatesAt + 24))
    ]),
    degrees(hidden.latitude),
    degrees(hidden.longitude)
  ])
  const content = Buffer.concat([Buffer.from("Exif\0\0"), tiff])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(content.length + 2)
  return Buffer.concat([Buffer.from([0xff, 0xe1]), length, content])
}

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const entry = (tag: number, type: number, count: number, value: Buffer) => {
  const head = Buffer.alloc(4)
  head.writeUInt16BE(tag)
  head.writeUInt16BE(type, 2)
  return Buffer.concat([head, uint32(count), value])
}

const directory = (entries: ReadonlyArray<Buffer>) =>
  Buffer.concat([Buffer.from([0, entries.length]), ...entries, uint32(0)])

/** Degrees, minutes and seconds as fractions. */
const degrees = (value: number) => {
  const seconds = Math.round((value % 1) * 3_600 * 100)
  return Buffer.concat([Math.floor(value), 1, 0, 1, seconds, 100].map(uint32))
}
