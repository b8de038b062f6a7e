import { assert, describe, it, test } from "@effect/vitest"
import { Schema } from "effect"
import { createHash } from "node:crypto"
import { VeteranId } from "../../../src/domain/Id.ts"
import { newIdIn, newSecretIn, slotOf, slotOfId, slotOfSecret } from "../../../src/services/platform/Slot.ts"

/** Writes 16 bytes as a UUID. */
const idOf = (bytes: Uint8Array) =>
  VeteranId.make(
    Buffer.from(bytes).toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
  )

/** The first 12 bits of a text of base64url, read bit by bit. */
const bitsOf = (text: string) => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  return [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(6, "0")).join("")
}

const slots = Array.from(
  { length: 4096 },
  (_, n) => Buffer.from([n >> 4, (n & 15) << 4]).toString("base64url").slice(0, 2)
)

describe("A slot", () => {
  test("of a known veteran does not change from one version to the next", () => {
    // printf 0190a5c0b1d27e3f8a4b5c6d7e8f9012 | xxd -r -p | sha256sum
    assert.strictEqual(slotOf(VeteranId.make("0190a5c0-b1d2-7e3f-8a4b-5c6d7e8f9012")), "UW")
  })

  it.prop(
    "is the first 12 bits of SHA-256 over the 16 bytes of the veteran's id",
    { text: Schema.String },
    ({ text }) => {
      const bytes = createHash("md5").update(text).digest()
      const [first, second] = createHash("sha256").update(bytes).digest()
      assert.strictEqual(Number.parseInt(bitsOf(slotOf(idOf(bytes))), 2), first! * 16 + (second! >> 4))
    },
    { arbitrary: { runs: 300 } }
  )
})

describe("Each of the 4,096 slots", () => {
  test("stands before the 43 characters of a secret's 32 random bytes", () => {
    const secrets = new Set<string>()
    for (const slot of slots) {
      const secret = newSecretIn(slot)
      assert.match(secret, /^[\w-]{45}$/)
      assert.strictEqual(secret.slice(0, 2), slot)
      assert.lengthOf(Buffer.from(secret.slice(2), "base64url"), 32)
      assert.strictEqual(slotOfSecret(secret), slot)
      secrets.add(secret.slice(2))
    }
    assert.strictEqual(secrets.size, slots.length)
  })

  test("is `rand_a` of a UUIDv7 whose version, variant and time are those of any other", () => {
    for (const slot of slots) {
      const before = Date.now()
      const id = newIdIn(slot)
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.strictEqual(Number.parseInt(id.slice(15, 18), 16), Number.parseInt(bitsOf(slot), 2))
      assert.strictEqual(slotOfId(id), slot)
      // A generator of ids that sort may be ahead of the clock when the clock was set back.
      assert.isAtLeast(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16), before)
    }
  })
})

test("Ids of one slot are all different, and sort in the order in which they were made", () => {
  const ids = Array.from({ length: 500 }, () => newIdIn("_-"))
  assert.strictEqual(new Set(ids).size, ids.length)
  assert.deepStrictEqual(ids.toSorted(), ids)
})

test.each([
  ["of the old form", "A".repeat(43)],
  ["of another length", "A".repeat(46)],
  ["with a letter that no secret has", `AA${"=".repeat(43)}`],
  ["that is empty", ""]
])("A secret %s has no slot", (_, secret) => {
  assert.strictEqual(slotOfSecret(secret), "")
})
