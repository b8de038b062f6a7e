import { randomInt } from "node:crypto"
import { assert, describe, test } from "vitest"
import { type FetchStatus, type SyncState, transition } from "../../../src/domain/SyncState.ts"
import { openApp } from "../../support/App.ts"
import { call, registerVeterans, signIn } from "../../support/Client.ts"
import { seededRandom } from "../../support/Random.ts"
import { readRecord, resource, storedRows, sync } from "../../support/Sync.ts"

const { database, service } = await openApp()

const owner = await database.connect("owner")

const superuser = await database.connect("superuser")

const condition = (id: string, version = 1) => resource("Condition", id, { version })

const first = [condition("a"), condition("b"), condition("c")]

/** Item `a` is unchanged, `b` is changed, `c` is missing and `d` is new. */
const second = [condition("a"), condition("b", 2), condition("d")]

/** Syncs that lead to each stored state. The items of `first` are active from `partial` on and inactive at `empty`. */
const ways: Record<SyncState, ReadonlyArray<FetchStatus>> = {
  unknown: [],
  empty: ["complete", "empty"],
  partial: ["partial"],
  complete: ["complete"],
  stale: ["complete", "unavailable"]
}

/**
 * The rows of the contract's table (part 5): the counts stored, unchanged, deactivated and skipped, and then the active
 * and inactive items.
 */
const cells = [
  ["unknown", "complete", "complete", [3, 0, 0, 0], "a1 b2 d1", ""],
  ["unknown", "empty", "empty", [0, 0, 0, 0], "", ""],
  ["unknown", "partial", "partial", [3, 0, 0, 0], "a1 b2 d1", ""],
  ["unknown", "unavailable", "unknown", [0, 0, 0, 0], "", ""],
  ["empty", "complete", "complete", [3, 0, 0, 0], "a1 b2 d1", "c1"],
  ["empty", "empty", "empty", [0, 0, 0, 0], "", "a1 b1 c1"],
  ["empty", "partial", "partial", [3, 0, 0, 0], "a1 b2 d1", "c1"],
  ["empty", "unavailable", "empty", [0, 0, 0, 0], "", "a1 b1 c1"],
  ["partial", "complete", "complete", [2, 1, 1, 0], "a1 b2 d1", "c1"],
  ["partial", "empty", "empty", [0, 0, 3, 0], "", "a1 b1 c1"],
  ["partial", "partial", "partial", [0, 0, 0, 3], "a1 b1 c1", ""],
  ["partial", "unavailable", "partial", [0, 0, 0, 0], "a1 b1 c1", ""],
  ["complete", "complete", "complete", [2, 1, 1, 0], "a1 b2 d1", "c1"],
  ["complete", "empty", "empty", [0, 0, 3, 0], "", "a1 b1 c1"],
  ["complete", "partial", "stale", [0, 0, 0, 3], "a1 b1 c1", ""],
  ["complete", "unavailable", "stale", [0, 0, 0, 0], "a1 b1 c1", ""],
  ["stale", "complete", "complete", [2, 1, 1, 0], "a1 b2 d1", "c1"],
  ["stale", "empty", "empty", [0, 0, 3, 0], "", "a1 b1 c1"],
  ["stale", "partial", "stale", [0, 0, 0, 3], "a1 b1 c1", ""],
  ["stale", "unavailable", "stale", [0, 0, 0, 0], "a1 b1 c1", ""]
] as const

const takesResources = (fetch: FetchStatus) => fetch === "complete" || fetch === "partial"

describe("A sync", () => {
  test.each(cells)(
    "moves a type from '%s' by the fetch status '%s' to '%s'",
    async (before, lastFetch, after, counts, active, inactive) => {
      const [registered] = await registerVeterans(owner, 1)
      const veteran = await signIn(service, registered!)
      let lastCompleteAt: string | null = null
      for (const fetch of ways[before]) {
        const { json } = await sync(
          service,
          veteran,
          { Condition: fetch },
          takesResources(fetch) ? { Condition: first } : {}
        )
        lastCompleteAt = json.manifest.Condition.lastCompleteAt
      }
      const rowsBefore = await storedRows(superuser, veteran.id)

      const answer = await sync(
        service,
        veteran,
        { Condition: lastFetch },
        takesResources(lastFetch) ? { Condition: second } : {}
      )
      assert.strictEqual(answer.status, 200, answer.text)
      const [stored, unchanged, deactivated, skipped] = counts
      assert.deepStrictEqual(answer.json.results, {
        Condition: { before, after, stored, unchanged, deactivated, skipped }
      })
      const { lastFetchAt } = answer.json.manifest.Condition
      assert.deepStrictEqual(answer.json.manifest, {
        Condition: {
          state: after,
          lastFetch,
          lastFetchAt,
          lastCompleteAt: lastFetch === "complete" ? lastFetchAt : lastCompleteAt,
          itemCount: active === "" ? 0 : active.split(" ").length
        }
      })
      assert.isBelow(Math.abs(Date.parse(lastFetchAt) - Date.now()), 60_000)

      const versions = (items: Awaited<ReturnType<typeof readRecord>>["items"]) =>
        items.map(({ fhirId, text }) => `${fhirId}${JSON.parse(text).meta.versionId}`).join(" ")
      const read = await readRecord(service, veteran, { includeInactive: "true" })
      assert.deepStrictEqual(read.manifest, answer.json.manifest)
      assert.strictEqual(versions(read.items.filter((item) => item.active)), active)
      assert.strictEqual(versions(read.items.filter((item) => !item.active)), inactive)
      assert.strictEqual(versions((await readRecord(service, veteran)).items), active)
      const alone = await call(service, "GET", "/api/veteran/me/health-record/manifest", { headers: veteran.headers })
      assert.deepStrictEqual(alone.json, answer.json.manifest)

      // Rows that were neither stored nor deactivated were not written: they keep their row version.
      const written = (rows: typeof rowsBefore) => new Map(rows.map(({ fhir_id, xmin }) => [fhir_id, xmin]))
      const rowsAfter = written(await storedRows(superuser, veteran.id))
      const untouched = [...written(rowsBefore)].filter(([id, xmin]) => rowsAfter.get(id) === xmin).length
      assert.strictEqual(rowsAfter.size - untouched, stored + deactivated)
    }
  )
})

type Item = { version: number; active: boolean }

/** A model of one type of one veteran, after the specification's table. */
interface Model {
  state: SyncState
  readonly items: Map<string, Item>
}

interface Step {
  readonly fetch: FetchStatus
  /** The version by FHIR id. */
  readonly sent: ReadonlyMap<string, number>
}

/** Follows the table in "States and transitions" row by row, and the contract's table where that says "may". */
const apply = (model: Model, { fetch, sent }: Step) => {
  const before = model.state
  const counts = { stored: 0, unchanged: 0, deactivated: 0, skipped: 0 }
  const store = () => {
    for (const [id, version] of sent) {
      const item = model.items.get(id)
      const same = item?.active === true && item.version === version
      counts[same ? "unchanged" : "stored"]++
      model.items.set(id, { version, active: true })
    }
  }
  const deactivateBut = (kept: ReadonlyMap<string, unknown>) => {
    for (const [id, item] of model.items) {
      if (!item.active || kept.has(id)) continue
      item.active = false
      counts.deactivated++
    }
  }
  if (fetch === "complete") {
    model.state = "complete"
    store()
    deactivateBut(sent)
  } else if (fetch === "empty") {
    model.state = "empty"
    deactivateBut(new Map())
  } else if (fetch === "partial" && (before === "unknown" || before === "empty")) {
    model.state = "partial"
    store()
  } else {
    counts.skipped = sent.size
    if (before === "complete") model.state = "stale"
  }
  return { before, after: model.state, ...counts }
}

const fetches = ["complete", "empty", "partial", "unavailable"] as const

const ids = ["a", "b", "c"]

const randomStep = (random: () => number): Step => {
  const fetch = fetches[Math.floor(random() * fetches.length)]!
  const sent = takesResources(fetch)
    ? ids.filter(() => random() < 0.6).map((id) => [id, 1 + Math.floor(random() * 2)] as const)
    : []
  return { fetch, sent: new Map(sent) }
}

describe("10,000 random sequences of fetches", () => {
  test("change the state of a type like the specification's table", () => {
    const seed = randomInt(2 ** 31)
    const random = seededRandom(seed)
    for (let sequence = 0; sequence < 10_000; sequence++) {
      const model: Model = { state: "unknown", items: new Map() }
      let state: SyncState = "unknown"
      for (let length = Math.floor(random() * 12); length >= 0; length--) {
        const step = randomStep(random)
        const { after, deactivated, stored } = apply(model, step)
        const { action, state: next } = transition(state, step.fetch)
        assert.strictEqual(next, after, `seed ${seed}, sequence ${sequence}`)
        if (action === "skip" || action === "nothing") assert.strictEqual(stored + deactivated, 0, `seed ${seed}`)
        state = next
      }
    }
  })

  test("end over HTTP with the counts, states and items of the specification's table", async () => {
    const seed = randomInt(2 ** 31)
    const random = seededRandom(seed)
    // The types of one veteran are separate sequences: each sync takes a step in most of them.
    const types = Array.from({ length: 200 }, (_, n) => `Type${String.fromCharCode(65 + n / 26, 65 + n % 26)}`)
    const runVeteran = async (registered: { readonly id: string; readonly vaPatientId: string }) => {
      const veteran = await signIn(service, registered)
      const models = new Map(types.map((type): [string, Model] => [type, { state: "unknown", items: new Map() }]))
      for (let step = 0; step < 6; step++) {
        const steps = types.filter(() => random() < 0.9).map((type) => [type, randomStep(random)] as const)
        const answer = await sync(
          service,
          veteran,
          Object.fromEntries(steps.map(([type, { fetch }]) => [type, fetch])),
          Object.fromEntries(
            steps.map(([type, { sent }]) => [type, [...sent].map(([id, version]) => resource(type, id, { version }))])
          )
        )
        const expected = Object.fromEntries(steps.map(([type, taken]) => [type, apply(models.get(type)!, taken)]))
        assert.deepStrictEqual(answer.json.results, expected, `seed ${seed}`)
      }
      const { items, manifest } = await readRecord(service, veteran, { includeInactive: "true", limit: "200" })
      const expected = [...models].flatMap(([type, model]) =>
        [...model.items].sort().map(([id, { active, version }]) =>
          `${type} ${active} ${resource(type, id, { version })}`
        )
      )
      assert.deepStrictEqual(
        items.map(({ active, resourceType, text }) => `${resourceType} ${active} ${text}`),
        expected,
        `seed ${seed}`
      )
      for (const [type, { items, state }] of models) {
        assert.strictEqual(manifest[type]?.state ?? "unknown", state, `seed ${seed}, ${type}`)
        const active = [...items.values()].filter((item) => item.active).length
        assert.strictEqual(manifest[type]?.itemCount ?? 0, active, `seed ${seed}, ${type}`)
      }
    }
    const veterans = [...await registerVeterans(owner, 10_000 / types.length)]
    // The sequences run one after the other, so that the seed alone decides what is sent.
    while (veterans.length > 0) await runVeteran(veterans.pop()!)
  })
})
