import { randomInt } from "node:crypto"
import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, registerVeterans, type SignedIn, signIn } from "../../support/Client.ts"
import { seededRandom } from "../../support/Random.ts"
import {
  digestOf,
  type Digests,
  postSync,
  readRecord,
  resource,
  storedRows,
  sync,
  syncPath,
  type Texts
} from "../../support/Sync.ts"

const { database, service } = await openApp()

const owner = await database.connect("owner")

const superuser = await database.connect("superuser")

const newVeteran = async () => signIn(service, (await registerVeterans(owner, 1))[0]!)

const conditional = (
  veteran: SignedIn,
  statuses: Readonly<Record<string, string>>,
  unchanged: Digests,
  resources: Texts = {}
) => postSync(service, veteran, statuses, resources, unchanged)

const send = (veteran: SignedIn, body: string) => call(service, "POST", syncPath, { headers: veteran.headers, body })

/** Reads everything that the database has of a veteran, so that an equal result proves that nothing changed. */
const everything = async ({ id }: SignedIn) => ({
  items: await storedRows(superuser, id),
  veteran: (await superuser.query("select *, xmin::text from veterans where id = $1", [id])).rows,
  proofs: (await superuser.query("select id from proofs where veteran_id = $1", [id])).rows
})

const conditions = [resource("Condition", "b"), resource("Condition", "a"), resource("Condition", "B-1")]

const goals = [resource("Goal", "g")]

describe("A conditional sync", () => {
  test("has the same result as a sync of the whole list, and writes no item", async () => {
    const veteran = await newVeteran()
    const statuses = { Condition: "complete", Goal: "complete" }
    await sync(service, veteran, statuses, { Condition: conditions, Goal: goals })
    const before = await everything(veteran)
    const answer = await conditional(veteran, { Goal: "complete", Condition: "complete" }, {
      Condition: digestOf(conditions.slice(1)),
      Goal: digestOf(goals)
    })
    assert.deepStrictEqual([answer.status, answer.json], [409, {
      error: "sync_required",
      message: "The stored resources of these types differ from yours: send all of them.",
      resourceTypes: ["Condition"],
      requestId: answer.headers.get("x-request-id")
    }])
    assert.deepStrictEqual(await everything(veteran), before)

    const agreed = await conditional(veteran, statuses, { Condition: digestOf(conditions), Goal: digestOf(goals) })
    assert.strictEqual(agreed.status, 200, agreed.text)
    const { lastFetchAt } = agreed.json.manifest.Condition
    const entry = { state: "complete", lastFetch: "complete", lastFetchAt, lastCompleteAt: lastFetchAt }
    const result = { before: "complete", after: "complete", stored: 0, deactivated: 0, skipped: 0 }
    assert.deepStrictEqual(agreed.json, {
      manifest: { Condition: { ...entry, itemCount: 3 }, Goal: { ...entry, itemCount: 1 } },
      results: { Condition: { ...result, unchanged: 3 }, Goal: { ...result, unchanged: 1 } }
    })
    assert.isAbove(Date.parse(lastFetchAt), Date.parse(before.veteran[0].fhir_sync_manifest.Condition.lastFetchAt))
    const after = await everything(veteran)
    assert.deepStrictEqual(after.items, before.items)
    assert.deepStrictEqual(after.veteran[0].fhir_list_hashes, before.veteran[0].fhir_list_hashes)
    assert.lengthOf(after.proofs, before.proofs.length + 1)
  })

  test("may also contain whole lists, may run in a sync process, and may omit 'resources'", async () => {
    const veteran = await newVeteran()
    await sync(service, veteran, { Condition: "complete", Goal: "complete" }, { Condition: conditions })
    const large = [resource("Observation", "o", { version: "x".repeat(400_000) })]
    const statuses = { Condition: "complete", Goal: "complete", Observation: "complete", Procedure: "unavailable" }
    const digests = { Condition: digestOf(conditions), Goal: digestOf([]) }
    const refused = await conditional(veteran, statuses, { ...digests, Goal: digestOf(goals) }, { Observation: large })
    assert.deepStrictEqual([refused.status, refused.json.resourceTypes], [409, ["Goal"]])
    assert.deepStrictEqual((await readRecord(service, veteran)).items.length, 3)
    const { json } = await conditional(veteran, statuses, digests, { Observation: large })
    assert.deepInclude(json.results.Condition, { stored: 0, unchanged: 3 })
    assert.deepInclude(json.results.Goal, { stored: 0, unchanged: 0, after: "complete" })
    assert.deepInclude(json.results.Observation, { stored: 1 })
    const body = { fhirResourceFetchStatuses: { Condition: "complete" }, unchanged: { Condition: digests.Condition } }
    assert.deepInclude((await send(veteran, JSON.stringify(body))).json.results, { Condition: json.results.Condition })
  })

  test("accepts neither another veteran's digests nor those from older code sets", async () => {
    const [veteran, other] = [await newVeteran(), await newVeteran()]
    for (const who of [veteran, other]) await sync(service, who, { Condition: "complete" }, { Condition: conditions })
    await superuser.query(
      `update veterans v set fhir_list_hashes = o.fhir_list_hashes from veterans o where v.id = $1 and o.id = $2`,
      [veteran.id, other.id]
    )
    const { json, status } = await conditional(veteran, { Condition: "complete" }, { Condition: digestOf(conditions) })
    assert.deepStrictEqual([status, json.resourceTypes], [409, ["Condition"]])
    const whole = await sync(service, veteran, { Condition: "complete" }, { Condition: conditions })
    assert.deepInclude(whole.json.results.Condition, { stored: 0, unchanged: 3 })
    const known = await conditional(veteran, { Condition: "complete" }, { Condition: digestOf(conditions) })
    assert.strictEqual(known.status, 200)
  })

  test("is answered 400 if it is invalid, even if it also names a list that is not stored (409)", async () => {
    const veteran = await newVeteran()
    const answer = await conditional(veteran, { Condition: "complete", Goal: "complete" }, {
      Condition: digestOf(conditions)
    }, { Goal: [resource("Goal", "a_b")] })
    assert.deepStrictEqual([answer.status, answer.json.issues[0].path], [400, ["resources", "Goal", 0]])
  })
})

// test/services/record/SyncRequest.test.ts has all reasons for which such a body is refused.
test("A conditional sync stores nothing if it has a digest of a type whose fetch was not complete", async () => {
  const veteran = await newVeteran()
  await sync(service, veteran, { Condition: "complete" }, { Condition: conditions })
  const before = await everything(veteran)
  const { json, status } = await conditional(veteran, { Condition: "partial", Goal: "complete" }, {
    Condition: digestOf(conditions)
  }, { Goal: goals })
  const issue = { path: ["unchanged", "Condition"], message: "Expected only types with the status 'complete'" }
  assert.deepStrictEqual([status, json.error, json.issues], [400, "invalid_request", [issue]])
  assert.deepStrictEqual(await everything(veteran), before)
})

test("A list equal to the last one is not compared with the stored items; any other list is compared", async () => {
  const veteran = await newVeteran()
  await sync(service, veteran, { Condition: "complete" }, { Condition: conditions })
  await superuser.query("update health_record_items set content_mac = sha256(content_mac) where veteran_id = $1", [
    veteran.id
  ])
  const again = await sync(service, veteran, { Condition: "complete" }, { Condition: conditions })
  assert.deepInclude(again.json.results.Condition, { stored: 0, unchanged: 3 })
  const turned = await sync(service, veteran, { Condition: "complete" }, { Condition: conditions.toReversed() })
  assert.deepInclude(turned.json.results.Condition, { stored: 3, unchanged: 0 })
})

const fetches = ["complete", "complete", "empty", "partial", "unavailable"] as const

const types = Array.from({ length: 60 }, (_, n) => `Type${String.fromCharCode(65 + n / 26, 65 + n % 26)}`)

interface Step {
  readonly fetch: (typeof fetches)[number]
  readonly texts: ReadonlyArray<string>
}

/** Draws a step of a type. Many complete steps repeat the last texts, sometimes in another order. */
const drawStep = (random: () => number, type: string, last: ReadonlyArray<string> | undefined): Step => {
  const fetch = fetches[Math.floor(random() * fetches.length)]!
  if (fetch === "empty" || fetch === "unavailable") return { fetch, texts: [] }
  if (fetch === "complete" && last !== undefined && random() < 0.7) {
    return { fetch, texts: random() < 0.5 ? last : last.toReversed() }
  }
  const ids = ["a", "A", "a-1", "1"].filter(() => random() < 0.5)
  return { fetch, texts: ids.map((id) => resource(type, id, { version: Math.floor(random() * 2) })) }
}

test("Random sequences of conditional syncs end like whole syncs, or in a 409 without any change", async () => {
  const seed = randomInt(2 ** 31)
  const random = seededRandom(seed)
  const [whole, twin] = [await newVeteran(), await newVeteran()]
  /** The texts of each type at its last complete sync; no entry if the type was emptied since. */
  const last = new Map<string, ReadonlyArray<string>>()
  let refusals = 0
  for (let round = 0; round < 8; round++) {
    const steps = new Map(
      types.filter(() => random() < 0.7).map((type) => [type, drawStep(random, type, last.get(type))])
    )
    const statuses = Object.fromEntries([...steps].map(([type, { fetch }]) => [type, fetch]))
    const resourcesOf = (chosen: ReadonlyArray<string>) =>
      Object.fromEntries(chosen.map((type) => [type, steps.get(type)!.texts]))
    const names = [...steps.keys()]
    const byDigest = names.filter((type) => statuses[type] === "complete" && random() < (round % 2 === 0 ? 0.9 : 0.1))
    const agrees = (type: string) => last.has(type) && digestOf(last.get(type)!) === digestOf(steps.get(type)!.texts)
    const ask = (digests: ReadonlyArray<string>) =>
      conditional(
        twin,
        statuses,
        Object.fromEntries(digests.map((type) => [type, digestOf(steps.get(type)!.texts)])),
        resourcesOf(names.filter((type) => !digests.includes(type) && steps.get(type)!.texts.length > 0))
      )

    const expected = await sync(service, whole, statuses, resourcesOf(names))
    const before = await everything(twin)
    const required = byDigest.filter((type) => !agrees(type))
    const first = await ask(byDigest)
    if (required.length > 0) {
      refusals++
      assert.deepStrictEqual([first.status, first.json.resourceTypes], [409, required], `seed ${seed}`)
      assert.deepStrictEqual(await everything(twin), before, `seed ${seed}`)
    }
    const answer = required.length === 0 ? first : await ask(byDigest.filter(agrees))
    assert.strictEqual(answer.status, 200, answer.text)
    assert.deepStrictEqual(answer.json.results, expected.json.results, `seed ${seed}`)
    assert.deepStrictEqual(withoutTimes(answer.json.manifest), withoutTimes(expected.json.manifest), `seed ${seed}`)
    const [ended, twinEnded] = [await outcome(whole), await outcome(twin)]
    assert.deepStrictEqual(twinEnded, ended, `seed ${seed}`)
    // Each row of a type that was sent by its digest keeps its row version.
    const untouched = (rows: typeof before.items) =>
      rows.filter((row) => byDigest.filter(agrees).includes(row.resource_type))
    assert.deepStrictEqual(untouched((await everything(twin)).items), untouched(before.items), `seed ${seed}`)
    for (const [type, { fetch, texts }] of steps) {
      if (fetch === "complete") last.set(type, texts)
      if (fetch === "empty") last.delete(type)
    }
    await superuser.query("delete from rate_limit_spendings")
  }
  assert.isAbove(refusals, 0)
})

/** Replaces the times of a manifest by `completed`: whether the last fetch of a type was its last complete one. */
const withoutTimes = (manifest: Record<string, { lastFetchAt: string; lastCompleteAt: string | null }>) =>
  Object.entries(manifest).toSorted().map(([type, { lastCompleteAt, lastFetchAt, ...entry }]) => ({
    type,
    ...entry,
    completed: lastCompleteAt === null ? "never" : lastCompleteAt === lastFetchAt ? "now" : "before"
  }))

/** Reads a veteran's record without times and ids. */
const outcome = async (veteran: SignedIn) => {
  const { items, manifest } = await readRecord(service, veteran, { includeInactive: "true", limit: "1000" })
  return {
    manifest: withoutTimes(manifest),
    items: items.map(({ active, fhirId, resourceType, text }) => ({ active, fhirId, resourceType, text }))
  }
}
