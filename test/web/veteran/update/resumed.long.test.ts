import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { eventually } from "../../../client/Upstream.ts"
import { openGround, start, storedAt, update } from "./Ground.ts"

const { ground, states, storedTexts } = await openGround()

/** Most lists have more than the 2 MB that make a sync go out at once. */
const lists = (type: string, count: number, length: number) =>
  Array.from({ length: count }, (_, n) => JSON.stringify({ resourceType: type, id: `r${n}`, x: "-".repeat(length) }))

const record = {
  Condition: lists("Condition", 250, 9_000),
  Encounter: lists("Encounter", 120, 20_000),
  Goal: lists("Goal", 30, 10),
  Procedure: lists("Procedure", 210, 10_000)
}

const types = [...Object.keys(record), "Immunization"]

/** The types have 3 + 2 + 1 + 3 + 1 pages: the first one, the last one, and some between. */
const kills = [1, 2, 4, 6, 8, 10]

describe("An update that is killed and begun again", () => {
  it.effect.each(kills)(
    "ends in the state of one that was never killed, at page %i",
    (killedAt) =>
      Effect.gen(function*() {
        const here = yield* ground(record)
        const first = yield* start(here, types)
        yield* eventually(Effect.map(here.server.requests, ({ length }) => length >= killedAt))
        yield* Fiber.interrupt(first.fiber)
        const begin = storedAt(first)
        const asked = (yield* here.server.requests).length
        const second = yield* update(here, types, begin === undefined ? {} : { begin })
        assert.deepStrictEqual(second.end, { how: "done" })
        assert.deepStrictEqual(
          [...second.kinds()].map(([type, { count, step }]) => [type, step, count]).toSorted(),
          types.map((type) => {
            const count = record[type as keyof typeof record]?.length ?? 0
            return [type, count === 0 ? "empty" : "complete", count]
          }).toSorted()
        )
        assert.deepStrictEqual(yield* storedTexts(here), Object.values(record).flat().toSorted())
        assert.deepStrictEqual(
          yield* states(here),
          Object.fromEntries(types.map((type) => {
            const state = type in record ? "complete" : "empty"
            return [type, [state, state]]
          }))
        )
        const stored = [...first.kinds().values()].flatMap(({ resourceType, step }) =>
          ["complete", "empty"].includes(step) ? [resourceType] : []
        )
        const readAgain = (yield* here.server.requests).slice(asked).map(({ resourceType }) => resourceType)
        assert.deepStrictEqual(readAgain.filter((type) => stored.includes(type)), [])
      })
  )

  it.effect("keeps what was stored although the answer was lost", () =>
    Effect.gen(function*() {
      const here = yield* ground(record)
      here.gate.spoil("lost")
      const first = yield* start(here, types)
      yield* eventually(Effect.sync(() => here.gate.answers.length === 1))
      yield* Fiber.interrupt(first.fiber)
      assert.isUndefined(storedAt(first))
      assert.deepStrictEqual((yield* update(here, types)).end, { how: "done" })
      assert.deepStrictEqual(yield* storedTexts(here), Object.values(record).flat().toSorted())
    }))
})
