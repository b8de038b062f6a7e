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

  it("hold at most 100,000 resources", () => {
    const fetched = (resourceType: string, count: number) => ({
      resourceType,
      status: "complete" as const,
      resources: Array.from({ length: count }, () => "1")
    })
    const limit = 64 * 1024 * 1024
    const [many, few, last] = [["A", 100_001], ["B", 60_000], ["C", 40_001]].map(([type, count]) =>
      fittingResources(fetched(type as string, count as number), limit)
    )
    assert.deepStrictEqual([many!.type.status, many!.type.resources.length], ["partial", 100_000])
    const types = [few!.type, last!.type]
    assert.deepStrictEqual(firstBody(types, new Map(), limit), [few!.type])
    assert.deepStrictEqual(firstBody(types, new Map([["B", "0".repeat(64)]]), limit), types)
  })
})
