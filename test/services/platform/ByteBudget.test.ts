import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { ByteBudget } from "../../../src/services/platform/ByteBudget.ts"
import { Settings } from "../../../src/services/platform/Settings.ts"

const mebibyte = 1024 * 1024

const layer = ByteBudget.layer.pipe(
  Layer.provide(Layer.succeed(Settings, { memoryBudget: 256 * mebibyte } as Settings["Service"]))
)

const use = (test: (budget: ByteBudget["Service"]) => void) => Effect.map(ByteBudget, test).pipe(Effect.provide(layer))

const Request = Schema.Struct({
  holder: Schema.Literals(["a", "b", "c"]),
  bytes: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 128 * mebibyte }))
})

describe("The budget of bytes", () => {
  it.effect("never lets one holder have more bytes than remain for the others", () =>
    use(({ open }) => {
      const [first, second, third, others] = [open("one"), open("one"), open("one"), open("other")]
      assert.isTrue(first.resize(33 * mebibyte))
      assert.isTrue(second.resize(33 * mebibyte))
      assert.isFalse(third.resize(33 * mebibyte))
      assert.isTrue(others.resize(33 * mebibyte))
      first.release()
      assert.isTrue(third.resize(33 * mebibyte))
    }))

  it.effect("keeps its last quarter for small bodies", () =>
    use(({ open }) => {
      let taken = 0
      while (open(`${taken}`).resize(64 * 1024 + 1)) taken++
      assert.strictEqual(taken, 3070)
      assert.isTrue(open("small").resize(64 * 1024))
      assert.isFalse(open("large").resize(64 * 1024 + 1))
      assert.isTrue(open("tiny").resize(4 * 1024))
    }))

  it.effect.prop(
    "is whole again once everything is returned",
    [Schema.Array(Request)],
    ([requests]) =>
      use(({ open }) => {
        const holds = requests.map(({ bytes, holder }) => {
          const hold = open(holder)
          hold.resize(bytes)
          return hold
        })
        for (const hold of [...holds, ...holds]) hold.release()
        assert.isTrue(open("a").resize(96 * mebibyte))
        assert.isTrue(open("b").resize(48 * mebibyte))
      })
  )
})
