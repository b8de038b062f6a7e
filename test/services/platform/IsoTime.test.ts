import { it } from "@effect/vitest"
import { Schema } from "effect"
import { assert } from "vitest"
import { isoTime } from "../../../src/services/platform/IsoTime.ts"

// Neighbouring moments in one second and in the next, before the epoch too, in any order.
const Moments = Schema.NonEmptyArray(Schema.Struct({
  second: Schema.Literals([-1, 0, 1, 1_790_000_000, 1_790_000_001]),
  milliseconds: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 999 }))
}))

it.prop(
  "isoTime writes each moment like Date, after any other moment",
  { moments: Moments },
  ({ moments }) => {
    for (const { milliseconds, second } of moments) {
      const moment = second * 1000 + milliseconds
      assert.strictEqual(isoTime(moment), new Date(moment).toISOString())
    }
  }
)
