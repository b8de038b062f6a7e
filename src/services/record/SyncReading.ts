import type { KeyObject } from "node:crypto"
import { InvalidRequest } from "../../domain/Errors.ts"
import type { TypeResult } from "../../domain/HealthRecord.ts"
import type { VeteranId } from "../../domain/Id.ts"
import type { Manifest } from "../../domain/Manifest.ts"
import { type ItemAction, transition } from "../../domain/SyncState.ts"
import type { SealedItem, StoredRow } from "../../sql/record/HealthRecordRepository.ts"
import { hashUnder, seal, type SealingKey } from "../platform/Envelope.ts"
import { idAt } from "../platform/Ids.ts"
import { placeOf } from "../platform/SealedColumns.ts"
import type { Slice } from "./JsonCut.ts"
import { ReferenceHashes } from "./ReferenceHashes.ts"
import { referencesVersion } from "./References.ts"
import { codeSetVersion } from "./SensitiveCodes.ts"
import { type StoredItem, StoredItems } from "./StoredItems.ts"
import { type NewResource, parse, readResources, type SentResource, type SyncRequest } from "./SyncRequest.ts"
import { keeps, planType } from "./TypePlan.ts"

/** A sync's body, and the keys of its veteran alone. It may go to another thread. */
export interface SyncBody {
  readonly bytes: Uint8Array
  readonly veteranId: VeteranId
  readonly sealingKey: SealingKey
  readonly macKey: KeyObject
  readonly referenceKey: KeyObject
}

/** What the database does next: it stores items, changes which are active, or keeps the manifest at the end. */
export type Step =
  | { readonly store: ReadonlyArray<SealedItem> }
  | { readonly active: boolean; readonly resourceType: string; readonly fhirIds: ReadonlyArray<string> }
  | {
    readonly manifest: Manifest
    readonly results: Record<string, TypeResult>
    /** Items may belong to other categories now, by what they refer to (ReferredCategories.ts). */
    readonly concernsClassified: boolean
    /** How many codings of what was read have a system that nobody here knows. */
    readonly unknownSystems: number
  }

interface ItemName {
  readonly resourceType: string
  readonly fhirId: string
}

/** FHIR has fewer than 200 types; every answer with a manifest names each that a veteran has. */
const mostTypes = 500

/** So many items are named in one statement. */
const mostNamed = 10_000

/**
 * Reads one sync: everything about it that takes time and no database. It is plain code, made to run in a thread of its
 * own; whoever has the transaction asks for one step after the other. Each method throws `InvalidJson` or
 * `InvalidRequest` where the request is wrong, and then nothing of it may stay.
 */
export class SyncReading {
  private readonly body: SyncBody
  private readonly request: SyncRequest
  private manifest: Manifest = {}
  private moment = new Date()
  private actions: ReadonlyMap<string, ItemAction> = new Map()
  private references: ReferenceHashes | undefined
  private readonly stored = new Map<string, StoredItems>()
  private steps: Iterator<Step> | undefined

  constructor(body: SyncBody) {
    this.body = body
    this.request = parse(body.bytes)
  }

  /**
   * Begins, or begins again, from this manifest, and with these items that belong to a category; answers the types of which
   * it has to know what is stored.
   */
  begin(manifest: Manifest, moment: Date, classified: ReadonlyArray<ItemName>): ReadonlyArray<string> {
    const { referenceKey, veteranId } = this.body
    this.references = new ReferenceHashes(referenceKey, veteranId, classified)
    this.manifest = manifest
    this.moment = moment
    if (Object.keys({ ...manifest, ...Object.fromEntries(this.request.statuses) }).length > mostTypes) {
      throw InvalidRequest.at(["fhirResourceFetchStatuses"], `Expected at most ${mostTypes} types, with those stored`)
    }
    this.stored.clear()
    this.steps = undefined
    const { statuses } = this.request
    this.actions = new Map(
      [...statuses].map(([type, lastFetch]) => [type, transition(manifest[type]?.state ?? "unknown", lastFetch).action])
    )
    return [...this.actions].flatMap(([type, action]) => action === "skip" || action === "nothing" ? [] : [type])
  }

  /** Takes in some of what is stored. */
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
    // Later batches with later times, or counted-up ids, would tell a provider how many items are withheld.
    const moment = Date.now()
    const sent: Array<SentResource<StoredItem>> = []
    let unknownSystems = 0
    const recognise = (resourceType: string, slice: Slice) =>
      this.stored.get(resourceType)?.find(this.macOf(resourceType, slice))
    for (const batch of readResources(this.request, recognise)) {
      for (const resource of batch.sent) sent.push(resource)
      for (const resource of batch.fresh) unknownSystems += resource.unknownSystems
      const kept = batch.fresh.filter(({ resourceType }) => keeps(this.actions.get(resourceType)!))
      if (kept.length > 0) yield { store: kept.map((resource) => this.sealItem(idAt(moment), resource)) }
    }
    const resources = Map.groupBy(sent, ({ resourceType }) => resourceType)
    const plans = [...this.request.statuses].map(([type, lastFetch]) =>
      planType(
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
        for (let at = 0; at < ids.length; at += mostNamed) {
          yield { active, resourceType, fhirIds: ids.slice(at, at + mostNamed) }
        }
      }
    }
    yield {
      manifest: {
        ...this.manifest,
        ...Object.fromEntries(plans.map(({ entry, resourceType }) => [resourceType, entry]))
      },
      results: Object.fromEntries(plans.map(({ resourceType, result }) => [resourceType, result])),
      concernsClassified: this.references!.concerned,
      unknownSystems
    }
  }

  /**
   * The same bytes under one type have one hash. The classification is part of it: newer code sets write an item again.
   */
  private macOf(resourceType: string, { end, start }: Slice) {
    const { bytes, macKey, veteranId } = this.body
    const place = `${codeSetVersion}|${referencesVersion}|${veteranId}|${resourceType}`
    return hashUnder(macKey, place, bytes.subarray(start, end))
  }

  private sealItem(id: string, resource: NewResource): SealedItem {
    const { bytes, sealingKey, veteranId } = this.body
    const { end, fhirId, resourceType, sensitiveCategories, start } = resource
    const place = placeOf("health_record_items", "raw_ciphertext", veteranId, resourceType, fhirId)
    return {
      id,
      resourceType,
      fhirId,
      rawCiphertext: seal(sealingKey, place, bytes.subarray(start, end)),
      contentMac: this.macOf(resourceType, resource),
      ownCategories: sensitiveCategories,
      refersTo: this.references!.of(resource)
    }
  }
}
