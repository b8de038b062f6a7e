import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { Reactivity } from "effect/reactivity"
import type { SqlClient } from "effect/sql"
import { call, signInVeteran } from "../test/support/Client.ts"
import { type Bench, line, median, openFloor } from "./Bench.ts"
import { get, load } from "./load.ts"

const rounds = 5

/** `/me` under 32 connections against the same bytes from a bare server. */
export const benchMe = Effect.fnUntraced(function*({ service }: Bench) {
  // A veteran may read 600 times a minute; many stand in for one.
  const veterans = yield* Effect.promise(async () => {
    const all = []
    for (let n = 0; n < 400; n++) all.push(await signInVeteran(service))
    return all
  })
  const answer = yield* Effect.promise(() => call(service, "GET", "/api/veteran/me", { headers: veterans[0]!.headers }))
  const floorPort = yield* openFloor(Buffer.from(answer.text))
  const requests = veterans.map(({ token }) => get("/api/veteran/me", token))
  const figures: Array<{ readonly ours: number; readonly floor: number }> = []
  for (let round = 0; round < rounds + 1; round++) {
    const at = { connections: 32, seconds: 1, request: (n: number) => requests[n % requests.length]! }
    const ours = yield* Effect.promise(() => load({ ...at, port: Number(new URL(service.url).port) }))
    const floor = yield* Effect.promise(() => load({ ...at, port: floorPort }))
    if (round > 0) figures.push({ ours, floor })
  }
  const detail = `${median(figures.map(({ ours }) => ours)).toFixed(0)}/s, floor ${
    median(figures.map(({ floor }) => floor)).toFixed(0)
  }/s`
  line(
    "/me, 32 connections / bare node:http",
    median(figures.map(({ floor, ours }) => ours / floor)),
    ">= 0.15",
    detail
  )
})

/** One small read as one statement on shared connections, as the service does it, against a transaction of four. */
export const benchRoundTrips = Effect.fnUntraced(function*({ runtime: { user, ...at } }: Bench) {
  const shared = yield* PgClient.make({ ...at, username: user, maxConnections: 4, multiplex: true })
  const own = yield* PgClient.make({ ...at, username: user, maxConnections: 10 })
  const read = (sql: SqlClient.SqlClient) => sql`select * from veterans limit 1`
  const one = read(shared)
  const four = own.withTransaction(Effect.andThen(own`select set_config('app.actor', 'veteran', true)`, read(own)))
  const ratios: Array<number> = []
  for (let round = 0; round < rounds + 1; round++) {
    const ratio = (yield* perSecond(one)) / (yield* perSecond(four))
    if (round > 0) ratios.push(ratio)
  }
  line("one statement / four round trips, 32 fibers", median(ratios), ">= 3", "at the database, with TLS")
}, Effect.provide(Reactivity.layer))

const perSecond = Effect.fnUntraced(function*<E>(work: Effect.Effect<unknown, E>) {
  const started = performance.now()
  let done = 0
  const until = Effect.whileLoop({
    while: () => performance.now() - started < 1000,
    body: () => work,
    step: () => done++
  })
  yield* Effect.all(Array.from({ length: 32 }, () => until), { concurrency: "unbounded" })
  return done / ((performance.now() - started) / 1000)
})
