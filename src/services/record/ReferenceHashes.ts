import type { KeyObject } from "node:crypto"
import { namesOf } from "../../domain/FhirReference.ts"
import type { VeteranId } from "../../domain/Id.ts"
import type { SensitiveCategory } from "../../domain/SensitiveCategory.ts"
import { hashUnder } from "../platform/Envelope.ts"

interface Item {
  readonly resourceType: string
  readonly fhirId: string
}

interface SentItem extends Item {
  readonly sensitiveCategories: ReadonlyArray<SensitiveCategory>
  readonly references: ReadonlySet<string>
}

/** Limit of the cache, which saves most hashing: the items of a record mostly refer to the same few items. */
const maxKept = 10_000

/** Hashes the names by which resources refer to a veteran's items. */
export const referenceHash = (key: KeyObject, veteranId: VeteranId) => {
  const hashes = new Map<string, bigint>()
  return (name: string): bigint => {
    const known = hashes.get(name)
    if (known !== undefined) return known
    const made = hashUnder(key, veteranId, name).readBigInt64BE()
    if (hashes.size >= maxKept) hashes.clear()
    hashes.set(name, made)
    return made
  }
}

/** Hashes the references of a sync's resources, and notes whether a resource or its target is classified. */
export class ReferenceHashes {
  /** Whether a classified item was written, replaced or referred to. If not, no item's categories change. */
  concerned = false
  private readonly names: ReadonlySet<string>
  private readonly hashOf: (name: string) => bigint

  /** `classified` are the stored items with categories. */
  constructor(key: KeyObject, veteranId: VeteranId, classified: ReadonlyArray<Item>) {
    this.names = new Set(classified.flatMap(({ fhirId, resourceType }) => namesOf(resourceType, fhirId)))
    this.hashOf = referenceHash(key, veteranId)
  }

  /** Returns the hashes of a resource's references, comma-separated and sorted so that the order reveals nothing. */
  of({ fhirId, references, resourceType, sensitiveCategories }: SentItem): string {
    this.concerned ||= sensitiveCategories.length > 0 || this.names.has(`${resourceType}/${fhirId}`) ||
      !this.names.isDisjointFrom(references)
    return BigInt64Array.from(references, this.hashOf).sort().join(",")
  }
}
