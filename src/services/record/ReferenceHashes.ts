import type { KeyObject } from "node:crypto"
import { namesOf } from "../../domain/FhirReference.ts"
import type { VeteranId } from "../../domain/Id.ts"
import type { SensitiveCategory } from "../../domain/SensitiveCategory.ts"
import { hashUnder } from "../platform/Envelope.ts"

interface Item {
  readonly resourceType: string
  readonly fhirId: string
}

/** A resource about to be stored. */
interface Sent extends Item {
  readonly sensitiveCategories: ReadonlyArray<SensitiveCategory>
  readonly references: ReadonlySet<string>
}

/** So many hashes are kept, for most items of a record refer to the same few. */
const maxKept = 10_000

/** Hashes the names by which a veteran's items are referred to. */
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

/** Hashes what the resources of a sync refer to, and notices whether a classified item is concerned. */
export class ReferenceHashes {
  /** False where none was written, replaced or referred to: then nobody's categories change. */
  concerned = false
  private readonly names: ReadonlySet<string>
  private readonly hashOf: (name: string) => bigint

  /** `classified` are the stored items that belong to a category. */
  constructor(key: KeyObject, veteranId: VeteranId, classified: ReadonlyArray<Item>) {
    this.names = new Set(classified.flatMap(({ fhirId, resourceType }) => namesOf(resourceType, fhirId)))
    this.hashOf = referenceHash(key, veteranId)
  }

  /** Answers the hashes of what a resource refers to, with commas between, in an order that tells nothing. */
  of({ fhirId, references, resourceType, sensitiveCategories }: Sent): string {
    this.concerned ||= sensitiveCategories.length > 0 || this.names.has(`${resourceType}/${fhirId}`) ||
      !this.names.isDisjointFrom(references)
    return BigInt64Array.from(references, this.hashOf).sort().join(",")
  }
}
