import { hash, type KeyObject } from "node:crypto"
import type { VeteranId } from "../../domain/Id.ts"
import { digestedText } from "../../domain/TypeDigest.ts"
import { hashUnder } from "../platform/Envelope.ts"
import { referencesVersion } from "./References.ts"
import { codeSetVersion } from "./SensitiveCodes.ts"
import type { SentResource, SyncRequest } from "./SyncRequest.ts"

/**
 * The hashes of what a sync sent. Each resource's bytes are hashed once, when it is first asked for, and everything else is made
 * of that: a pass over 6 MB for the lists and another for the digests would cost a first sync 5 ms each, of 100.
 *
 * The keyed ones are bound to veteran and type, and to how resources are classified: newer code sets know no hash again, and
 * every item is written again.
 */
export class SentHashes {
  private readonly request: SyncRequest
  private readonly macKey: KeyObject
  private readonly veteranId: VeteranId
  private readonly sha256s: Array<string | undefined>

  constructor(request: SyncRequest, macKey: KeyObject, veteranId: VeteranId) {
    this.request = request
    this.macKey = macKey
    this.veteranId = veteranId
    this.sha256s = new Array(request.slices.length)
  }

  /** Answers the hash that an item with this exact text has in the database. */
  contentMac(resourceType: string, index: number): Buffer {
    return hashUnder(this.macKey, this.place(resourceType), this.sha256(index))
  }

  /** Answers the keyed hash of a type's resources in the order in which they came. */
  listMac(resourceType: string): string {
    const { count, first } = this.request.resources.get(resourceType) ?? { count: 0, first: 0 }
    let list = ""
    for (let index = first; index < first + count; index++) list += this.sha256(index)
    return hashUnder(this.macKey, "list", this.place(resourceType), list).toString("base64")
  }

  /** Answers the keyed hash of a type's digest. */
  digestMac(resourceType: string, digest: string): string {
    return hashUnder(this.macKey, "digest", this.place(resourceType), digest).toString("base64")
  }

  /** Answers the digest by which a conditional sync may name these. */
  digest(resources: ReadonlyArray<SentResource<unknown>>): string {
    const text = digestedText(resources.map(({ fhirId, index }) => ({ fhirId, sha256: this.sha256(index) })))
    return hash("sha256", text, "hex")
  }

  private sha256(index: number): string {
    const { bytes, slices } = this.request
    const { end, start } = slices[index]!
    return this.sha256s[index] ??= hash("sha256", bytes.subarray(start, end), "hex")
  }

  private place(resourceType: string) {
    return `${codeSetVersion}|${referencesVersion}|${this.veteranId}|${resourceType}`
  }
}
