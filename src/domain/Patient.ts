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

/** Both members are as the record has them: a birth date may be a year alone. */
const ListedPerson = Schema.Struct({
  name: Schema.NullOr(Schema.String),
  birthDate: Schema.NullOr(Schema.String)
}).annotate({ identifier: "ListedPerson" })

export type ListedPerson = typeof ListedPerson.Type

/** `alertCount` and `notLoaded` say what the record's page says (Completeness.ts). */
export const Patient = Schema.Struct({
  veteranId: VeteranId,
  callSign: Schema.String,
  person: Schema.NullOr(ListedPerson).annotate({
    description: "From the one Patient of the record; null if the provider may see none, or several"
  }),
  grant: ProviderGrant,
  alertCount: Count,
  notLoaded: Schema.Array(ResourceType),
  lastLookedAt: Schema.NullOr(Instant).annotate({ description: "When this provider last read the record" }),
  changedSince: Schema.Boolean.annotate({
    description: "Whether anything that the provider may see is new or changed since `lastLookedAt`, or the grant is"
  })
}).annotate({ identifier: "Patient" })

export const PatientPage = PageOf(Patient)

/** An item of a record that is new or changed since a moment. What went away is not told. */
const ChangedItem = Schema.Struct({
  resourceType: ResourceType,
  fhirId: Schema.String,
  how: Schema.Literals(["new", "changed"])
}).annotate({ identifier: "ChangedItem" })

export const RecordChanges = Schema.Struct({
  since: Schema.NullOr(Instant).annotate({
    description: "Null if this provider had not looked before; then there are no items"
  }),
  ...PageOf(ChangedItem).fields
}).annotate({ identifier: "RecordChanges" })

export type RecordChanges = typeof RecordChanges.Type

/** A veteran's record as a provider reads it. The schema only documents the answer, which RecordView.ts writes. */
export const PatientRecord = Schema.Struct({
  veteran: Schema.Struct({ id: VeteranId, callSign: Schema.String }),
  grant: ProviderGrant,
  alerts: Schema.Array(Alert),
  sections: Schema.Array(Schema.Struct({
    resourceType: ResourceType,
    state: SyncState,
    lastFetch: Schema.NullOr(FetchStatus),
    lastFetchAt: Schema.NullOr(Instant),
    lastCompleteAt: Schema.NullOr(Instant),
    itemCount: Count,
    items: Schema.Array(HealthRecordItem),
    nextCursor: Schema.NullOr(Schema.String)
  })),
  selfReported: Schema.Array(Entry),
  notes: Schema.Array(ProviderNote),
  documents: Schema.Array(Document)
}).annotate({ identifier: "PatientRecord" })
