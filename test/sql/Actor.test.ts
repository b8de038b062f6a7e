import { Cause, Effect, Exit, Fiber, Layer, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { afterAll, assert, describe, test } from "vitest"
import { ProviderId, VeteranId } from "../../src/domain/Id.ts"
import { ActingSession, type Actor, Actors, ActorTransaction, asRelease, SessionEnded } from "../../src/sql/Actor.ts"
import { openDatabase } from "../support/App.ts"
import { sqlOf } from "../support/Pool.ts"
import { seededRandom } from "../support/Random.ts"

const veterans = Array.from({ length: 20 }, () => VeteranId.make(randomUUID()))

const provider = ProviderId.make(randomUUID())

/** The provider has a grant from every second veteran. */
const granted = (veteranId: VeteranId) => veterans.indexOf(veteranId) % 2 === 0

const itemsOfEach = 3

const database = await openDatabase()

const superuser = await database.connect("superuser")

await superuser.query(
  "insert into veterans (id, va_patient_id, call_sign, email) select id, id, 'x', 'x' from unnest($1::uuid[]) id",
  [veterans]
)

await superuser.query(
  `insert into health_record_items (id, veteran_id, resource_type, fhir_id, raw_ciphertext, content_mac, sensitive_categories)
   select gen_random_uuid(), id, 'Condition', n, $2, $3, '{}' from unnest($1::uuid[]) id, generate_series(1, $4::int) n`,
  [veterans, Buffer.alloc(40), Buffer.alloc(32), itemsOfEach]
)

await superuser.query(
  "insert into providers (id, email, password_hash, display_name, organization) values ($1, 'x', 'x', 'x', 'x')",
  [provider]
)

await superuser.query(
  `insert into consent_grants (id, veteran_id, provider_id, resource_types, sensitive_categories, include_self_reported,
     include_documents, purpose, expires_at)
   select gen_random_uuid(), id, $2, null, '{}', false, false, 'x', now() + interval '1 hour' from unnest($1::uuid[]) id`,
  [veterans.filter(granted), provider]
)

const runtime = ManagedRuntime.make(Layer.provideMerge(Actors.layer, sqlOf(database, { maxConnections: 2 })))

afterAll(runtime.dispose)

const owners = Effect.gen(function*() {
  const sql = yield* ActorTransaction
  const found = yield* sql<{ veteranId: string }>`select veteran_id from health_record_items`
  return found.map(({ veteranId }) => veteranId)
})

const ownersTo = (actor: Actor) => Effect.flatMap(Actors, ({ withActor }) => withActor(actor)(owners))

const veteran = (veteranId: VeteranId): Actor => ({ kind: "veteran", veteranId })

const [a, b] = [veterans[0]!, veterans[1]!]

const rowsOf = (veteranId: string) => Array.from({ length: itemsOfEach }, () => veteranId)

describe("withActor", () => {
  test("shows a veteran's rows to that veteran and to a provider with a grant", async () => {
    assert.deepStrictEqual(await runtime.runPromise(ownersTo(veteran(a))), rowsOf(a))
    assert.deepStrictEqual(
      await runtime.runPromise(ownersTo({ kind: "provider", providerId: provider, veteranId: a })),
      rowsOf(a)
    )
    assert.deepStrictEqual(
      await runtime.runPromise(ownersTo({ kind: "provider", providerId: provider, veteranId: b })),
      []
    )
  })

  test("leaves no actor set after its transaction has ended", async () => {
    const sees = Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* ownersTo(veteran(a))
      return yield* Effect.forEach([1, 2, 3, 4], () => sql`select from health_record_items`, { concurrency: 4 })
    })
    assert.deepStrictEqual((await runtime.runPromise(sees)).map((found) => found.length), [0, 0, 0, 0])
  })

  const within = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Actors, ({ withActor }) => withActor(veteran(a))(effect))

  test("dies within a transaction of another actor, and that transaction keeps its actor", async () => {
    const exits = await runtime.runPromise(within(Effect.gen(function*() {
      return [yield* Effect.exit(ownersTo(veteran(b))), yield* owners] as const
    })))
    assert.isTrue(Exit.isFailure(exits[0]) && Cause.hasDies(exits[0].cause))
    assert.deepStrictEqual(exits[1], rowsOf(a))
  })

  test.each([
    ["of the same actor", within(ownersTo(veteran(a)))],
    ["without an actor", Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(ownersTo(veteran(a))))]
  ])("dies within a transaction %s", async (_, nested) => {
    const exit = await runtime.runPromiseExit(nested)
    assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
  })

  test("runs nothing under a token whose session has ended, or that was issued before all were ended", async () => {
    const session = randomUUID()
    await superuser.query(
      `insert into veteran_sessions (veteran_id, id, key_thumbprint, how, network, expires_at)
       values ($1, $2, sha256('x'), 'va', 'x', now() + interval '1 hour')`,
      [a, session]
    )
    const under = (id: string | null, notBefore: Date | null, actor = veteran(a)) =>
      runtime.runPromise(
        ownersTo(actor).pipe(
          Effect.provideService(ActingSession, { id, notBefore }),
          Effect.map(({ length }) => length),
          Effect.catchCause((cause) => Effect.succeed(Cause.squash(cause) instanceof SessionEnded ? "ended" : "failed"))
        )
      )
    const moment = new Date("2026-11-21T17:05:00.123Z")
    assert.deepStrictEqual([await under(session, null), await under(null, null)], [itemsOfEach, itemsOfEach])
    assert.strictEqual(await under(session, null, veteran(b)), "ended")
    assert.strictEqual(await under(randomUUID(), null), "ended")
    assert.strictEqual(await under(null, moment), "ended")
    await superuser.query("insert into veteran_token_ends values ($1, $2)", [a, moment])
    assert.deepStrictEqual([await under(null, null), await under(null, moment)], ["ended", itemsOfEach])
    for (const over of ["ended_at = now()", "expires_at = now()", "renewed_at = now() - interval '30 minutes'"]) {
      await superuser.query(
        "update veteran_sessions set ended_at = null, expires_at = now() + interval '1 hour' where id = $1",
        [session]
      )
      await superuser.query("update veteran_sessions set renewed_at = now() where id = $1", [session])
      assert.strictEqual(await under(session, null), itemsOfEach)
      await superuser.query(`update veteran_sessions set ${over} where id = $1`, [session])
      assert.strictEqual(await under(session, null), "ended", over)
    }
    // A provider acts under no veteran's token.
    assert.strictEqual(
      await under(session, null, { kind: "provider", providerId: provider, veteranId: a }),
      itemsOfEach
    )
    await superuser.query("delete from veteran_token_ends where veteran_id = $1", [a])
  })

  test("undoes earlier writes after a failure", async () => {
    const failing = within(Effect.gen(function*() {
      const sql = yield* ActorTransaction
      yield* sql`update health_record_items set fhir_id = fhir_id || ' changed'`
      return yield* Effect.fail("refused")
    }))
    assert.strictEqual(await runtime.runPromise(Effect.flip(failing)), "refused")
    const { rowCount } = await superuser.query("select from health_record_items where fhir_id like '% changed'")
    assert.strictEqual(rowCount, 0)
  })
})

/** Each of these may happen to a transaction, with this chance in 1,000. */
const mishaps: ReadonlyArray<readonly [chance: number, name: string]> = [
  [60, "fail"],
  [40, "die"],
  [60, "sqlError"],
  [60, "interruptBetween"],
  [20, "interruptStatement"],
  [15, "loseConnection"],
  [100, "write"],
  [100, "noActor"]
]

const transactions = 400

test("Interleaved transactions on two connections never see another actor's row", async () => {
  const random = seededRandom(20_261_121)
  const counts: Record<string, number> = {}
  const wrong: Array<string> = []
  let looks = 0

  const look = (actor: Actor) =>
    Effect.map(owners, (found) => {
      looks++
      const expected = actor.kind === "veteran" || granted(actor.veteranId) ? itemsOfEach : 0
      if (found.length !== expected || found.some((owner) => owner !== actor.veteranId)) {
        wrong.push(`${JSON.stringify(actor)}: ${found}`)
      }
    })

  const happen = (name: string, actor: Actor) =>
    Effect.gen(function*() {
      const sql = yield* ActorTransaction
      yield* look(actor)
      if (name === "fail") return yield* Effect.fail("failed")
      if (name === "die") return yield* Effect.die("died")
      if (name === "sqlError") yield* sql`select 1 / 0`
      if (name === "interruptBetween") return yield* Effect.interrupt
      if (name === "interruptStatement") yield* sql`select pg_sleep(5)`
      if (name === "loseConnection") yield* sql`select pg_terminate_backend(pg_backend_pid())`
      if (name === "write" && actor.kind === "veteran") {
        const mark = Buffer.concat([Buffer.from(actor.veteranId), Buffer.alloc(4)])
        yield* sql`insert into self_reported_entries (id, veteran_id, category, body_ciphertext)
                   values (${randomUUID()}, ${actor.veteranId}, 'note', ${mark})`
        yield* sql`update self_reported_entries set updated_at = now(), body_ciphertext = ${mark}`
      }
      yield* look(actor)
    })

  const one = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const { withActor } = yield* Actors
    const veteranId = veterans[Math.floor(random() * veterans.length)]!
    const actor: Actor = random() < 0.3
      ? { kind: "provider", providerId: provider, veteranId }
      : { kind: "veteran", veteranId }
    let left = random() * 1000
    const name = mishaps.find(([chance]) => (left -= chance) < 0)?.[1] ?? "read"
    counts[name] = (counts[name] ?? 0) + 1
    if (name === "noActor") {
      const seen = yield* Effect.orDie(sql`select from health_record_items`)
      if (seen.length > 0) wrong.push("nobody stated")
      return
    }
    const fiber = yield* Effect.forkChild(withActor(actor)(happen(name, actor)))
    if (name === "interruptStatement") {
      yield* Effect.sleep(5 + random() * 10)
      yield* Fiber.interrupt(fiber)
    }
    const exit = yield* Fiber.await(fiber)
    const succeeds = name === "read" || name === "write"
    if (succeeds !== Exit.isSuccess(exit)) {
      wrong.push(`${name}: ${Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "succeeded"}`)
    }
  })

  await runtime.runPromise(
    Effect.forEach(Array.from({ length: transactions }), () => one, { concurrency: 16, discard: true })
  )
  assert.deepStrictEqual(wrong, [])
  assert.isAbove(looks, transactions * 1.2)
  for (const [, name] of mishaps) assert.isAtLeast(counts[name]!, transactions / 1000, name)
  const { rows: [{ foreign, written }] } = await superuser.query(
    `select count(*) as written, count(*) filter (where substr(body_ciphertext, 1, 36) <> veteran_id::text::bytea) as foreign
     from self_reported_entries`
  )
  assert.isAbove(Number(written), transactions / 100)
  assert.strictEqual(Number(foreign), 0)
})

describe("atOneMoment", () => {
  const atOneMoment = <A, E>(effect: Effect.Effect<A, E, ActorTransaction>, actor = veteran(a)) =>
    runtime.runPromise(Effect.exit(Effect.flatMap(Actors, ({ atOneMoment }) => atOneMoment(actor)(effect))))

  const count = ActorTransaction.use((sql) =>
    Effect.map(sql`select from health_record_items where active`, (found) => found.length)
  )

  test("reads the state at its beginning, even if others write meanwhile", async () => {
    const change = (active: boolean) =>
      Effect.promise(() =>
        superuser.query(
          `update health_record_items set active = $2, deactivated_at = case when $2 then null else now() end
           where veteran_id = $1`,
          [a, active]
        )
      )
    const read = await atOneMoment(Effect.all([count, change(false), count]))
    assert.deepStrictEqual(Exit.map(read, ([before, , after]) => [before, after]), Exit.succeed([3, 3]))
    assert.deepStrictEqual(await atOneMoment(count), Exit.succeed(0))
    await Effect.runPromise(change(true))
  })

  test("cannot write", async () => {
    const written = await atOneMoment(
      ActorTransaction.use((sql) => sql`update health_record_items set synced_at = now()`)
    )
    assert.isTrue(Exit.isFailure(written) && Cause.hasDies(written.cause))
  })

  test("can switch its actor from a veteran to a release, and then to no other release", async () => {
    const release = asRelease({ resourceTypes: ["Condition"], categories: [] })
    const seen = await atOneMoment(Effect.all([
      owners,
      release,
      owners,
      asRelease({ resourceTypes: ["Observation"], categories: [] }).pipe(Effect.exit),
      owners
    ]))
    assert.isTrue(Exit.isSuccess(seen))
    const [before, , after, again, still] = Exit.isSuccess(seen) ? seen.value : [[], [], [], Exit.void, []]
    assert.deepStrictEqual([before, after, still], [rowsOf(a), rowsOf(a), rowsOf(a)])
    assert.isTrue(Exit.isFailure(again) && Cause.hasDies(again.cause))
    const other = await atOneMoment(
      Effect.andThen(asRelease({ resourceTypes: ["Other"], categories: ["hiv"] }), owners)
    )
    assert.deepStrictEqual(other, Exit.succeed([]))
  })

  test("cannot switch its actor from a provider to a release", async () => {
    const provided = await atOneMoment(asRelease({ resourceTypes: ["Condition"], categories: [] }), {
      kind: "provider",
      providerId: provider,
      veteranId: a
    })
    assert.isTrue(Exit.isFailure(provided) && Cause.hasDies(provided.cause))
  })
})
