import { alerts } from "../../domain/Alert.ts"
import type { ConsentGrant } from "../../domain/ConsentGrant.ts"
import type { Document } from "../../domain/Document.ts"
import type { VeteranId } from "../../domain/Id.ts"
import type { Manifest } from "../../domain/Manifest.ts"
import type { ProviderNote } from "../../domain/ProviderNote.ts"
import type { Entry } from "../../domain/SelfReportedEntry.ts"
import { JsonBytes } from "../record/JsonBytes.ts"

/** A record as one provider may see it, read and opened. */
export interface RecordView {
  readonly veteran: { readonly id: VeteranId; readonly callSign: string }
  readonly grant: ConsentGrant
  /** It has an entry for each section, and tells no more than the provider sees. */
  readonly manifest: Manifest
  readonly sections: ReadonlyArray<Section>
  readonly selfReported: ReadonlyArray<Entry>
  readonly notes: ReadonlyArray<ProviderNote>
  readonly documents: ReadonlyArray<Document>
}

interface Section {
  readonly resourceType: string
  readonly items: ReadonlyArray<JsonBytes>
  readonly nextCursor: string | null
}

/** Writes the answer that `PatientRecord` in domain/Patient.ts describes. */
export const encodeRecordView = ({ manifest, sections, veteran, grant, ...newest }: RecordView): Buffer =>
  JsonBytes.object({
    veteran,
    grant,
    alerts: alerts(manifest),
    sections: JsonBytes.array(sections.map(({ items, nextCursor, resourceType }) => {
      const { itemCount, lastCompleteAt, lastFetch, state } = manifest[resourceType]!
      return JsonBytes.object({
        resourceType,
        state,
        lastFetch,
        lastCompleteAt,
        itemCount,
        items: JsonBytes.array(items),
        nextCursor
      })
    })),
    selfReported: newest.selfReported,
    notes: newest.notes,
    documents: newest.documents
  }).toBuffer()
