import { randomInt } from "node:crypto"
import type pg from "pg"
import { assert } from "vitest"
import type { FetchStatus, SyncState } from "../../../src/domain/SyncState.ts"
import { registerVeterans, signIn } from "../../support/Client.ts"
import { seededRandom } from "../../support/Random.ts"
import type { Service } from "../../support/Service.ts"
import { readRecord, resource, sync } from "../../support/Sync.ts"

type Item = { version: number; active: boolean }

/** A model of one type of one veteran. It follows the specification's table. */
export interface Model {
  state: SyncState
  readonly items: Map<string, Item>
}

interface Step {
  readonly fetch: FetchStatus
  /** The version of each item that is sent, by its FHIR id. */
  readonly sent: ReadonlyMap<string, number>
}

/**
 * Follows the specification's table in "States and transitions" row by row. Where that table says "may", it follows the
 * contract's table.
 */
export const apply = (model: Model, { fetch, sent }: Step) => {
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

export const takesResources = (fetch: FetchStatus) => fetch === "complete" || fetch === "partial"

/** Synchronises random sequences, 200 for each veteran, and compares each answer and each record with the model. */
export const runSequences = async (service: Service, owner: pg.Client, sequences: number) => {
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
      [...model.items].sort().map(([id, { active, version }]) => `${type} ${active} ${resource(type, id, { version })}`)
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
  const veterans = [...await registerVeterans(owner, sequences / types.length)]
  // The veterans come one after the other, so that the seed alone decides what is sent.
  while (veterans.length > 0) await runVeteran(veterans.pop()!)
}
