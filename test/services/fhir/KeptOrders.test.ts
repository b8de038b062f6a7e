import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { randomUUID } from "node:crypto"
import { afterEach, beforeEach, vi } from "vitest"
import { VeteranId } from "../../../src/domain/Id.ts"
import { KeptOrders } from "../../../src/services/fhir/KeptOrders.ts"
import { indexAfter, sortedPlaces } from "../../../src/services/fhir/SortedPlaces.ts"

const newVeteran = () => VeteranId.make(randomUUID())

const order = (length: number) => Array.from({ length }, (_, n) => n)

describe("Kept orders", () => {
  beforeEach(() => void vi.useFakeTimers())

  afterEach(() => void vi.useRealTimers())

  it("are dropped after ten minutes, used or not", () => {
    const kept = new KeptOrders<number>()
    kept.keep(newVeteran(), "a", order(3))
    vi.advanceTimersByTime(9 * 60_000)
    assert.deepStrictEqual(kept.get("a"), order(3))
    assert.isUndefined(kept.get("b"))
    vi.advanceTimersByTime(60_000)
    assert.isUndefined(kept.get("a"))
    assert.strictEqual(vi.getTimerCount(), 0)
  })

  it("of one veteran are bounded, and leave those of others alone", () => {
    const kept = new KeptOrders<number>()
    const one = newVeteran()
    kept.keep(newVeteran(), "other", order(20_000))
    for (const key of ["a", "b", "c"]) kept.keep(one, key, order(12_000))
    assert.isUndefined(kept.get("a"))
    assert.isDefined(kept.get("b"))
    // The one that was not used for the longest time goes.
    kept.keep(one, "d", order(12_000))
    assert.deepStrictEqual(["b", "c", "d", "other"].map((key) => kept.get(key)?.length), [
      12_000,
      undefined,
      12_000,
      20_000
    ])
  })

  it("of all are bounded, also if they are many and short", () => {
    const kept = new KeptOrders<number>()
    for (let n = 0; n < 6; n++) kept.keep(newVeteran(), `${n}`, order(20_000))
    assert.deepStrictEqual(order(6).filter((n) => kept.get(`${n}`) !== undefined), [2, 3, 4, 5])
    for (let n = 0; n < 3000; n++) kept.keep(newVeteran(), `short ${n}`, order(2))
    assert.isAtMost(vi.getTimerCount(), 2000)
  })
})

describe("The places of an order", () => {
  const Numbers = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2000 })))
  const compare = (one: number, other: number) => one - other

  it.effect.prop(
    "are sorted in steps as by one sort, and found again",
    { few: Numbers, more: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3000 })), after: Schema.Int },
    ({ after, few, more }) =>
      Effect.sync(() => {
        const places = [...few, ...Array.from({ length: more }, (_, n) => (n * 7919) % 2000)]
        const steps = sortedPlaces(places, compare)
        let step = steps.next()
        while (!step.done) step = steps.next()
        assert.deepStrictEqual(step.value, places.toSorted(compare))
        const wanted = step.value.findIndex((place) => place > after)
        assert.strictEqual(indexAfter(step.value, after, compare), wanted < 0 ? places.length : wanted)
      }),
    { arbitrary: { runs: 100 } }
  )
})
