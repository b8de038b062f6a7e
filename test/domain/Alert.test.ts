import { assert, describe, test } from "vitest"
import { alerts } from "../../src/domain/Alert.ts"
import type { Manifest, ManifestEntry } from "../../src/domain/Manifest.ts"
import type { FetchStatus, SyncState } from "../../src/domain/SyncState.ts"

const moment = new Date("2026-11-21T10:00:00Z")

const entry = (state: SyncState, lastFetch: FetchStatus, changes: Partial<ManifestEntry> = {}): ManifestEntry => ({
  state,
  lastFetch,
  lastFetchAt: moment,
  lastCompleteAt: null,
  itemCount: 1,
  ...changes
})

describe("alerts", () => {
  const codes = (manifest: Manifest) => alerts(manifest).map(({ code, resourceType }) => [resourceType, code])

  test.each(
    [
      ["partial", "partial", "record_incomplete"],
      ["partial", "unavailable", "record_incomplete"],
      ["stale", "partial", "record_stale"],
      ["stale", "unavailable", "record_stale"],
      ["complete", "partial", "last_fetch_incomplete"],
      ["complete", "unavailable", "last_fetch_incomplete"],
      ["empty", "partial", "last_fetch_incomplete"],
      ["empty", "unavailable", "last_fetch_incomplete"]
    ] as const
  )("a type stored as '%s' whose last fetch was '%s' raises %s", (state, lastFetch, code) => {
    assert.deepStrictEqual(codes({ Condition: entry(state, lastFetch) }), [["Condition", code]])
  })

  test.each([["complete", "complete"], ["empty", "empty"], ["unknown", "unavailable"]] as const)(
    "a type stored as '%s' whose last fetch was '%s' raises no alert",
    (state, lastFetch) => assert.deepStrictEqual(codes({ Condition: entry(state, lastFetch) }), [])
  )

  test("are at most one for each type, ordered by type, with the time of the last complete sync", () => {
    const found = alerts({
      Procedure: entry("stale", "partial", { lastCompleteAt: moment }),
      Immunization: entry("complete", "complete"),
      Condition: entry("partial", "partial")
    })
    assert.deepStrictEqual(found, [
      {
        resourceType: "Condition",
        code: "record_incomplete",
        message: "Condition: the record is incomplete because some upstream data could not be loaded.",
        lastCompleteAt: null
      },
      {
        resourceType: "Procedure",
        code: "record_stale",
        message: "Procedure: the data shown comes from the last complete sync; the most recent fetch was incomplete.",
        lastCompleteAt: moment
      }
    ])
  })
})
