import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Alert } from "../../domain/Alert.ts"
import { DeletionPending } from "../../domain/Deletion.ts"
import { Conflict, InvalidJson, InvalidRequest, NotFound, SyncRequired, Unauthenticated } from "../../domain/Errors.ts"
import { HealthRecordSyncRequest, OwnHealthRecordItem, SyncResult } from "../../domain/HealthRecord.ts"
import { Id, VeteranIdOrMe } from "../../domain/Id.ts"
import { Manifest, ResourceType } from "../../domain/Manifest.ts"
import { PageOf, PageRequest, RecordPageRequest } from "../../domain/Page.ts"
import { Entry, EntryChange, EntryPage, NewEntry } from "../../domain/SelfReportedEntry.ts"
import { syncLimits } from "../../domain/SyncLimits.ts"
import { SessionInStatement, VeteranAuthorization } from "../contract/Authorization.ts"
import { described, guardedBy, told } from "../contract/GuardedBy.ts"
import {
  BodyLimit,
  CompressedAnswer,
  LargeAnswer,
  QueryAndBody,
  RateLimit,
  RequestQuery,
  SyncTurn
} from "../contract/RequestLimits.ts"

const HealthRecordPage = Schema.Struct({ ...PageOf(OwnHealthRecordItem).fields, manifest: Manifest })
  .annotate({ identifier: "HealthRecordPage" })

const params = { veteranId: VeteranIdOrMe }

export class HealthRecordApi extends HttpApiGroup.make("healthRecord")
  .add(
    HttpApiEndpoint.post("sync", "/health-record/sync", {
      params,
      payload: HealthRecordSyncRequest,
      success: SyncResult,
      error: [Conflict, DeletionPending, InvalidJson, InvalidRequest, SyncRequired, Unauthenticated]
    })
      .annotateMerge(told(
        "Synchronise the health record",
        "Each type with the outcome of its fetch. `complete` replaces the type; an incomplete fetch removes nothing. For a type that has not changed since it was last sent, a digest in `unchanged` may replace its resources. The body may be compressed: `content-encoding: gzip` or `zstd`. It takes 64 MiB and 100,000 resources. A sync that takes over 20 seconds while others wait may be 503, with nothing stored: send it again after `retry-after`."
      ))
      .annotate(BodyLimit, { bytes: syncLimits.bytes, encodings: ["gzip", "zstd"] })
      .annotate(RateLimit, { permits: 6, seconds: 60 })
      .annotate(CompressedAnswer, true)
      // The middleware added first runs last, so the body is read after the group's middleware and the wait for a turn.
      .middleware(QueryAndBody)
      .middleware(SyncTurn)
      .middleware(RequestQuery),
    HttpApiEndpoint.get("items", "/health-record", {
      params,
      query: {
        ...RecordPageRequest,
        resourceType: Schema.optional(ResourceType),
        includeInactive: Schema.optional(Schema.Literals(["true", "false"]))
      },
      success: HealthRecordPage,
      error: [InvalidRequest, Unauthenticated]
    })
      .annotate(OpenApi.Summary, "List the items of the health record")
      .annotate(SessionInStatement, true)
      .annotate(LargeAnswer, true),
    HttpApiEndpoint.get("manifest", "/health-record/manifest", { params, success: Manifest, error: Unauthenticated })
      .annotate(OpenApi.Summary, "Read the state of each resource type")
      .annotate(SessionInStatement, true),
    HttpApiEndpoint.get("alerts", "/alerts", { params, success: PageOf(Alert), error: Unauthenticated })
      .annotate(OpenApi.Summary, "List the alerts that a provider would see")
      .annotate(SessionInStatement, true)
  )
  .prefix("/api/veteran/:veteranId")
  .pipe(guardedBy(VeteranAuthorization))
  .annotateMerge(described("Health record", "FHIR resources as the veteran app fetched them."))
{}

const entryParams = { ...params, entryId: Id }

export class SelfReportedApi extends HttpApiGroup.make("selfReported")
  .add(
    HttpApiEndpoint.get("list", "/", { params, query: PageRequest, success: EntryPage, error: InvalidRequest })
      .annotate(OpenApi.Summary, "List the entries")
      .annotate(SessionInStatement, true)
      .annotate(LargeAnswer, true),
    HttpApiEndpoint.post("create", "/", {
      params,
      payload: NewEntry,
      success: Entry.pipe(HttpApiSchema.status(201)),
      error: Conflict
    })
      .annotate(OpenApi.Summary, "Write an entry")
      .annotate(CompressedAnswer, true),
    HttpApiEndpoint.patch("change", "/:entryId", {
      params: entryParams,
      payload: EntryChange,
      success: Entry,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Change an entry")
      .annotate(CompressedAnswer, true),
    HttpApiEndpoint.delete("remove", "/:entryId", {
      params: entryParams,
      success: HttpApiSchema.NoContent.annotate({ description: "Deleted" }),
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Delete an entry")
  )
  .prefix("/api/veteran/:veteranId/self-reported-entries")
  .pipe(guardedBy(VeteranAuthorization))
  .annotateMerge(described("Self-reported entries", "Entries that veterans write themselves."))
{}
