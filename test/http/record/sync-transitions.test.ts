import { assert, describe, test } from "vitest"
import type { FetchStatus, SyncState } from "../../../src/domain/SyncState.ts"
import { openApp } from "../../support/App.ts"
import { call, registerVeterans, signIn } from "../../support/Client.ts"
import { readRecord, resource, storedRows, sync } from "../../support/Sync.ts"
import { runSequences, takesResources } from "./SyncModel.ts"

const { database, service } = await openApp()

const owner = await database.connect("owner")

const superuser = await database.connect("superuser")

const condition = (id: string, version = 1) => resource("Condition", id, { version })

const first = [condition("a"), condition("b"), condition("c")]

/** Item `a` is unchanged, `b` is changed, `c` is missing and `d` is new. */
const second = [condition("a"), condition("b", 2), condition("d")]

/**
 * Syncs that lead to each stored state. Then the items of `first` are inactive in `empty`, and active in `partial`,
 * `complete` and `stale`.
 */
const ways: Record<SyncState, ReadonlyArray<FetchStatus>> = {
  unknown: [],
  empty: ["complete", "empty"],
  partial: ["partial"],
  complete: ["complete"],
  stale: ["complete", "unavailable"]
}

/**
 * The rows of the contract's table (part 5). Each has the state before, the fetch status and the state after. Then come
 * the counts (stored, unchanged, deactivated, skipped), the active items and the inactive items.
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

test("200 random sequences of fetches end over HTTP with the counts, states and items of the specification's table", () =>
  runSequences(service, owner, 200))
