import { it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Schema } from "effect"
import { Reactivity } from "effect/reactivity"
import { TestClock } from "effect/testing"
import { randomBytes, randomUUID } from "node:crypto"
import { assert, describe } from "vitest"
import { Crypto } from "../../../src/services/platform/Crypto.ts"
import { RateLimits } from "../../../src/services/platform/RateLimits.ts"
import { SharedConnections } from "../../../src/sql/Connections.ts"
import * as RateLimitRepository from "../../../src/sql/platform/RateLimitRepository.ts"
import { openDatabase } from "../../support/App.ts"
import { poolOf } from "../../support/Pool.ts"
import { settingsOf } from "../../support/SettingsOf.ts"
import { until } from "../../support/Until.ts"

const database = await openDatabase()

const owner = await database.connect("owner")

describe("app.spend_permits", () => {
  const spend = async (key: Buffer, wanted = 1, allowed = 30, seconds = 900, client = owner) => {
    const sql =
      "select granted, retry_after, extract(epoch from moment)::float8 as moment from app.spend_permits($1, $2, $3, $4)"
    const { rows } = await client.query(sql, [key, allowed, seconds, wanted])
    return rows[0] as { readonly granted: number; readonly retry_after: number; readonly moment: number }
  }
  const pass = (key: Buffer, seconds: number) =>
    owner.query("update rate_limit_spendings set spent_at = spent_at - make_interval(secs => $2) where key = $1", [
      key,
      seconds
    ])

  const Steps = Schema.Array(Schema.Struct({
    // Sums of these are often exactly the 900 seconds of the window, or a second less or more.
    seconds: Schema.Literals([0, 1, 2, 299, 300, 301, 598, 599, 600]),
    tries: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 25 }))
  })).check(Schema.isMinLength(4), Schema.isMaxLength(8))

  it.effect.prop(
    "admits 30 in any 15 minutes and never 31, and refuses no request that it could admit",
    { steps: Steps },
    ({ steps }) =>
      Effect.promise(async () => {
        const key = randomBytes(16)
        const admitted: Array<number> = []
        let passed = 0
        for (const { seconds, tries } of steps) {
          await pass(key, seconds)
          passed += seconds
          for (let index = 0; index < tries; index++) {
            const { granted, moment, retry_after } = await spend(key)
            const now = moment + passed
            const recent = admitted.filter((at) => at > now - 900)
            assert.strictEqual(granted, recent.length < 30 ? 1 : 0)
            if (granted === 1) admitted.push(now)
            else assert.closeTo(retry_after, recent[0]! + 900 - now, 0.001)
          }
        }
      }),
    { arbitrary: { runs: 25 } }
  )

  it.effect("makes a second spender of a key wait until the first has committed", () =>
    Effect.promise(async () => {
      const key = randomBytes(16)
      const [first, second] = [await database.connect("runtime"), await database.connect("runtime")]
      await first.query("begin")
      assert.strictEqual((await spend(key, 1, 1, 900, first)).granted, 1)
      const other = spend(key, 1, 1, 900, second)
      const waiting =
        "select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted and database = " +
        "(select oid from pg_database where datname = current_database())"
      await Promise.race([other, until("the second spender waits", async () =>
        (await owner.query(waiting)).rows[0].n === 1)])
      assert.strictEqual((await spend(randomBytes(16))).granted, 1)
      await first.query("commit")
      assert.strictEqual((await other).granted, 0)
    }))

  it.effect("frees each permit 15 minutes after that permit was spent", () =>
    Effect.promise(async () => {
      const key = randomBytes(16)
      assert.strictEqual((await spend(key, 10)).granted, 10)
      await pass(key, 600)
      assert.strictEqual((await spend(key, 25)).granted, 20)
      await pass(key, 290)
      assert.strictEqual((await spend(key)).granted, 0)
      await pass(key, 10)
      assert.strictEqual((await spend(key, 25)).granted, 10)
      const refused = await spend(key)
      assert.strictEqual(refused.granted, 0)
      assert.isAbove(refused.retry_after, 590)
      assert.isAtMost(refused.retry_after, 600)
    }))
})

const statements = Layer.effect(SharedConnections, poolOf(database, { maxConnections: 4, multiplex: true })).pipe(
  Layer.provide(Reactivity.layer)
)

/** Simulates a separate process: two of these share only the database. */
const makeProcess = Effect.gen(function*() {
  const layer = RateLimits.layer.pipe(
    Layer.provide(Layer.merge(statements, Crypto.layer.pipe(Layer.provide(settingsOf())))),
    Layer.fresh
  )
  return Context.get(yield* Layer.build(layer), RateLimits)
})

describe("Leases that are requested in one turn of the event loop", () => {
  it.effect("grant two processes together at most the limit, even if they request the keys in opposite orders", () =>
    Effect.gen(function*() {
      const keys = Array.from({ length: 16 }, () => randomBytes(16))
      const granted = new Map<Uint8Array, number>(keys.map((key) => [key, 0]))
      const spend = Effect.fnUntraced(function*(order: ReadonlyArray<Uint8Array>) {
        const { lease } = RateLimitRepository.make(yield* SharedConnections)
        for (let round = 0; round < 25; round++) {
          yield* Effect.forEach(
            order,
            (key) =>
              Effect.map(lease({ key, permits: 30, seconds: 900, wanted: 1 }), (spent) => {
                granted.set(key, granted.get(key)! + spent.granted)
                assert.strictEqual(spent.retryAfter > 0, spent.granted === 0)
              }),
            { concurrency: "unbounded" }
          )
        }
      }, (spending) => Effect.provide(spending, Layer.fresh(statements)))
      yield* Effect.all([spend(keys), spend(keys.toReversed())], { concurrency: "unbounded" })
      assert.deepStrictEqual([...granted.values()], keys.map(() => 30))
    }))
})

const leased = { permits: 600, seconds: 60, leased: true }

/** Returns how many of `count` parallel requests are admitted. */
const burst = (limits: RateLimits["Service"], subject: string, count: number) =>
  Effect.all(Array.from({ length: count }, () => Effect.exit(limits.spend("GET /x", subject, leased))), {
    concurrency: "unbounded"
  }).pipe(Effect.map((exits) => exits.filter(Exit.isSuccess).length))

describe("RateLimits", () => {
  it.effect("never refuses a client below a leased limit, for any pattern of requests", () =>
    Effect.gen(function*() {
      const limits = yield* makeProcess
      // The first client uses 18 × 33 = 594 of its 600 permits within a minute. Each of its bursts leases more permits
      // than it uses.
      for (const client of [{ bursts: 18, size: 33 }, { bursts: 120, size: 5 }, { bursts: 600, size: 1 }]) {
        const subject = randomUUID()
        for (let index = 0; index < client.bursts; index++) {
          assert.strictEqual(yield* burst(limits, subject, client.size), client.size)
          yield* TestClock.adjust("3 seconds")
        }
      }
    }), 60_000)

  it.effect("admits exactly the permits of a leased limit, in sequence or in parallel", () =>
    Effect.gen(function*() {
      const limits = yield* makeProcess
      const together = randomUUID()
      assert.strictEqual(yield* burst(limits, together, 700), 600)
      const inTurn = randomUUID()
      let admitted = 0
      for (let index = 0; index < 28; index++) admitted += yield* burst(limits, inTurn, 25)
      assert.strictEqual(admitted, 600)
    }))

  it.effect("admits at most a leased limit over two processes, and all of it once unused leases have ended", () =>
    Effect.gen(function*() {
      const [one, two] = [yield* makeProcess, yield* makeProcess]
      const subject = randomUUID()
      let admitted = 0
      for (let index = 0; index < 40; index++) {
        admitted += yield* burst(index % 2 === 0 ? one : two, subject, 20)
        if (index % 3 === 0) yield* TestClock.adjust("700 millis")
      }
      assert.isAtMost(admitted, 600)
      // Permits that one process leased and did not use become available to the other process.
      while (admitted < 600) {
        yield* TestClock.adjust("3 seconds")
        admitted += yield* burst(two, subject, 1)
      }
      assert.strictEqual(yield* burst(one, subject, 50), 0)
      assert.strictEqual(yield* burst(two, subject, 50), 0)
    }))
})
