import { Schema } from "effect"
import { Alert } from "./Alert.ts"
import { ProviderGrant } from "./ConsentGrant.ts"
import { Document } from "./Document.ts"
import { HealthRecordItem } from "./HealthRecord.ts"
import { VeteranId } from "./Id.ts"
import { ResourceType } from "./Manifest.ts"
import { PageOf } from "./Page.ts"
import { ProviderNote } from "./ProviderNote.ts"
import { Count, Instant } from "./Scalars.ts"
import { Entry } from "./SelfReportedEntry.ts"
import { FetchStatus, SyncState } from "./SyncState.ts"

export const Patient = Schema.Struct({
  veteranId: VeteranId,
  callSign: Schema.String,
  grant: ProviderGrant,
  alertCount: Count
}).annotate({ identifier: "Patient" })

export const PatientPage = PageOf(Patient)

/** A veteran's record as a provider reads it. The schema only documents the answer, which RecordView.ts writes. */
export const PatientRecord = Schema.Struct({
  veteran: Schema.Struct({ id: VeteranId, callSign: Schema.String }),
  grant: ProviderGrant,
  alerts: Schema.Array(Alert),
  sections: Schema.Array(Schema.Struct({
    resourceType: ResourceType,
    state: SyncState,
    lastFetch: Schema.NullOr(FetchStatus),
    lastCompleteAt: Schema.NullOr(Instant),
    itemCount: Count,
    items: Schema.Array(HealthRecordItem),
    nextCursor: Schema.NullOr(Schema.String)
  })),
  selfReported: Schema.Array(Entry),
  notes: Schema.Array(ProviderNote),
  documents: Schema.Array(Document)
}).annotate({ identifier: "PatientRecord" })
