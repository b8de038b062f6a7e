import { Option } from "effect"
import { createHmac } from "node:crypto"
import { assert, describe, test } from "vitest"
import { makeBegunSignIns } from "../../../../src/services/account/provider/BegunSignIns.ts"

const under = (secret: string) =>
  makeBegunSignIns({
    keyedHash: (purpose) => (...parts) => createHmac("sha256", secret).update([purpose, ...parts].join("|")).digest()
  })

const challenge = "c".repeat(43)

const now = Date.UTC(2026, 10, 21)

const { begin, recognise } = under("one")

describe("A sign-in that a browser began", () => {
  test("is recognised with all its initial values, for ten minutes", () => {
    const { cookie, ...begun } = begin(challenge, now)
    for (const later of [0, 1000, 599_999]) {
      assert.deepStrictEqual(recognise(cookie, begun.state, now + later), Option.some(begun))
    }
    for (const later of [600_000, 86_400_000]) {
      assert.deepStrictEqual(recognise(cookie, begun.state, now + later), Option.none())
    }
  })

  test("is different each time, and its cookie reveals nothing of what goes to Google", () => {
    const [first, second] = [begin(challenge, now), begin(challenge, now)]
    const texts = [first, second].flatMap(({ cookie, nonce, state, verifier }) => [
      cookie.split(".")[0],
      cookie.split(".")[3],
      nonce,
      state,
      verifier
    ])
    assert.strictEqual(new Set(texts).size, 10)
    assert.deepStrictEqual(recognise(first.cookie, second.state, now), Option.none())
  })

  test("is recognised only by a service with the same APP_SECRET", () => {
    const { cookie, ...begun } = begin(challenge, now)
    assert.deepStrictEqual(under("one").recognise(cookie, begun.state, now), Option.some(begun))
    const { state } = under("two").begin(challenge, now)
    for (const wrong of [begun.state, state]) {
      assert.deepStrictEqual(under("two").recognise(cookie, wrong, now), Option.none())
    }
  })
})
