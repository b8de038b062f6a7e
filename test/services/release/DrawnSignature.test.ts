import { randomFillSync } from "node:crypto"
import { crc32 } from "node:zlib"
import { PNG } from "pngjs"
import { assert, test } from "vitest"
import type { Picture } from "../../../src/services/pdf/Picture.ts"
import { readDrawnSignature } from "../../../src/services/release/DrawnSignature.ts"

test("a drawn signature is a whole PNG of at most 200 kB that does not unpack to more than a screen", () => {
  /** Answers what is wrong with a picture, or undefined where it is read. */
  const drawn = (picture: Buffer) => {
    const read = readDrawnSignature(picture.toString("base64"))
    return typeof read === "string" ? read : undefined
  }
  const picture = (width: number, height: number, fill?: (bytes: Buffer) => void) => {
    const png = new PNG({ width, height })
    fill?.(png.data)
    return PNG.sync.write(png)
  }
  // Noise does not compress.
  const noise = picture(200, 200, randomFillSync)
  assert.isAbove(noise.length, 150_000)
  assert.isUndefined(drawn(noise))
  assert.strictEqual(
    drawn(Buffer.concat([noise, Buffer.alloc(200_001 - noise.length)])),
    "Expected a picture of at most 200 kB"
  )
  assert.isUndefined(drawn(picture(2000, 2000)))
  assert.strictEqual(drawn(picture(2001, 2000)), "Expected a picture of at most 4 million pixels")
  const whole = picture(30, 20)
  const claiming = Buffer.from(whole)
  claiming.writeUInt32BE(0xffff_ffff, 16)
  assert.strictEqual(drawn(claiming), "Expected a picture of at most 4 million pixels")
  const interlaced = Buffer.from(whole)
  interlaced[28] = 1
  assert.strictEqual(drawn(interlaced), "Expected a PNG picture that is not interlaced")
  assert.strictEqual(drawn(whole.subarray(0, -20)), "Expected a PNG picture that is whole")
  const corrupt = Buffer.from(whole)
  corrupt[45]! ^= 1
  assert.strictEqual(drawn(corrupt), "Expected a PNG picture that is whole")
  assert.strictEqual(drawn(Buffer.from("GIF89a".padEnd(100))), "Expected a PNG picture")
})

test("what the file of a drawn signature carries beside the picture is left behind", () => {
  const png = new PNG({ width: 2, height: 1 })
  png.data.set([255, 0, 0, 255, 0, 0, 255, 128])
  const file = PNG.sync.write(png)
  // A tEXt chunk of no known content stands behind the header (PNG, 11.3.4).
  const text = Buffer.from("0000000a74455874736563726574003132330e8a8a5b", "hex")
  const carrying = Buffer.concat([file.subarray(0, 33), withChecksum(text), file.subarray(33)])
  assert.isTrue(carrying.includes("secret"))
  const read = readDrawnSignature(carrying.toString("base64")) as Picture
  assert.isFalse(Buffer.from(read.data).includes("secret"))
  assert.deepStrictEqual([...read.data], [...png.data])
})

/** Gives the chunk the checksum that it should have. */
const withChecksum = (chunk: Buffer) => {
  const fixed = Buffer.from(chunk)
  fixed.writeUInt32BE(crc32(fixed.subarray(4, -4)), fixed.length - 4)
  return fixed
}
