import { PNG } from "pngjs"

/** A picture of one color. */
export const pngOf = (width: number, height: number) => {
  const png = new PNG({ width, height })
  png.data.fill(0x80)
  return PNG.sync.write(png)
}

/** A picture whose header claims a far larger size than its bytes have. Unpacking it takes 10 GB. */
export const hugePng = () => {
  const png = pngOf(10, 10)
  png.writeUInt32BE(50_000, 16)
  png.writeUInt32BE(50_000, 20)
  return png
}

/** Only the header of a picture. */
export const brokenJpeg = Buffer.from("ffd8ffe000104a46494600010100000100010000ffc0000b080010001001011100ffd9", "hex")

export const tiff = Buffer.from("49492a0008000000000000000000", "hex")
