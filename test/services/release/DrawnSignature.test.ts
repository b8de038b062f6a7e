import { randomFillSync } from "node:crypto"
import { crc32, inflateSync } from "node:zlib"
import { PNG } from "pngjs"
import { assert, describe, test } from "vitest"
import type { Picture } from "../../../src/services/pdf/Picture.ts"
import { readDrawnSignature } from "../../../src/services/release/DrawnSignature.ts"

test("A drawn signature must be a complete PNG of at most 200 kB and 4 million pixels", () => {
  /** Returns what is wrong with a picture, or undefined if it is valid. */
  const drawn = (picture: Buffer) => {
    const read = readDrawnSignature(picture.toString("base64"))
    return typeof read === "string" ? read : undefined
  }
  const picture = (width: number, height: number, fill?: (bytes: Buffer) => void) => {
    const png = new PNG({ width, height })
    fill?.(png.data)
    return PNG.sync.write(png)
  }
  // Random bytes do not compress, so these few pixels make a large file.
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

test("Everything except the picture is removed from the file of a drawn signature", () => {
  const png = new PNG({ width: 2, height: 1 })
  png.data.set([255, 0, 0, 255, 0, 0, 255, 128])
  const file = PNG.sync.write(png)
  // A tEXt chunk follows the header (PNG, 11.3.4).
  const text = Buffer.from("0000000a74455874736563726574003132330e8a8a5b", "hex")
  const carrying = Buffer.concat([file.subarray(0, 33), withChecksum(text), file.subarray(33)])
  assert.isTrue(carrying.includes("secret"))
  const read = readDrawnSignature(carrying.toString("base64")) as Picture
  assert.deepStrictEqual(Object.keys(read), ["width", "height", "deflated"])
  assert.deepStrictEqual([...inflateSync(read.deflated)], [255, 0, 0, 127, 127, 255])
})

describe("The file of a drawn signature", () => {
  const whole = PNG.sync.write(new PNG({ width: 30, height: 20 }))
  const [start, end] = [whole.subarray(0, 33), whole.subarray(33)]
  /** A header that claims a larger picture than the first header: 30,000 by 30,000 pixels of one bit each. */
  const bomb = withChecksum(Buffer.from("0000000d494844520000753000007530010000000000000000", "hex"))
  const refusal = "Expected a PNG picture of one header, a palette and pixels"

  const refused: ReadonlyArray<readonly [what: string, file: Buffer, refusal: string]> = [
    ["a second header after the first", Buffer.concat([start, bomb, end]), refusal],
    ["a second header after the pixels", Buffer.concat([whole.subarray(0, -12), bomb, whole.subarray(-12)]), refusal],
    ["a header that is not the first chunk", Buffer.concat([start.subarray(0, 8), end]), refusal],
    ["a text before the header", Buffer.concat([
      start.subarray(0, 8),
      withChecksum(Buffer.from("00000004744558746100626300000000", "hex")),
      start.subarray(8),
      end
    ]), refusal],
    ["a header that is too long", Buffer.concat([
      start.subarray(0, 8),
      withChecksum(Buffer.concat([Buffer.from([0, 0, 0, 14]), start.subarray(12, 29), Buffer.alloc(5)])),
      end
    ]), refusal],
    ["an unknown critical chunk", Buffer.concat([
      start,
      withChecksum(Buffer.from("000000005858585800000000", "hex")),
      end
    ]), refusal],
    ["a chunk that would end beyond the file", Buffer.concat([start, Buffer.from("7fffffff74455874", "hex"), end]),
      "Expected a PNG picture that is whole"],
    ["no end chunk", whole.subarray(0, -12), "Expected a PNG picture that is whole"]
  ]
  test.each(refused)("is refused with %s", (_, file, message) => {
    assert.strictEqual(readDrawnSignature(file.toString("base64")), message)
  })

  test("is read up to its end chunk, so a later header is ignored", () => {
    const read = readDrawnSignature(Buffer.concat([whole, bomb]).toString("base64")) as Picture
    assert.deepStrictEqual([read.width, read.height], [30, 20])
  })
})

/** Gives the chunk its correct checksum. */
function withChecksum(chunk: Buffer) {
  const fixed = Buffer.from(chunk)
  fixed.writeUInt32BE(crc32(fixed.subarray(4, -4)), fixed.length - 4)
  return fixed
}
