import type { KeyObject } from "node:crypto"
import { InvalidRequest, SyncRequired } from "../../domain/Errors.ts"
import type { TypeResult } from "../../domain/HealthRecord.ts"
import type { VeteranId } from "../../domain/Id.ts"
import type { Manifest } from "../../domain/Manifest.ts"
import { type ItemAction, transition } from "../../domain/SyncState.ts"
import type { ListHashes, SealedBatch, StoredRow } from "../../sql/record/HealthRecordRepository.ts"
import { sealedPieces, type SealingKey } from "../platform/Envelope.ts"
import { idAt } from "../platform/Ids.ts"
import { placeOf } from "../platform/SealedColumns.ts"
import { ReferenceHashes } from "./ReferenceHashes.ts"
import { SentHashes } from "./SentHashes.ts"
import { type StoredItem, StoredItems } from "./StoredItems.ts"
import { type NewResource, parse, readResources, type SentResource, type SyncRequest } from "./SyncRequest.ts"
import { planType, planUnchanged, storesItems } from "./TypePlan.ts"

/** A sync's body and its veteran's keys: all that another process needs to read the sync. */
export interface SyncBody {
  readonly bytes: Uint8Array
  readonly veteranId: VeteranId
  readonly sealingKey: SealingKey
  readonly macKey: KeyObject
  readonly referenceKey: KeyObject
}

/** The database's next step: store items, change which items are active, or save the manifest at the end. */
export type Step =
  | { readonly store: SealedBatch }
  | { readonly active: boolean; readonly resourceType: string; readonly fhirIds: ReadonlyArray<string> }
  | {
    readonly manifest: Manifest
    readonly hashes: ListHashes
    readonly results: Record<string, TypeResult>
    /** Whether references may change the categories of items (ReferredCategories.ts). */
    readonly concernsClassified: boolean
    readonly unknownSystems: number
  }

interface ItemName {
  readonly resourceType: string
  readonly fhirId: string
}

const writes = (action: ItemAction) => action !== "skip" && action !== "nothing"

/** FHIR has fewer than 200 types. The limit bounds every answer with a manifest. */
const maxTypes = 500

/** Largest number of ids in one statement. */
const maxNamed = 10_000

/**
 * Reads one sync: all work that takes time and needs no database. This is plain code that can run in another process.
 * The owner of the transaction asks it for one step after another. Each method throws `InvalidJson`, `InvalidRequest`
 * or `SyncRequired` if the request is invalid, the constructor `PayloadTooLarge` too. The caller must then roll back.
 */
export class SyncReading {
  private readonly body: SyncBody
  private readonly request: SyncRequest
  private readonly sent: SentHashes
  private manifest: Manifest = {}
  private hashes: ListHashes = {}
  private moment = new Date()
  private actions: ReadonlyMap<string, ItemAction> = new Map()
  /** Types that are unchanged since their last complete sync. */
  private same: ReadonlySet<string> = new Set()
  /** Types that the client wrongly claims to be unchanged. */
  private required: ReadonlyArray<string> = []
  private references: ReferenceHashes | undefined
  private readonly stored = new Map<string, StoredItems>()
  private steps: Iterator<Step> | undefined

  constructor(body: SyncBody) {
    this.body = body
    this.request = parse(body.bytes)
    this.sent = new SentHashes(this.request, body.macKey, body.veteranId)
  }

  /**
   * Begins, or begins again, from this manifest and these hashes. Returns the types whose stored items it needs.
   * Unchanged types are not among them: reading and comparing 3,000 unchanged items is half the cost of their sync.
   */
  begin(manifest: Manifest, hashes: ListHashes, moment: Date): ReadonlyArray<string> {
    this.manifest = manifest
    this.hashes = hashes
    this.moment = moment
    if (Object.keys({ ...manifest, ...Object.fromEntries(this.request.statuses) }).length > maxTypes) {
      throw InvalidRequest.at(["fhirResourceFetchStatuses"], `Expected at most ${maxTypes} types, with those stored`)
    }
    this.stored.clear()
    this.references = undefined
    this.steps = undefined
    const { statuses, unchanged } = this.request
    this.actions = new Map(
      [...statuses].map(([type, lastFetch]) => [type, transition(manifest[type]?.state ?? "unknown", lastFetch).action])
    )
    this.required = [...unchanged].flatMap(([type, digest]) =>
      hashes[type]?.digest === this.sent.digestMac(type, digest) ? [] : [type]
    )
    this.same = new Set([...this.actions].flatMap(([type, action]) => this.isSame(type, action) ? [type] : []))
    if (this.required.length > 0) return []
    return [...this.actions].flatMap(([type, action]) => writes(action) && !this.same.has(type) ? [type] : [])
  }

  private isSame(type: string, action: ItemAction) {
    if (this.request.unchanged.has(type)) return true
    const before = this.hashes[type]
    return action === "replace" && before !== undefined && before.list === this.sent.listMac(type)
  }

  /** Receives the names of all stored items that have categories. */
  recallClassified(items: ReadonlyArray<ItemName>) {
    this.references = new ReferenceHashes(this.body.referenceKey, this.body.veteranId, items)
  }

  recall(row: StoredRow) {
    const items = this.stored.get(row.resourceType) ?? new StoredItems()
    this.stored.set(row.resourceType, items)
    items.add(row)
  }

  step(): Step {
    this.steps ??= this.walk()
    return this.steps.next().value
  }

  private *walk(): Generator<Step> {
    // The ids share one time and have random bits, no counter: gaps would tell a provider how many items are withheld.
    const moment = Date.now()
    const sent: Array<SentResource<StoredItem>> = []
    let unknownSystems = 0
    const recognise = (resourceType: string, index: number) =>
      this.stored.get(resourceType)?.find(this.sent.contentMac(resourceType, index))
    for (const batch of readResources(this.request, recognise, this.same)) {
      // The other batches are still read: an invalid resource is reported before a wrong claim about unchanged types.
      if (this.required.length > 0) continue
      for (const resource of batch.sent) sent.push(resource)
      for (const resource of batch.fresh) unknownSystems += resource.unknownSystems
      const kept = batch.fresh.filter(({ resourceType }) => storesItems(this.actions.get(resourceType)!))
      if (kept.length > 0) yield { store: this.sealBatch(moment, kept) }
    }
    if (this.required.length > 0) throw new SyncRequired({ resourceTypes: this.required })
    const resources = Map.groupBy(sent, ({ resourceType }) => resourceType)
    const plans = [...this.request.statuses].map(([type, lastFetch]) =>
      this.same.has(type)
        ? planUnchanged(type, this.moment, this.manifest[type]!)
        : planType(
          type,
          lastFetch,
          this.moment,
          this.manifest[type],
          this.stored.get(type)?.items ?? [],
          resources.get(type) ?? []
        )
    )
    for (const { deactivate, reactivate, resourceType } of plans) {
      for (const [active, ids] of [[true, reactivate], [false, deactivate]] as const) {
        for (let at = 0; at < ids.length; at += maxNamed) {
          yield { active, resourceType, fhirIds: ids.slice(at, at + maxNamed) }
        }
      }
    }
    yield {
      manifest: {
        ...this.manifest,
        ...Object.fromEntries(plans.map(({ entry, resourceType }) => [resourceType, entry]))
      },
      hashes: this.hashesAfter(resources),
      results: Object.fromEntries(plans.map(({ resourceType, result }) => [resourceType, result])),
      concernsClassified: this.references?.concerned ?? false,
      unknownSystems
    }
  }

  /** A complete sync replaces the hashes of its types. Any other write to a type removes them. */
  private hashesAfter(resources: ReadonlyMap<string, ReadonlyArray<SentResource<unknown>>>): ListHashes {
    const isChanged = (type: string) => writes(this.actions.get(type) ?? "nothing") && !this.same.has(type)
    const kept = Object.entries(this.hashes).filter(([type]) => !isChanged(type))
    const made = [...this.actions].flatMap(([type, action]) => {
      if (action !== "replace" || !isChanged(type)) return []
      const digest = this.sent.digest(resources.get(type) ?? [])
      return [[type, { list: this.sent.listMac(type), digest: this.sent.digestMac(type, digest) }] as const]
    })
    return Object.fromEntries([...kept, ...made])
  }

  private sealBatch(moment: number, resources: ReadonlyArray<NewResource>): SealedBatch {
    const { bytes, sealingKey, veteranId } = this.body
    const [envelopes, macs]: [Array<Uint8Array>, Array<Uint8Array>] = [[], []]
    const items = resources.map((resource) => {
      const { end, fhirId, index, resourceType, sensitiveCategories, start } = resource
      const place = placeOf("health_record_items", "raw_ciphertext", veteranId, resourceType, fhirId)
      const pieces = sealedPieces(sealingKey, place, bytes.subarray(start, end))
      envelopes.push(...pieces)
      macs.push(this.sent.contentMac(resourceType, index))
      return {
        id: idAt(moment),
        resourceType,
        fhirId,
        length: pieces.reduce((sum, piece) => sum + piece.length, 0),
        ownCategories: sensitiveCategories,
        refersTo: this.references!.of(resource)
      }
    })
    return { items, envelopes: joined(envelopes), macs: joined(macs) }
  }
}

/** Joins pieces in one buffer, which is sent to the database as a whole. */
const joined = (pieces: ReadonlyArray<Uint8Array>) => {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}
