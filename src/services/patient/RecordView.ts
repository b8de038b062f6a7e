import { alerts } from "../../domain/Alert.ts"
import type { ProviderGrant } from "../../domain/ConsentGrant.ts"
import type { VeteranId } from "../../domain/Id.ts"
import type { Manifest } from "../../domain/Manifest.ts"
import { JsonBytes } from "../record/JsonBytes.ts"

/** A record as one provider may see it, already read and decrypted. */
export interface RecordView {
  readonly veteran: { readonly id: VeteranId; readonly callSign: string }
  readonly grant: ProviderGrant
  /** Has an entry for each section, and reveals no more than the provider sees. */
  readonly manifest: Manifest
  readonly sections: ReadonlyArray<Section>
  /** Entries, notes and documents, each written as its own JSON. */
  readonly selfReported: ReadonlyArray<JsonBytes>
  readonly notes: ReadonlyArray<JsonBytes>
  readonly documents: ReadonlyArray<JsonBytes>
}

interface Section {
  readonly resourceType: string
  readonly items: ReadonlyArray<JsonBytes>
  readonly nextCursor: string | null
}

/** Writes the answer that `PatientRecord` in domain/Patient.ts describes. */
export const encodeRecordView = (
  { manifest, sections, veteran, grant, ...newest }: RecordView
): JsonBytes =>
  JsonBytes.object({
    veteran,
    grant,
    alerts: alerts(manifest),
    sections: JsonBytes.array(sections.map(({ items, nextCursor, resourceType }) => {
      const { itemCount, lastCompleteAt, lastFetch, lastFetchAt, state } = manifest[resourceType]!
      return JsonBytes.object({
        resourceType,
        state,
        lastFetch,
        lastFetchAt,
        lastCompleteAt,
        itemCount,
        items: JsonBytes.array(items),
        nextCursor
      })
    })),
    selfReported: JsonBytes.array(newest.selfReported),
    notes: JsonBytes.array(newest.notes),
    documents: JsonBytes.array(newest.documents)
  })
