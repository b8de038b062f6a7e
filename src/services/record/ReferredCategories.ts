import { Effect } from "effect"
import type { VeteranId } from "../../domain/Id.ts"
import { SensitiveCategory } from "../../domain/SensitiveCategory.ts"
import * as ClassifiedItemRepository from "../../sql/record/ClassifiedItemRepository.ts"
import { namesOf } from "./References.ts"

/** A resource about to be stored. */
interface Stored {
  readonly resourceType: string
  readonly fhirId: string
  readonly sensitiveCategories: ReadonlyArray<SensitiveCategory>
  readonly references: ReadonlySet<string>
}

type KeyedHash = (...parts: ReadonlyArray<string>) => Buffer

/** So many hashes are made, or references followed, before other requests get their turn. */
const turn = 1000

/**
 * Whatever refers to a classified item of the same record tells of it, and is classified with it (38 U.S.C. 7332), also when
 * the other one came in another sync, or is inactive. One sync follows the references once, and only where a classified item
 * is concerned: where none was written, replaced or referred to, nobody's categories change.
 */
export const make = (hash: KeyedHash) =>
  Effect.fnUntraced(function*(veteranId: VeteranId) {
    const classified = yield* ClassifiedItemRepository.list(veteranId)
    const names = new Set(classified.flatMap(({ fhirId, resourceType }) => namesOf(resourceType, fhirId)))
    const hashes = new Map<string, bigint>()
    let concerned = false
    let work = 0

    /** Counts a step of work, and tells whether it was the turn's last. */
    const endsTurn = () => ++work % turn === 0

    const hashOf = (name: string): bigint => {
      const known = hashes.get(name)
      if (known !== undefined) return known
      const made = hash(veteranId, name).readBigInt64BE()
      if (hashes.size >= 10_000) hashes.clear()
      hashes.set(name, made)
      return made
    }

    /** Answers the hashes of what an item refers to, in an order that tells nothing. */
    const refersTo = Effect.fnUntraced(function*({ fhirId, references, resourceType, sensitiveCategories }: Stored) {
      concerned ||= sensitiveCategories.length > 0 || names.has(`${resourceType}/${fhirId}`) ||
        !names.isDisjointFrom(references)
      const found: Array<bigint> = []
      for (const name of references) {
        found.push(hashOf(name))
        if (endsTurn()) yield* Effect.yieldNow
      }
      return BigInt64Array.from(found).sort()
    })

    /** Gives each item its own categories and those of all that it refers to; for the end of the sync. */
    const settle = Effect.gen(function*() {
      if (!concerned) return
      const before = yield* ClassifiedItemRepository.list(veteranId)
      const found = new Map<string, number>()
      const pending: Array<string> = []
      const add = (item: string, categories: number) => {
        const had = found.get(item) ?? 0
        if ((had | categories) === had) return
        found.set(item, had | categories)
        pending.push(item)
      }
      for (const { fhirId, ownCategories, resourceType } of before) {
        add(`${resourceType}/${fhirId}`, toSet(ownCategories))
      }
      if (pending.length > 0) {
        const referring = referrers(yield* ClassifiedItemRepository.references(veteranId))
        while (pending.length > 0) {
          const item = pending.pop()!
          const categories = found.get(item)!
          const [resourceType, fhirId] = split(item)
          for (const name of namesOf(resourceType, fhirId)) {
            for (const source of referring(hashOf(name))) {
              add(source, categories)
              if (endsTurn()) yield* Effect.yieldNow
            }
          }
        }
      }
      const stored = new Map(before.map((item): [string, number] => [
        `${item.resourceType}/${item.fhirId}`,
        toSet(item.sensitiveCategories)
      ]))
      const changed = [...new Set([...stored.keys(), ...found.keys()])].flatMap((item) => {
        const categories = found.get(item) ?? 0
        if (categories === (stored.get(item) ?? 0)) return []
        const [resourceType, fhirId] = split(item)
        return [{ resourceType, fhirId, categories: fromSet(categories) }]
      })
      yield* ClassifiedItemRepository.reclassify(veteranId, changed)
    })

    return { refersTo, settle }
  })

const split = (item: string) => item.split("/") as [resourceType: string, fhirId: string]

const toSet = (categories: ReadonlyArray<SensitiveCategory>) =>
  categories.reduce((set, category) => set | 1 << SensitiveCategory.literals.indexOf(category), 0)

const fromSet = (set: number) => SensitiveCategory.literals.filter((_, bit) => set >> bit & 1)

/** Finds who refers to what has a hash, by halves: the hashes are in order. */
const referrers = (graph: { readonly items: string; readonly targets: Uint8Array; readonly sources: Uint8Array }) => {
  const items = graph.items.split(" ")
  const targets = viewOf(graph.targets)
  const sources = viewOf(graph.sources)
  const count = targets.byteLength / 8
  return function*(hash: bigint) {
    let [from, to] = [0, count]
    while (from < to) {
      const middle = (from + to) >>> 1
      if (targets.getBigInt64(middle * 8) < hash) from = middle + 1
      else to = middle
    }
    for (let at = from; at < count && targets.getBigInt64(at * 8) === hash; at++) yield items[sources.getInt32(at * 4)]!
  }
}

const viewOf = ({ buffer, byteLength, byteOffset }: Uint8Array) => new DataView(buffer, byteOffset, byteLength)
