import { errors } from "jose"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, beforeEach, describe, test } from "vitest"
import { KeysUnavailable, makeVaKeys } from "../../../../src/services/account/session/VaKeys.ts"
import { openFolder } from "../../../support/App.ts"
import { openVaIssuer } from "../../../support/VaIssuer.ts"

const va = await openVaIssuer()

const [second, minute, hour] = [1_000, 60_000, 3_600_000]

let now = 0

beforeEach(() => {
  now = 0
  va.answer("keys")
})

const rsa = { alg: "RS256", kid: "rsa" }

const unknown = { alg: "RS256", kid: "unknown" }

const open = () => makeVaKeys(va.keys, () => now)

/** Returns what became of a look for a key, and how often the issuer was asked for it. */
const look = async (keyOf: ReturnType<typeof open>, header: typeof rsa) => {
  const before = va.asked()
  const found = await keyOf(header).then(
    () => "found",
    (error) =>
      error instanceof KeysUnavailable
        ? "unavailable"
        : error instanceof errors.JWKSNoMatchingKey
        ? "unknown"
        : `${error}`
  )
  return [found, va.asked() - before]
}

describe("The VA's keys", () => {
  test("are loaded once an hour, and once for many who ask together", async () => {
    const keyOf = open()
    const before = va.asked()
    await Promise.all(Array.from({ length: 20 }, () => keyOf(rsa)))
    assert.strictEqual(va.asked() - before, 1)
    now = hour - 1
    assert.deepStrictEqual(await look(keyOf, rsa), ["found", 0])
    now = hour
    assert.deepStrictEqual(await look(keyOf, rsa), ["found", 1])
    assert.deepStrictEqual(await look(keyOf, { alg: "ES256", kid: "ec" }), ["found", 0])
  })

  test("are loaded for an unknown key id at most once in 30 seconds", async () => {
    const keyOf = open()
    assert.deepStrictEqual(await look(keyOf, unknown), ["unknown", 1])
    now = 29 * second
    assert.deepStrictEqual(await look(keyOf, unknown), ["unknown", 0])
    now = 30 * second
    assert.deepStrictEqual(await look(keyOf, unknown), ["unknown", 1])
    assert.deepStrictEqual(await look(keyOf, unknown), ["unknown", 0])
  })

  test.each(["unavailable", "broken", "none", "redirect", "endless", "silent"] as const)(
    "stay in use for 24 hours if the issuer's answer is '%s', which is asked for every 30 seconds",
    async (answer) => {
      const keyOf = open()
      await keyOf(rsa)
      va.answer(answer)
      now = hour
      assert.deepStrictEqual(await look(keyOf, rsa), ["found", 1])
      assert.deepStrictEqual(await look(keyOf, rsa), ["found", 0])
      // An unknown key may be one of the VA's new ones.
      assert.deepStrictEqual(await look(keyOf, unknown), ["unavailable", 0])
      now = 24 * hour - 1
      assert.deepStrictEqual(await look(keyOf, rsa), ["found", 1])
      now = 24 * hour
      assert.deepStrictEqual(await look(keyOf, rsa), ["unavailable", 0])
      va.answer("keys")
      now = 24 * hour + minute
      assert.deepStrictEqual(await look(keyOf, rsa), ["found", 1])
    }
  )

  test("that could never be loaded are asked for again after three seconds", async () => {
    va.answer("unavailable")
    const keyOf = open()
    assert.deepStrictEqual(await look(keyOf, rsa), ["unavailable", 1])
    assert.deepStrictEqual(await look(keyOf, rsa), ["unavailable", 0])
    va.answer("keys")
    now = 3 * second
    assert.deepStrictEqual(await look(keyOf, rsa), ["found", 1])
  })

  test("may be in a file, which is read anew like an address", async () => {
    const file = join(await openFolder(), "keys.json")
    const keyOf = makeVaKeys(file, () => now)
    assert.deepStrictEqual(await look(keyOf, rsa), ["unavailable", 0])
    await writeFile(file, await (await fetch(va.keys)).text())
    now = 3 * second
    assert.deepStrictEqual(await look(keyOf, rsa), ["found", 0])
    await writeFile(file, JSON.stringify({ keys: [] }))
    now += hour
    assert.deepStrictEqual(await look(keyOf, rsa), ["found", 0])
  })
})
