import { afterAll, assert, beforeEach, describe, test } from "vitest"
import { openDatabase } from "../../support/App.ts"
import { type SignedIn, signInVeteran } from "../../support/Client.ts"
import { seededRandom } from "../../support/Random.ts"
import { type Service, startService } from "../../support/Service.ts"
import { digestOf, type Digests, postSync, readRecord, resource, type Texts } from "../../support/Sync.ts"
import { until } from "../../support/Until.ts"
import { readAccount } from "../ledger/Account.ts"
import { large, named } from "./LargeResources.ts"
import { referring } from "./References.ts"

const database = await openDatabase()

const superuser = await database.connect("superuser")

const start = () => startService(database, { RECORD_LIMIT_MB: "1" })

const services = [await start(), await start()]

afterAll(() => Promise.all(services.map(({ stop }) => stop("SIGKILL"))))

const one = () => services[0]!

let veteran: SignedIn

beforeEach(async () => {
  veteran = await signInVeteran(one())
})

const limit = 1024 * 1024

/** Synchronises without a limit on the number of syncs. */
const post = async (at: Service, statuses: Record<string, string>, texts: Texts, unchanged?: Digests) => {
  await superuser.query("delete from rate_limit_spendings")
  return postSync(at, veteran, statuses, texts, unchanged)
}

const take = (texts: Texts, at = one()) =>
  post(at, Object.fromEntries(Object.keys(texts).map((type) => [type, "complete"])), texts)

const taken = async (texts: Texts) => {
  const answer = await take(texts)
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.json
}

const ids = async (includeInactive = "true") =>
  (await readRecord(one(), veteran, { includeInactive })).items.map(({ fhirId }) => fhirId)

/** Asserts that the sizes and counts that triggers keep are those of the rows. Returns the sizes in bytes. */
const sums = async () => {
  const { rows: [counted] } = await superuser.query(
    `select active_bytes::int as active, inactive_bytes::int as inactive from health_record_sizes where veteran_id = $1`,
    [veteran.id]
  )
  const { rows: [found] } = await superuser.query(
    `select coalesce(sum(bytes) filter (where active), 0)::int as active,
       coalesce(sum(bytes) filter (where not active), 0)::int as inactive
     from (
       select active, octet_length(raw_ciphertext) + 8 * cardinality(refers_to) + 640 as bytes
       from health_record_items where veteran_id = $1
     ) items`,
    [veteran.id]
  )
  assert.deepStrictEqual(counted ?? { active: 0, inactive: 0 }, found)
  const { rows } = await superuser.query(
    `select coalesce(c.items, 0)::int as counted, coalesce(i.items, 0)::int as found
     from (select * from health_record_counts where veteran_id = $1 and items > 0) c
     full join (
       select resource_type, app.category_set(sensitive_categories) as category_set, count(*) as items
       from health_record_items where veteran_id = $1 and active group by 1, 2
     ) i using (resource_type, category_set)`,
    [veteran.id]
  )
  for (const { counted, found } of rows) assert.strictEqual(counted, found)
  return found as { readonly active: number; readonly inactive: number }
}

/** Everything that a sync may change, in readable form. */
const everything = async () => ({
  record: await readRecord(one(), veteran, { includeInactive: "true" }),
  // Only the ids are compared, because the drainer may meanwhile number the disclosures as leaves of the Merkle tree.
  disclosures: (await readAccount(one(), veteran)).json.items.map(({ id }: any) => id),
  sums: await sums()
})

const full = {
  error: "conflict",
  message: "A record is kept up to 1 MiB in all, and what this sync would leave active is more. " +
    "Send fewer resources, or ask the operator of the service for more room."
}

const withoutId = ({ requestId: _, ...body }: any) => body

describe("A record", () => {
  test("drops inactive items, beginning with the longest inactive, if a sync needs their space", async () => {
    for (const letter of ["a", "b", "c"]) await taken({ Condition: named(letter, 3, 100) })
    assert.deepStrictEqual(await ids(), ["a0", "a1", "a2", "b0", "b1", "b2", "c0", "c1", "c2"])
    // A sync of another type that needs little space drops no items.
    await taken({ Observation: [resource("Observation", "o")] })
    assert.lengthOf(await ids(), 10)
    const { results } = await taken({ Condition: named("d", 3, 100) })
    assert.deepInclude(results.Condition, { stored: 3, deactivated: 3 })
    assert.deepStrictEqual(await ids(), ["a2", "b0", "b1", "b2", "c0", "c1", "c2", "d0", "d1", "d2", "o"])
    const { active, inactive } = await sums()
    assert.isAtMost(active + inactive, limit)
    // Active items stay at any age, and all inactive ones may be dropped.
    await taken({ Condition: named("e", 3, 320) })
    assert.deepStrictEqual(await ids(), ["e0", "e1", "e2", "o"])
    await sums()
  })

  test("keeps inactive items that return before they are dropped, and stores dropped ones anew", async () => {
    const first = named("a", 3, 100)
    await taken({ Condition: first })
    await taken({ Condition: named("b", 3, 100) })
    const again = await taken({ Condition: first })
    assert.deepInclude(again.results.Condition, { stored: 3, deactivated: 3 })
    assert.deepStrictEqual(await ids("false"), ["a0", "a1", "a2"])
    await taken({ Condition: named("c", 9, 100) })
    const back = await taken({ Condition: first })
    assert.deepInclude(back.results.Condition, { stored: 3, deactivated: 9 })
    assert.deepStrictEqual(await ids("false"), ["a0", "a1", "a2"])
    await sums()
  })

  test("refuses a sync whose active items alone exceed the limit, and stores nothing of it", async () => {
    const kept = named("a", 5, 100)
    await taken({ Condition: kept })
    await taken({ Observation: named("o", 3, 100, "Observation") })
    const before = await everything()
    for (
      const texts of [
        { Condition: named("b", 11, 100) },
        { Encounter: named("e", 3, 100, "Encounter") },
        { Condition: [...kept, ...named("c", 3, 100)] }
      ]
    ) {
      const answer = await take(texts)
      assert.deepStrictEqual([answer.status, withoutId(answer.json)], [409, full])
      assert.deepStrictEqual(await everything(), before)
    }
    // The digest of the last stored list still matches, because the refused syncs changed nothing.
    const same = await post(one(), { Condition: "complete" }, {}, { Condition: digestOf(kept) })
    assert.strictEqual(same.status, 200, same.text)
  })

  test("stays within the limit under two parallel syncs over two processes", async () => {
    const answers = await Promise.all([
      take({ Condition: named("a", 6, 100) }, services[0]),
      take({ Observation: named("o", 6, 100, "Observation") }, services[1])
    ])
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [200, 409])
    assert.isAtMost((await sums()).active, limit)
    assert.lengthOf(await ids(), 6)
  })

  test("counts an overhead for each item beside its ciphertext, so that tiny items are limited too", async () => {
    const tiny = Array.from({ length: 1_500 }, (_, n) => resource("Observation", `o${n}`))
    const answer = await take({ Observation: tiny })
    assert.deepStrictEqual([answer.status, withoutId(answer.json)], [409, full])
    await taken({ Observation: tiny.slice(0, 500) })
    await sums()
  })

  test("counts the list of an item's references beside its ciphertext", async () => {
    await taken({ Basic: [large("Basic", "b", 800)] })
    const names = Array.from({ length: 30_000 }, (_, n) => `Encounter/${n}`)
    const refers = referring("Condition", "c", names)
    const answer = await take({ Condition: [refers] })
    assert.deepStrictEqual([answer.status, withoutId(answer.json)], [409, full])
    await taken({ Condition: [refers.replaceAll("reference", "elsewhere")] })
    await sums()
  })

  test("that is larger than a lowered limit is kept, may shrink, and may not grow", async () => {
    const kept = named("a", 5, 100)
    await taken({ Condition: kept })
    // Stores a large item of another type, as an earlier, higher limit would have allowed.
    await superuser.query(
      `insert into health_record_items (id, veteran_id, resource_type, fhir_id, raw_ciphertext, content_mac, sensitive_categories)
       select gen_random_uuid(), veteran_id, 'Basic', 'large', decode(repeat('00', 1000000), 'hex'), content_mac, '{}'
       from health_record_items where veteran_id = $1 limit 1`,
      [veteran.id]
    )
    const active = async () =>
      (await superuser.query(
        "select array(select fhir_id from health_record_items where veteran_id = $1 and active order by 1) as ids",
        [veteran.id]
      )).rows[0].ids
    await taken({ Condition: kept })
    await taken({ Condition: kept.slice(0, 4) })
    assert.deepStrictEqual(withoutId((await take({ Condition: kept })).json), full)
    assert.deepStrictEqual(await active(), ["a0", "a1", "a2", "a3", "large"])
    await sums()
  })

  test("is unchanged if its service is killed during a sync that drops items", async () => {
    for (const letter of ["a", "b", "c"]) await taken({ Condition: named(letter, 3, 100) })
    const before = await everything()
    const lock = await database.connect("superuser")
    await lock.query("begin; lock table proofs in exclusive mode")
    const answer = take({ Condition: named("d", 3, 100) }).then(({ status }) => status, () => "cut")
    const waiting = async () =>
      (await superuser.query(
        `select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%app.prove_sync%'`
      )).rows.length
    await until("the sync waits to write its proof", async () => await waiting() === 1)
    await one().stop("SIGKILL")
    assert.strictEqual(await answer, "cut")
    await until("its transaction has ended", async () => await waiting() === 0)
    await lock.query("rollback")
    services[0] = await start()
    assert.deepStrictEqual(await everything(), before)
    await taken({ Condition: named("d", 3, 100) })
    assert.notInclude(await ids(), "a0")
  })

  test.each([1, 2])("stays within its limit, with correct counts, after random syncs (seed %s)", async (seed) => {
    const met = new Set<string>()
    const random = seededRandom(seed)
    const below = (count: number) => Math.floor(random() * count)
    const types = ["Condition", "Encounter", "Observation"]
    for (let round = 0; round < 30; round++) {
      const [statuses, texts]: [Record<string, string>, Record<string, Array<string>>] = [{}, {}]
      for (const type of types.slice(below(3))) {
        statuses[type] = ["complete", "complete", "complete", "partial", "empty", "unavailable"][below(6)]!
        if (statuses[type] !== "complete" && statuses[type] !== "partial") continue
        const chosen = new Set(Array.from({ length: below(5) }, () => `i${below(12)}`))
        texts[type] = [...chosen].map((id) =>
          below(3) === 0
            ? resource(type, id, { categories: ["hiv"], version: below(3) })
            : below(2) === 0
            ? referring(type, id, [`${types[below(3)]}/i${below(12)}`])
            : large(type, id, below(200))
        )
      }
      const before = await sums()
      const answer = await post(one(), statuses, texts)
      const after = await sums()
      if (answer.status === 409) assert.deepStrictEqual([withoutId(answer.json), after], [full, before])
      else assert.strictEqual(answer.status, 200, answer.text)
      assert.isAtMost(after.active + after.inactive, limit)
      met.add(answer.status === 409 ? "refused" : after.inactive < before.inactive ? "made room" : "had room")
    }
    assert.includeMembers([...met], ["had room", "made room"])
  })
})
