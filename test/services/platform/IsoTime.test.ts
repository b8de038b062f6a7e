import { it } from "@effect/vitest"
import { Schema } from "effect"
import { assert } from "vitest"
import { isoTime } from "../../../src/services/platform/IsoTime.ts"

// Moments in the same second and in neighbouring ones, even before the epoch, in any order.
const Moments = Schema.NonEmptyArray(Schema.Struct({
  second: Schema.Literals([-1, 0, 1, 1_790_000_000, 1_790_000_001]),
  milliseconds: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 999 }))
}))

it.prop(
  "isoTime writes each moment like Date, no matter which moment it wrote before",
  { moments: Moments },
  ({ moments }) => {
    for (const { milliseconds, second } of moments) {
      const moment = second * 1000 + milliseconds
      assert.strictEqual(isoTime(moment), new Date(moment).toISOString())
    }
  }
)
