import { hash, type KeyObject } from "node:crypto"
import type { VeteranId } from "../../domain/Id.ts"
import { digestedText } from "../../domain/TypeDigest.ts"
import { hashUnder } from "../platform/Envelope.ts"
import { referencesVersion } from "./References.ts"
import { codeSetVersion } from "./SensitiveCodes.ts"
import type { SentResource, SyncRequest } from "./SyncRequest.ts"

/**
 * The hashes of a sync's resources. The bytes of each resource are hashed once, at first use, and all other hashes are
 * made from that hash. Two more passes over 6 MB, for the lists and the digests, would add 5 ms each to a first sync of
 * 100 ms.
 *
 * Keyed hashes depend on the veteran, the type and the classification's version. After an update of the code sets no
 * hash matches, so every item is classified and written again.
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

  /** Returns the `content_mac` of an item with this exact text. */
  contentMac(resourceType: string, index: number): Buffer {
    return hashUnder(this.macKey, this.place(resourceType), this.sha256(index))
  }

  /** Returns the keyed hash of a type's resources in their order. */
  listMac(resourceType: string): string {
    const { count, first } = this.request.resources.get(resourceType) ?? { count: 0, first: 0 }
    let list = ""
    for (let index = first; index < first + count; index++) list += this.sha256(index)
    return hashUnder(this.macKey, "list", this.place(resourceType), list).toString("base64")
  }

  digestMac(resourceType: string, digest: string): string {
    return hashUnder(this.macKey, "digest", this.place(resourceType), digest).toString("base64")
  }

  /** Returns the digest that a conditional sync may send for these resources. */
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
