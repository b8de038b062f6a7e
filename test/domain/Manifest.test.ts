import { assert, describe, it, test } from "@effect/vitest"
import { Effect, Schema } from "effect"
import {
  alerts,
  FetchStatus,
  type Manifest,
  type ManifestEntry,
  SyncState,
  transition
} from "../../src/domain/Manifest.ts"

/** This is the contract's table (part 5), cell by cell. */
const table = [
  ["unknown", "complete", "complete", "replace"],
  ["unknown", "empty", "empty", "deactivateAll"],
  ["unknown", "partial", "partial", "store"],
  ["unknown", "unavailable", "unknown", "nothing"],
  ["empty", "complete", "complete", "replace"],
  ["empty", "empty", "empty", "deactivateAll"],
  ["empty", "partial", "partial", "store"],
  ["empty", "unavailable", "empty", "nothing"],
  ["partial", "complete", "complete", "replace"],
  ["partial", "empty", "empty", "deactivateAll"],
  ["partial", "partial", "partial", "skip"],
  ["partial", "unavailable", "partial", "nothing"],
  ["complete", "complete", "complete", "replace"],
  ["complete", "empty", "empty", "deactivateAll"],
  ["complete", "partial", "stale", "skip"],
  ["complete", "unavailable", "stale", "nothing"],
  ["stale", "complete", "complete", "replace"],
  ["stale", "empty", "empty", "deactivateAll"],
  ["stale", "partial", "stale", "skip"],
  ["stale", "unavailable", "stale", "nothing"]
] as const

describe("transition", () => {
  test.each(table)(
    "of a stored %s by a fetch that is %s leads to %s and the action %s",
    (before, lastFetch, state, action) => {
      assert.deepStrictEqual(transition(before, lastFetch), { state, action })
    }
  )

  const runs = { arbitrary: { runs: 500 } }
  const Fetches = Schema.Array(FetchStatus)
  const after = (before: SyncState, fetches: ReadonlyArray<FetchStatus>) =>
    fetches.reduce((state, fetch) => transition(state, fetch).state, before)

  it.effect.prop(
    "is defined for every state and status",
    { before: SyncState, fetch: FetchStatus },
    ({ before, fetch }) =>
      Effect.sync(() => {
        const { action, state } = transition(before, fetch)
        assert.isTrue(Schema.is(SyncState)(state))
        assert.include(["replace", "deactivateAll", "store", "skip", "nothing"], action)
      }),
    runs
  )

  it.effect.prop(
    "after a complete or an empty fetch does not depend on what came before",
    {
      before: SyncState,
      other: SyncState,
      earlier: Fetches,
      fetch: Schema.Literals(["complete", "empty"]),
      later: Fetches
    },
    ({ before, earlier, fetch, later, other }) =>
      Effect.sync(() => {
        assert.deepStrictEqual(transition(before, fetch), transition(other, fetch))
        assert.strictEqual(after(before, [...earlier, fetch, ...later]), after(other, [fetch, ...later]))
      }),
    runs
  )

  it.effect.prop(
    "is idempotent for each fetch",
    { before: SyncState, fetch: FetchStatus },
    ({ before, fetch }) => Effect.sync(() => assert.strictEqual(after(before, [fetch, fetch]), after(before, [fetch]))),
    runs
  )

  it.effect.prop(
    "never loses knowledge by a partial or unavailable fetch",
    { before: SyncState, fetches: Schema.Array(Schema.Literals(["partial", "unavailable"])) },
    ({ before, fetches }) =>
      Effect.sync(() => {
        const knowledge = { unknown: 0, empty: 0, partial: 1, stale: 2, complete: 2 }
        assert.isAtLeast(knowledge[after(before, fetches)], knowledge[before])
      }),
    runs
  )

  it.effect.prop(
    "reaches stale only from complete or stale",
    { before: SyncState, fetch: FetchStatus },
    ({ before, fetch }) =>
      Effect.sync(() => {
        if (transition(before, fetch).state === "stale") assert.include(["complete", "stale"], before)
      }),
    runs
  )

  it.effect.prop(
    "leaves the items alone whenever the state is stale",
    { before: SyncState, fetch: FetchStatus },
    ({ before, fetch }) =>
      Effect.sync(() => {
        const { action, state } = transition(before, fetch)
        if (state === "stale") assert.include(["skip", "nothing"], action)
      }),
    runs
  )
})

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
  )("a stored '%s' whose last fetch was '%s' raises %s", (state, lastFetch, code) => {
    assert.deepStrictEqual(codes({ Condition: entry(state, lastFetch) }), [["Condition", code]])
  })

  test.each([["complete", "complete"], ["empty", "empty"], ["unknown", "unavailable"]] as const)(
    "a stored '%s' whose last fetch was '%s' raises none",
    (state, lastFetch) => assert.deepStrictEqual(codes({ Condition: entry(state, lastFetch) }), [])
  )

  test("come at most one for each type, ordered by type, with the time of the last complete sync", () => {
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
