import { Layer } from "effect"
import { HealthRecord } from "./HealthRecord.ts"
import { ManifestMerge } from "./ManifestMerge.ts"
import { SelfReportedEntries } from "./SelfReportedEntries.ts"
import { SyncQueue } from "./SyncQueue.ts"
import { SyncReader } from "./SyncReader.ts"

export const RecordLayer = Layer.mergeAll(HealthRecord.layer, ManifestMerge.layer, SelfReportedEntries.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(SyncQueue.layer, SyncReader.layer))
)
