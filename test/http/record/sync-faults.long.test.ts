import { request } from "node:http"
import { afterAll, assert, describe, test } from "vitest"
import type { FetchStatus } from "../../../src/domain/SyncState.ts"
import { openDatabase } from "../../support/App.ts"
import type { SignedIn } from "../../support/Client.ts"
import { registerVeterans, signIn } from "../../support/Client.ts"
import { type Service, startService } from "../../support/Service.ts"
import { digestOf, postSync, readRecord, resource, sync, syncBody, syncPath } from "../../support/Sync.ts"
import { until } from "../../support/Until.ts"
import { apply, type Model } from "./SyncModel.ts"

const database = await openDatabase()

const services = [await startService(database), await startService(database)]

afterAll(() => Promise.all(services.map((service) => service.stop())))

const owner = await database.connect("owner")

const superuser = await database.connect("superuser")

// The table's size shows the progress of a sync, so a sync must not reuse the space of rolled-back rows.
await owner.query(`
  do $$
  declare
    part regclass;
  begin
    for part in select relid from pg_partition_tree('health_record_items') where isleaf loop
      execute format('alter table %s set (autovacuum_enabled = false)', part);
    end loop;
  end $$`)

const register = async () => (await registerVeterans(owner, 1))[0]!

const size = 4000

const many = Array.from(
  { length: size },
  (_, n) => resource("Observation", `o-${n}`, { version: `${n}`.padStart(300, "-") })
)

const one = async (query: string, ...values: ReadonlyArray<unknown>) =>
  (await superuser.query(query, [...values])).rows[0]

/** Reads the manifest and the items of a veteran from the database. */
const outcome = async (
  veteranId: string
): Promise<
  { readonly items: number; readonly counted: number; readonly state: string | null; readonly hashed: boolean }
> =>
  one(
    `select (select count(*)::int from health_record_items where veteran_id = v.id and active) as items,
       coalesce((fhir_sync_manifest -> 'Observation' ->> 'itemCount')::int, 0) as counted,
       fhir_sync_manifest -> 'Observation' ->> 'state' as state, fhir_list_hashes ? 'Observation' as hashed
     from veterans v where id = $1`,
    veteranId
  )

const nothing = { items: 0, counted: 0, state: null, hashed: false }

const all = { items: size, counted: size, state: "complete", hashed: true }

/** Returns the state of the service's transactions in this database. */
const transactions = async () =>
  (await superuser.query(
    `select pid, query, state, wait_event_type from pg_stat_activity
     where datname = current_database() and application_name = 'vrss' and xact_start is not null`
  )).rows as ReadonlyArray<{ readonly pid: number; readonly query: string; readonly wait_event_type: string | null }>

const noTransactions = () =>
  until("the service's transactions have ended", async () => (await transactions()).length === 0)

const tableSize = async () =>
  Number((await one("select sum(pg_relation_size(relid)) as size from pg_partition_tree('health_record_items')")).size)

/** The moments of a sync at which a fault occurs. The test polls the database until `reached` returns true. */
const moments: ReadonlyArray<readonly [name: string, reached: (sizeBefore: number) => Promise<boolean>]> = [
  ["before its first item", async () => (await transactions()).length > 0],
  [
    "at its first items",
    async () => (await transactions()).some(({ query }) => query.includes("insert into health_record_items"))
  ],
  ["midway", async (before) => await tableSize() > before + 600_000],
  ["near its end", async (before) => await tableSize() > before + 1_500_000]
]

const replace = async (service: Service) => {
  services.splice(services.indexOf(service), 1, await startService(database))
}

describe("A sync of 4,000 resources", () => {
  test.each(moments)(
    "leaves all or nothing when its service is killed %s, and succeeds the next time",
    async (_, reached) => {
      const registered = await register()
      const [service, other] = services as [Service, Service]
      const veteran = await signIn(service, registered)
      const before = await tableSize()
      const answer = postSync(service, veteran, { Observation: "complete" }, { Observation: many }).then(
        ({ status }) => status,
        () => "cut"
      )
      await until("the moment has come", () => reached(before))
      await service.stop("SIGKILL")
      await noTransactions()
      const left = await outcome(veteran.id)
      assert.deepStrictEqual(left, left.items === 0 ? nothing : all)
      assert.strictEqual(await answer, left.items === 0 ? "cut" : 200)
      const again = await sync(other, veteran, { Observation: "complete" }, { Observation: many })
      assert.strictEqual(again.json.results.Observation.stored, size - left.items, again.text)
      assert.deepStrictEqual(await outcome(veteran.id), all)
      await replace(service)
    }
  )

  test.each(moments.slice(1))(
    "leaves all or nothing when its client hangs up %s, and succeeds the next time",
    async (_, reached) => {
      const service = services[0]!
      const veteran = await signIn(service, await register())
      const before = await tableSize()
      const hangUp = post(service, veteran, syncBody({ Observation: "complete" }, { Observation: many }))
      await until("the moment has come", () => reached(before))
      hangUp()
      await noTransactions()
      const left = await outcome(veteran.id)
      assert.deepStrictEqual(left, left.items === 0 ? nothing : all)
      const again = await sync(service, veteran, { Observation: "complete" }, { Observation: many })
      assert.deepInclude(again.json.results.Observation, {
        after: "complete",
        stored: size - left.items,
        unchanged: left.items
      })
      assert.deepStrictEqual(await outcome(veteran.id), all)
    }
  )
})

/** Posts a sync without waiting for its answer, and returns a function that hangs up. */
const post = (service: Service, veteran: SignedIn, body: string) => {
  const sent = request(`${service.url}${syncPath}`, {
    method: "POST",
    headers: { ...veteran.headers, "content-type": "application/json" }
  })
  sent.on("error", () => {}).end(body)
  return () => sent.destroy()
}

interface Sync {
  readonly fetch: FetchStatus
  readonly ids: ReadonlyArray<string>
  /** If true, a digest replaces the resources. */
  readonly isConditional?: true
}

/** The state, the active and the known ids of a model, for a comparison. */
const shapeOf = ({ items, state }: Model) => {
  const known = [...items].toSorted()
  return { state, active: known.flatMap(([id, { active }]) => active ? [id] : []), known: known.map(([id]) => id) }
}

/** Returns the model of one type after a sync, and the result of the sync. A null result means a 409. */
const applied = (model: Model, { fetch, ids, isConditional }: Sync) => {
  const { active, state } = shapeOf(model)
  const agrees = (state === "complete" || state === "stale") && active.join() === ids.join()
  if (isConditional && !agrees) return { result: null, model }
  const after = structuredClone(model)
  return { result: apply(after, { fetch, sent: new Map(ids.map((id) => [id, 1])) }), model: after }
}

type Answered = Sync & { readonly result: unknown }

/** Whether some order of the syncs gives every answered result and the final record. */
const someOrderExplains = (syncs: ReadonlyArray<Answered>, end: unknown, model: Model): boolean =>
  syncs.length === 0
    ? JSON.stringify(shapeOf(model)) === JSON.stringify(end)
    : syncs.some((next) => {
      const step = applied(model, next)
      return JSON.stringify(step.result) === JSON.stringify(next.result) &&
        someOrderExplains(syncs.filter((other) => other !== next), end, step.model)
    })

describe("Parallel syncs of one veteran in two processes", () => {
  const complete = (...ids: ReadonlyArray<string>): Sync => ({ fetch: "complete", ids })
  const partial = (...ids: ReadonlyArray<string>): Sync => ({ fetch: "partial", ids })
  const empty: Sync = { fetch: "empty", ids: [] }
  const unavailable: Sync = { fetch: "unavailable", ids: [] }

  const unchanged = (...ids: ReadonlyArray<string>): Sync => ({ ...complete(...ids), isConditional: true })

  const rounds: ReadonlyArray<readonly [what: string, syncs: ReadonlyArray<Sync>]> = [
    ["two complete", [complete("a", "b"), complete("b", "c")]],
    ["one complete, one empty", [complete("a", "b"), empty]],
    ["two partial", [partial("a"), partial("b")]],
    ["one partial, one complete", [partial("a", "c"), complete("a", "b")]],
    ["two complete, one partial, one empty", [complete("a", "b"), partial("d"), empty, complete("a", "f")]],
    ["two conditional, one complete", [complete("a", "b"), unchanged("a", "b"), unchanged("b", "c")]],
    ["two conditional, one complete, one empty", [unchanged("a"), complete("a"), empty, unchanged("a")]],
    ["one partial, two complete, one unavailable", [partial("a", "e"), complete("b", "c"), unavailable, complete("f")]]
  ]

  test.each(rounds)("end as if they had run one after the other: %s", async (_, syncs) => {
    const veteran = await signIn(services[0]!, await register())
    const gate = await database.connect("superuser")
    await gate.query("begin")
    await gate.query("select 1 from veterans where id = $1 for update", [veteran.id])
    const answers: Array<ReturnType<typeof postSync>> = []
    for (const [index, { fetch, ids, isConditional }] of syncs.entries()) {
      const texts = ids.map((id) => resource("Goal", id))
      const [resources, digests] = isConditional ? [{}, { Goal: digestOf(texts) }] : [{ Goal: texts }, undefined]
      answers.push(postSync(services[index % 2]!, veteran, { Goal: fetch }, ids.length === 0 ? {} : resources, digests))
      // In each process, the first sync waits for the locked row, and the second sync waits for the first. The test
      // then deletes the counts of the rate limit, so that a new count shows that the next sync has arrived.
      await until("it waits", async () => {
        const { n } = await one("select count(*)::int as n from rate_limit_spendings")
        const waiting = (await transactions()).filter((row) => row.wait_event_type === "Lock").length
        return n > 0 && waiting === Math.min(index + 1, services.length)
      })
      await superuser.query("delete from rate_limit_spendings")
    }
    await gate.query("commit")
    await gate.end()
    const answered = (await Promise.all(answers)).map(({ json, status, text }, index) => {
      const sent = syncs[index]!
      assert.include(sent.isConditional ? [200, 409] : [200], status, text)
      return { ...sent, result: status === 409 ? null : json.results.Goal }
    })
    const { items, manifest } = await readRecord(services[1]!, veteran, { includeInactive: "true" })
    const ids = (chosen: typeof items) => chosen.map(({ fhirId }) => fhirId)
    const end = { state: manifest.Goal.state, active: ids(items.filter(({ active }) => active)), known: ids(items) }
    const start: Model = { state: "unknown", items: new Map() }
    assert.isTrue(someOrderExplains(answered, end, start), JSON.stringify({ answered, end }))
    assert.strictEqual(manifest.Goal.itemCount, end.active.length)
  })
})
