import { Effect } from "effect"
import { namesOf } from "../../domain/FhirReference.ts"
import type { VeteranId } from "../../domain/Id.ts"
import type { SensitiveCategory } from "../../domain/SensitiveCategory.ts"
import * as ClassifiedItemRepository from "../../sql/record/ClassifiedItemRepository.ts"
import { categoriesOf, categoryBit } from "./SensitiveTables.ts"

/** Number of references that are followed before other requests get their turn. */
const turn = 1000

/**
 * An item that refers to a classified item reveals it, so it gets the same categories (38 U.S.C. 7332). This also holds
 * if the classified item came in another sync, is inactive, or was removed. This function runs at the end of a sync
 * that concerns a classified item (ReferenceHashes.ts). It gives each item its own categories and those of all items
 * that it refers to.
 */
export const settle = Effect.fnUntraced(function*(
  veteranId: VeteranId,
  hashOf: (name: string) => bigint,
  /** The sync's time. */
  moment: Date
) {
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
    let followed = 0
    while (pending.length > 0) {
      const item = pending.pop()!
      const categories = found.get(item)!
      const [resourceType, fhirId] = split(item)
      for (const name of namesOf(resourceType, fhirId)) {
        for (const source of referring(hashOf(name))) {
          add(source, categories)
          if (++followed % turn === 0) yield* Effect.yieldNow
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
    return [{ resourceType, fhirId, categories: categoriesOf(categories) }]
  })
  yield* ClassifiedItemRepository.reclassify(veteranId, changed, moment)
})

const split = (item: string) => item.split("/") as [resourceType: string, fhirId: string]

const toSet = (categories: ReadonlyArray<SensitiveCategory>) =>
  categories.reduce((set, category) => set | categoryBit(category), 0)

/** Finds the items that refer to the item with a given hash. The hashes are sorted, so a binary search finds them. */
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
