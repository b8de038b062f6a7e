import { Effect } from "effect"
import { assert, test } from "vitest"
import { GrantId, ProviderId, VeteranId } from "../../src/domain/Id.ts"
import { type Actor, Actors, ActorTransaction, asRelease } from "../../src/sql/Actor.ts"
import * as GrantedItemRepository from "../../src/sql/fhir/GrantedItemRepository.ts"
import * as PatientRepository from "../../src/sql/patient/PatientRepository.ts"
import * as HealthRecordRepository from "../../src/sql/record/HealthRecordRepository.ts"
import { openFilled } from "./Filled.ts"
import { connect } from "./Guard.ts"
import { appGrantIds, providers, veterans } from "./Rows.ts"

const { database, superuser } = await openFilled()

const runtime = connect(database, "runtime")

const reader = {
  kind: "provider",
  providerId: ProviderId.make(providers.hiv),
  veteranId: VeteranId.make(veterans.A)
} as const

const grantId = GrantId.make("00000000-0000-7000-8000-fffffffffffe")

const besides = { selfReportedEntries: 0, notes: 0, documents: 0 }

/** Adds items of A with these categories, which decide whether the provider's grant shows or withholds the items. */
const add = (categories: string, count: number, name: string) =>
  superuser.query(
    `insert into health_record_items
       (id, veteran_id, resource_type, fhir_id, raw_ciphertext, content_mac, sensitive_categories)
     select gen_random_uuid(), $1, type, n || $4, decode(repeat('00', 800), 'hex'), decode(repeat('00', 32), 'hex'), $2
     from generate_series(1, $3::int) n, unnest(array['Condition', 'Observation']) type`,
    [veterans.A, categories, count, name]
  )

/** Counts the rows of items that the connection has fetched so far. */
const fetched = ActorTransaction.use((sql) =>
  sql<{ rows: number }>`select sum(seq_tup_read + idx_tup_fetch)::int as rows
    from pg_stat_xact_user_tables where relname like 'health\\_record\\_items%'`
).pipe(Effect.map(([counted]) => counted!.rows))

const readAs = <A, E>(
  reading: Effect.Effect<A, E, ActorTransaction>,
  actor: Actor,
  how: "atOneMoment" | "withActor" = "withActor"
) => runtime.runPromise(Effect.provide(Actors.use((actors) => actors[how](actor)(reading)), Actors.layer))

/** Reads a page as a provider. Returns the items, their counts, and how many rows of items PostgreSQL fetched. */
const read = (after: string | undefined, limit: number) =>
  readAs(
    Effect.gen(function*() {
      const before = yield* fetched
      const of = { veteranId: reader.veteranId, resourceTypes: ["Condition", "Observation"] }
      const items = yield* HealthRecordRepository.sections({ ...of, after, limit })
      const counts = yield* HealthRecordRepository.countShown({ ...of, grantId, besides })
      return {
        items: items.map(({ fhirId, resourceType }) => `${resourceType}/${fhirId}`),
        counts: Object.fromEntries(counts),
        fetched: (yield* fetched) - before
      }
    }),
    reader
  )

/** Reads what is new, for the record's page and for the list, and returns how many rows of items PostgreSQL fetched. */
const readNew = (seenUntil: Date, after: string | undefined, limit: number) =>
  readAs(
    Effect.gen(function*() {
      const { veteranId } = reader
      const before = yield* fetched
      const items = yield* PatientRepository.changes({
        veteranId,
        seenUntil,
        after: after === undefined ? undefined : { resourceType: "Condition", fhirId: after },
        limit
      })
      const fetchedForPage = (yield* fetched) - before
      const [listed] = yield* PatientRepository.listed([veteranId], 4_000_000, 1_000_000)
      return {
        items: items.map(({ fhirId, resourceType }) => `${resourceType}/${fhirId}`),
        changed: listed!.changed,
        fetchedForPage,
        fetched: (yield* fetched) - before - fetchedForPage
      }
    }),
    reader
  )

/** Reads a page like a release. */
const readReleased = (resourceType: string, after: string | undefined, limit: number) =>
  readAs(
    Effect.gen(function*() {
      const { veteranId } = reader
      yield* asRelease({ resourceTypes: ["Condition", "Observation"], categories: ["hiv"] })
      const before = yield* fetched
      const items = yield* HealthRecordRepository.sections({ veteranId, resourceTypes: [resourceType], after, limit })
      return { items: items.map(({ fhirId }) => fhirId), fetched: (yield* fetched) - before }
    }),
    { kind: "veteran", veteranId: reader.veteranId },
    "atOneMoment"
  )

/** Reads like an app: pages, one item by its id, one missing item, and the count of some ids. */
const readAsApp = () =>
  readAs(
    Effect.gen(function*() {
      const before = yield* fetched
      const of = {
        veteranId: reader.veteranId,
        resourceTypes: ["Condition", "Observation"],
        stored: [],
        bytes: 2 ** 30
      }
      const items = []
      for (const [fhirId, limit] of pages) {
        const after = fhirId === undefined ? undefined : { resourceType: "Condition", fhirId }
        items.push(...yield* GrantedItemRepository.page({ ...of, ids: undefined, after, limit }))
      }
      const ids = [items[0]!.fhirId, "none"]
      for (const id of ids) {
        items.push(...yield* GrantedItemRepository.page({ ...of, ids: [id], after: undefined, limit: 1 }))
      }
      const counted = yield* GrantedItemRepository.count({ ...of, ids })
      const state = yield* GrantedItemRepository.state(reader.veteranId, null)
      return {
        items: items.map(({ fhirId, resourceType }) => `${resourceType}/${fhirId}`),
        counted,
        counts: state.counts,
        fetched: (yield* fetched) - before
      }
    }),
    { kind: "app", grantId: GrantId.make(appGrantIds.hiv), veteranId: reader.veteranId }
  )

const pages = [[undefined, 1001], [undefined, 3], ["300", 10]] as const

const readAll = async () => {
  const answers = []
  for (const [after, limit] of pages) answers.push(await read(after, limit))
  for (const type of ["Condition", "Observation"]) {
    for (const [after, limit] of pages) answers.push(await readReleased(type, after, limit))
  }
  answers.push(await readAsApp())
  return answers
}

test.each(["while the planner knows nothing about the tables", "as it knows them"])(
  "The reads of a provider, a release and an app fetch no withheld row, %s",
  async (knowing) => {
    await add("{}", 400, ` ${knowing} shown`)
    await add("{hiv}", 300, ` ${knowing} granted`)
    // From here on the sets of categories in A's record stay the same.
    await add("{alcohol_abuse}", 1, ` ${knowing} first`)
    if (knowing === "as it knows them") await superuser.query("analyze")
    const before = await readAll()
    assert.isAtLeast(before[0]!.items.length, 1400)
    for (const { fetched, items } of before) assert.isAtMost(fetched, 2 * items.length)
    await add("{alcohol_abuse}", 1000, ` ${knowing} withheld`)
    if (knowing === "as it knows them") await superuser.query("analyze")
    assert.deepStrictEqual(await readAll(), before)
  }
)

const readAllNew = async (look: Date) => {
  await superuser.query("update record_looks set seen_until = $1 where veteran_id = $2", [look, reader.veteranId])
  const answers = []
  for (const [after, limit] of pages) answers.push(await readNew(look, after, limit))
  return answers
}

test.each(["as the planner knows nothing of the tables", "as it knows them"])(
  "The reads of what is new fetch no withheld row, none if nothing is new, and the list at most one row, %s",
  async (knowing) => {
    await add("{}", 400, ` ${knowing} old`)
    const { rows: [{ look }] } = await superuser.query("select clock_timestamp() as look")
    await add("{alcohol_abuse}", 1, ` ${knowing} first new`)
    if (knowing === "as it knows them") await superuser.query("analyze")
    for (const { changed, fetched, fetchedForPage, items } of await readAllNew(look)) {
      assert.deepStrictEqual([items, changed, fetchedForPage, fetched], [[], false, 0, 0])
    }
    await add("{hiv}", 300, ` ${knowing} new`)
    const before = await readAllNew(look)
    assert.deepStrictEqual(before.map(({ changed, items }) => [changed, items.length]), [[true, 600], [true, 3], [true,
      10]])
    for (const { fetched } of before) assert.strictEqual(fetched, 1)
    await add("{alcohol_abuse}", 1000, ` ${knowing} withheld new`)
    if (knowing === "as it knows them") await superuser.query("analyze")
    assert.deepStrictEqual(await readAllNew(look), before)
  }
)
