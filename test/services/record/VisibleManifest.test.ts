import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { alerts } from "../../../src/domain/Alert.ts"
import type { Manifest, ManifestEntry } from "../../../src/domain/Manifest.ts"
import { FetchStatus, type SyncState, transition } from "../../../src/domain/SyncState.ts"
import { visibleManifest } from "../../../src/services/record/VisibleManifest.ts"

// 38 U.S.C. 7332(a)(2): a provider's view must not reveal that something is withheld.

const Items = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3 })))

const Sync = Schema.Struct({ fetch: FetchStatus, withheld: Items, shown: Items })

type Sync = typeof Sync.Type

const Syncs = Schema.Array(Sync).check(Schema.isMinLength(1), Schema.isMaxLength(8))

/** Models one resource type. Returns its manifest entry and its shown active items after the syncs. */
const after = (syncs: ReadonlyArray<Sync>): { readonly entry: ManifestEntry; readonly shown: ReadonlySet<number> } => {
  let entry: ManifestEntry | undefined
  let active = new Set<string>()
  for (const [time, { fetch, shown, withheld }] of syncs.entries()) {
    const { action, state } = transition(entry?.state ?? "unknown", fetch)
    const sent = [...shown.map((item) => `shown ${item}`), ...withheld.map((item) => `withheld ${item}`)]
    if (action === "replace" || action === "deactivateAll") active = new Set()
    if (action === "replace" || action === "store") active = active.union(new Set(sent))
    const lastCompleteAt = fetch === "complete" ? new Date(time) : entry?.lastCompleteAt ?? null
    entry = { state, lastFetch: fetch, lastFetchAt: new Date(time), lastCompleteAt, itemCount: active.size }
  }
  return {
    entry: entry!,
    shown: new Set([...active].filter((item) => item.startsWith("shown")).map((item) => Number(item.slice(6))))
  }
}

/** Returns everything that the record view and the list of patients show of the type. */
const look = (syncs: ReadonlyArray<Sync>) => {
  const { entry, shown } = after(syncs)
  const manifest: Manifest = { Condition: entry }
  const visible = visibleManifest(manifest, new Map(shown.size > 0 ? [["Condition", shown.size]] : []))
  const { itemCount, lastCompleteAt, lastFetch, state } = visible["Condition"]!
  return {
    state,
    lastFetch,
    lastCompleteAt,
    itemCount,
    items: [...shown].sort(),
    alerts: alerts(visible),
    alertCount: alerts(manifest).length
  }
}

const withoutWithheld = (syncs: ReadonlyArray<Sync>) => syncs.map((sync) => ({ ...sync, withheld: [] }))

/** The syncs without withheld items, from a client that reports a type without items as empty, never as complete. */
const toldEmpty = (syncs: ReadonlyArray<Sync>) =>
  withoutWithheld(syncs).map((sync): Sync =>
    sync.fetch === "complete" && sync.shown.length === 0 ? { ...sync, fetch: "empty" } : sync
  )

describe("A type with withheld items", () => {
  it.effect.prop(
    "looks like a type that never had those items",
    { syncs: Syncs },
    ({ syncs }) => assertEqual(look(syncs), look(withoutWithheld(syncs))),
    { arbitrary: { runs: 1000 } }
  )

  it.effect.prop(
    "looks like a type that a client without those items reports as empty, unless a sync was partial",
    { syncs: Syncs },
    ({ syncs }) => {
      const whole = syncs.map((sync): Sync => sync.fetch === "partial" ? { ...sync, fetch: "unavailable" } : sync)
      return assertEqual(look(whole), look(toldEmpty(whole)))
    },
    { arbitrary: { runs: 1000 } }
  )

  it.effect.prop("has as many alerts in the list of patients as in the record", { syncs: Syncs }, ({ syncs }) => {
    const { alertCount, alerts } = look(syncs)
    return assertEqual(alertCount, alerts.length)
  }, { arbitrary: { runs: 1000 } })

  it.effect.prop("keeps its state and its dates if any of its items are shown", { syncs: Syncs }, ({ syncs }) => {
    const { entry, shown } = after(syncs)
    const visible = visibleManifest({ Condition: entry }, new Map([["Condition", Math.max(shown.size, 1)]]))
    return assertEqual(visible, { Condition: { ...entry, itemCount: Math.max(shown.size, 1) } })
  })
})

const assertEqual = (actual: unknown, expected: unknown) => Effect.sync(() => assert.deepStrictEqual(actual, expected))

describe("A provider who looks again and again", () => {
  const fetches: ReadonlyArray<Sync> = [
    ...(["complete", "partial"] as const).flatMap((fetch) =>
      [[[], []], [[1], []], [[], [1]], [[1], [1]]].map(([withheld = [], shown = []]) => ({ fetch, withheld, shown }))
    ),
    { fetch: "empty", withheld: [], shown: [] },
    { fetch: "unavailable", withheld: [], shown: [] }
  ]
  const sequences = (length: number): ReadonlyArray<ReadonlyArray<Sync>> =>
    length === 0 ? [[]] : sequences(length - 1).flatMap((syncs) => fetches.map((sync) => [...syncs, sync]))
  /** Replaces each date by the same text, because only its presence matters here. The other tests compare the dates. */
  const seen = (syncs: ReadonlyArray<Sync>) => JSON.stringify(look(syncs)).replaceAll(/"\d{4}-[^"]*Z"/g, "\"a date\"")

  // A provider may compare two views with syncs in between. Each such pair of views must also be possible for a record
  // without withheld items, whose client reports a type without items as empty. These syncs include partial ones, which
  // a test above leaves out.
  it("sees no two views that a record without withheld items could not show", () => {
    const [all, ordinary] = [new Map<string, string>(), new Set<string>()]
    for (const syncs of [1, 2, 3, 4].flatMap(sequences)) {
      const names = syncs.map((_, n) => seen(syncs.slice(0, n + 1)))
      const isOrdinary = JSON.stringify(toldEmpty(syncs)) === JSON.stringify(syncs)
      for (const earlier of names) {
        const pair = `${earlier}, then ${names.at(-1)}`
        all.set(pair, syncs.map(({ fetch, shown, withheld }) => `${fetch} ${shown}/${withheld}`).join())
        if (isOrdinary) ordinary.add(pair)
      }
    }
    assert.isAbove(all.size, 50)
    assert.deepStrictEqual([...all].filter(([pair]) => !ordinary.has(pair)), [])
  })
})

describe("visibleManifest", () => {
  const moment = new Date("2026-11-21T10:00:00Z")
  const entry = (state: SyncState, lastFetch: FetchStatus, changes: Partial<ManifestEntry> = {}): ManifestEntry => ({
    state,
    lastFetch,
    lastFetchAt: moment,
    lastCompleteAt: null,
    itemCount: 1,
    ...changes
  })

  it("shows a type whose items are all withheld as a type without items (38 U.S.C. 7332(a)(2))", () => {
    for (const later of ["partial", "unavailable"] as const) {
      const withheld = (state: SyncState, lastFetch: FetchStatus) =>
        visibleManifest({ Condition: entry(state, lastFetch, { lastCompleteAt: moment, itemCount: 3 }) }, new Map())
      const none = (state: SyncState, lastFetch: FetchStatus) => ({
        Condition: entry(state, lastFetch, { itemCount: 0 })
      })
      assert.deepStrictEqual(withheld("complete", "complete"), none("empty", "empty"))
      // The type must look like one that was reported as empty and then had the same later fetch.
      const { state } = transition("empty", later)
      assert.deepStrictEqual(withheld("stale", later), none(state, later))
    }
  })
})
