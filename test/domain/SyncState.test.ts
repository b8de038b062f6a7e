import { assert, describe, it, test } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { FetchStatus, SyncState, transition } from "../../src/domain/SyncState.ts"

/** The contract's table (part 5): for each state before and each fetch status, the new state and the action. */
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
    "turns a stored %s and a fetch that is %s into %s, with the action %s",
    (before, lastFetch, state, action) => {
      assert.deepStrictEqual(transition(before, lastFetch), { state, action })
    }
  )

  const runs = { arbitrary: { runs: 500 } }
  const Fetches = Schema.Array(FetchStatus)
  const after = (before: SyncState, fetches: ReadonlyArray<FetchStatus>) =>
    fetches.reduce((state, fetch) => transition(state, fetch).state, before)

  it.effect.prop(
    "has a result for every state and status",
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
    "gives a result that does not depend on the state before, if the fetch is complete or empty",
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
    "never discards knowledge because of a partial or unavailable fetch",
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
    "leaves the items unchanged if the new state is stale",
    { before: SyncState, fetch: FetchStatus },
    ({ before, fetch }) =>
      Effect.sync(() => {
        const { action, state } = transition(before, fetch)
        if (state === "stale") assert.include(["skip", "nothing"], action)
      }),
    runs
  )
})
