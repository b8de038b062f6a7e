import { createHmac } from "node:crypto"
import { assert, test } from "vitest"
import { derivedFrom, manifestUrl, shlinkOf } from "../../../src/services/link/SmartHealthLink.ts"
import { maxPublicUrl } from "../../../src/services/platform/Addresses.ts"

const key = Buffer.alloc(32, 7).toString("base64url")

const hmac = (words: string) => createHmac("sha256", Buffer.alloc(32, 7)).update(words).digest("base64url")

test("The manifest's id and the page's token are HMACs of the key's bytes", () => {
  assert.deepStrictEqual(derivedFrom(key), {
    manifestId: hmac("vrss shl manifest"),
    token: hmac("vrss secure link token")
  })
})

test("A link's payload is minified JSON with the members in the order of the contract", () => {
  const shlink = shlinkOf({ key, publicUrl: "https://api.example", expiresAt: new Date("2026-11-26T14:05:00.900Z") })
  assert.strictEqual(
    Buffer.from(shlink.slice("shlink:/".length), "base64url").toString(),
    `{"url":"https://api.example/api/shl/${hmac("vrss shl manifest")}","key":"${key}","exp":1795701900,"flag":"P",` +
      `"label":"Shared health record"}`
  )
})

test("The longest public URL makes an address of 128 characters", () => {
  assert.lengthOf(manifestUrl("u".repeat(maxPublicUrl), derivedFrom(key).manifestId), 128)
})
