import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { bodyText, firstBody, fittingResources } from "../../src/client/SyncBodies.ts"

const Sizes = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3000 })))

describe("The bodies of a record's syncs", () => {
  it.effect.prop(
    "hold each type once and in order, stay within the limit, and mark a type that was cut as partial",
    {
      record: Schema.Array(Schema.Struct({ sizes: Sizes, isKnown: Schema.Boolean })),
      limit: Schema.Int.check(Schema.isBetween({ minimum: 600, maximum: 20_000 }))
    },
    ({ limit, record }) =>
      Effect.sync(() => {
        // The type names have the greatest allowed length, and the texts consist of three-byte characters.
        const fetched = record.map(({ sizes }, index) => ({
          resourceType: `T${"y".repeat(63 - `${index}`.length)}${index}`,
          status: "complete" as const,
          resources: sizes.map((size) => JSON.stringify("€".repeat(size / 3)))
        }))
        const types = fetched.map((type) => fittingResources(type, limit))
        types.forEach(({ notice, type }, index) => {
          const isCut = type.resources.length < fetched[index]!.resources.length
          assert.strictEqual(type.status, isCut ? "partial" : "complete")
          assert.strictEqual(notice !== undefined, isCut)
        })
        const digests = new Map(
          types.flatMap(({ type: { resourceType, status } }, index) =>
            record[index]!.isKnown && status === "complete" ? [[resourceType, "0".repeat(64)] as const] : []
          )
        )
        const sent: Array<string> = []
        for (let waiting = types.map(({ type }) => type); waiting.length > 0;) {
          const body = firstBody(waiting, digests, limit)
          const text = bodyText(body, digests)
          assert.isAtMost(Buffer.byteLength(text), limit)
          sent.push(...Object.keys(JSON.parse(text).fhirResourceFetchStatuses))
          waiting = waiting.slice(body.length)
        }
        assert.deepStrictEqual(sent, fetched.map(({ resourceType }) => resourceType))
      }),
    { arbitrary: { runs: 300 } }
  )
})
