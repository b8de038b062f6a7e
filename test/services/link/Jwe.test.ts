import { Effect, Stream } from "effect"
import { compactDecrypt, type CompactDecryptResult } from "jose"
import { randomBytes } from "node:crypto"
import { assert, describe, test } from "vitest"
import { bytesWithin, compactJwe } from "../../../src/services/link/Jwe.ts"

const key = randomBytes(32).toString("base64url")

const jweOf = async (chunks: ReadonlyArray<Uint8Array>) =>
  Buffer.concat(await Effect.runPromise(Stream.runCollect(compactJwe(key, Stream.fromIterable(chunks))))).toString()

const opened = (jwe: string): Promise<CompactDecryptResult> => compactDecrypt(jwe, Buffer.from(key, "base64url"))

/** Cuts bytes into pieces of these lengths; the last takes the rest. */
const cut = (bytes: Buffer, lengths: ReadonlyArray<number>) => {
  let at = 0
  return [...lengths.map((length) => bytes.subarray(at, at += length)), bytes.subarray(at)]
}

describe("A compact JWE that is made piece by piece", () => {
  test.each([
    { size: 0, lengths: [] },
    { size: 1, lengths: [] },
    { size: 2, lengths: [1] },
    { size: 3, lengths: [0, 1, 0, 1] },
    { size: 1000, lengths: [1, 2, 3, 4, 5, 6, 7, 500] },
    { size: 200_000, lengths: [65_536, 65_536, 65_536] },
    { size: 1_000_003, lengths: [524_288] }
  ])("opens with jose ($size bytes in pieces of $lengths)", async ({ lengths, size }) => {
    const bytes = randomBytes(size)
    const { plaintext, protectedHeader } = await opened(await jweOf(cut(bytes, lengths)))
    assert.isTrue(bytes.equals(plaintext))
    assert.deepStrictEqual(protectedHeader, { alg: "dir", enc: "A256GCM", cty: "application/fhir+json" })
  })

  test("has another nonce each time, and five parts of base64url", async () => {
    const bytes = [Buffer.from("the same")]
    const [one, other] = [(await jweOf(bytes)).split("."), (await jweOf(bytes)).split(".")]
    assert.notStrictEqual(one[2], other[2])
    assert.notStrictEqual(one[3], other[3])
    assert.deepStrictEqual([one.length, one[1]], [5, ""])
    for (const part of one) assert.match(part, /^[\w-]*$/)
  })

  test.each([500, 501, 502, 503, 1000])(
    "of the most bytes for %d characters has no more than these",
    async (characters) => {
      const most = bytesWithin(characters)
      assert.isAtMost((await jweOf([randomBytes(most)])).length, characters)
      assert.isAbove((await jweOf([randomBytes(most + 1)])).length, characters)
    }
  )
})
