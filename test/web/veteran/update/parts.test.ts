import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Schema } from "effect"
import { TestClock } from "effect/testing"
import { gunzipSync } from "node:zlib"
import { digestOf } from "../../../../web/veteran/update/Digest.ts"
import { Outbox } from "../../../../web/veteran/update/Outbox.ts"
import { bodyOf, compressed, type LoadedType } from "../../../../web/veteran/update/SyncBody.ts"
import { typesLeft } from "../../../../web/veteran/update/TypesLeft.ts"
import { readBegin } from "../../../../web/veteran/update/UpdateBegin.ts"
import { digestOf as expectedDigest } from "../../../support/Sync.ts"

const Text = Schema.String.check(Schema.makeFilter((text) => text.isWellFormed()))

/** Resources with different ids and any text. */
const resources = (texts: ReadonlyArray<string>) => texts.map((x, n) => JSON.stringify({ id: `r-${n}`, x }))

const small = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 }))

const loaded = (resourceType: string, bytes: number): LoadedType => ({
  resourceType,
  status: "complete",
  count: 1,
  bytes,
  content: undefined
})

describe("The parts of an update", () => {
  it.effect.prop(
    "digest a type as the service does",
    { texts: Schema.Array(Text) },
    ({ texts }) =>
      Effect.gen(function*() {
        const many = resources([...texts, ...Array.from({ length: texts.length * 30 }, (_, n) => `${n}`)])
        assert.strictEqual(yield* Effect.promise(() => digestOf(many.toReversed())), expectedDigest(many))
      }),
    { arbitrary: { runs: 60 } }
  )

  it.effect.prop(
    "put a body together from members of gzip, which has each list unchanged",
    { lists: Schema.Array(Schema.Array(Text)) },
    ({ lists }) =>
      Effect.gen(function*() {
        const texts = new Map(lists.map((list, index) => [`Type${"A".repeat(index)}`, resources(list)]))
        const types = yield* Effect.forEach(texts, ([resourceType, list], index) =>
          Effect.promise(async (): Promise<LoadedType> => ({
            resourceType,
            status: "complete",
            count: list.length,
            bytes: 0,
            content: index % 3 === 2
              ? { digest: "0".repeat(64) }
              : list.length === 0
              ? undefined
              : { list: await compressed(resourceType, list) }
          })))
        const body = yield* Effect.promise(async () =>
          (await bodyOf(types)).bytes()
        )
        const text = gunzipSync(body).toString()
        const { fhirResourceFetchStatuses, resources: sent, unchanged } = JSON.parse(text)
        assert.deepStrictEqual(Object.keys(fhirResourceFetchStatuses), [...texts.keys()])
        for (const { content, resourceType } of types) {
          const [list, isDigest] = [texts.get(resourceType)!, content !== undefined && "digest" in content]
          assert.strictEqual(resourceType in unchanged, isDigest)
          assert.strictEqual(resourceType in sent, !isDigest && list.length > 0)
          if (resourceType in sent) assert.include(text, `"${resourceType}":[${list.join(",")}]`)
        }
      }),
    { arbitrary: { runs: 60 } }
  )

  it.effect.prop(
    "send each type once and in order, at 2 MB and 12 seconds apart unless it is the end or urgent",
    {
      steps: Schema.Array(
        Schema.Struct({
          seconds: small,
          kilobytes: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40_000 }))
        })
      )
    },
    ({ steps }) =>
      Effect.gen(function*() {
        const outbox = new Outbox()
        const bodies: Array<{ at: number; types: ReadonlyArray<LoadedType>; isEnd: boolean }> = []
        let isEnd = false
        const sender = yield* Effect.forkChild(Effect.gen(function*() {
          for (let types = yield* outbox.next; types !== undefined; types = yield* outbox.next) {
            bodies.push({ at: yield* Clock.currentTimeMillis, types, isEnd })
          }
        }))
        const names: Array<string> = []
        for (const [index, { kilobytes, seconds }] of steps.entries()) {
          names.push(`T${index}`)
          outbox.add(loaded(`T${index}`, kilobytes * 1000))
          yield* TestClock.adjust(seconds * 1000)
        }
        isEnd = true
        outbox.close()
        yield* Fiber.join(sender)
        assert.deepStrictEqual(bodies.flatMap(({ types }) => types.map(({ resourceType }) => resourceType)), names)
        const sizeOf = (types: ReadonlyArray<LoadedType>) => types.reduce((sum, { bytes }) => sum + bytes, 0)
        for (const [index, { at, isEnd, types }] of bodies.entries()) {
          assert.isTrue(types.length === 1 || sizeOf(types) <= 60 * 1024 * 1024)
          if (!isEnd && index > 0) assert.isAtLeast(at - bodies[index - 1]!.at, 12_000)
          if (!isEnd && sizeOf(types) < 2_000_000) assert.fail("a small body went out before the end")
        }
      }),
    { arbitrary: { runs: 100 } }
  )

  it.effect("send what waits when it is urgent, and what comes later as usual", () =>
    Effect.gen(function*() {
      const outbox = new Outbox()
      outbox.hurry()
      outbox.add(loaded("A", 10))
      const first = yield* Effect.forkChild(outbox.next)
      yield* TestClock.adjust("1 hour")
      assert.isUndefined(first.pollUnsafe())
      outbox.hurry()
      assert.deepStrictEqual((yield* Fiber.join(first))?.map(({ resourceType }) => resourceType), ["A"])
      outbox.add(loaded("B", 10))
      const second = yield* Effect.forkChild(outbox.next)
      yield* TestClock.adjust("1 hour")
      assert.isUndefined(second.pollUnsafe())
      yield* Fiber.interrupt(second)
    }))

  it.effect.prop(
    "read exactly the types that were not stored since the begin",
    { ages: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: -5, maximum: 5 }))), begins: Schema.Boolean },
    ({ ages, begins }) =>
      Effect.sync(() => {
        const time = (minute: number) => new Date(Date.UTC(2026, 10, 20, 10, 30 + minute)).toISOString()
        const types = ages.map((_, index) => `Type${"A".repeat(index)}`)
        const manifest = Object.fromEntries(ages.map((age, index) => [
          types[index]!,
          { state: "complete", lastFetch: "complete" as const, lastFetchAt: time(age), itemCount: 1 }
        ]))
        const left = typesLeft({ resourceTypes: [...types, "New"], begin: begins ? time(0) : null }, manifest)
        assert.deepStrictEqual(left, [...types.filter((_, index) => !begins || ages[index]! < 0), "New"])
      })
  )

  it("continue no update that began more than an hour ago", () => {
    const begin = Date.UTC(2026, 10, 20, 10)
    const storage = new Map([["vrss-update-begin", new Date(begin).toISOString()]])
    Object.assign(globalThis, { sessionStorage: { getItem: (key: string) => storage.get(key) ?? null } })
    assert.strictEqual(readBegin(begin + 3_600_000), new Date(begin).toISOString())
    assert.isNull(readBegin(begin + 3_600_001))
    Reflect.deleteProperty(globalThis, "sessionStorage")
    assert.isNull(readBegin(begin))
  })
})
