import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { InvalidJson, InvalidRequest, NotFound, Unauthenticated } from "../../domain/Errors.ts"
import { HealthRecordItem, HealthRecordSyncRequest, SyncResult } from "../../domain/HealthRecord.ts"
import { Id, VeteranIdOrMe } from "../../domain/Id.ts"
import { Alert, Manifest, ResourceType } from "../../domain/Manifest.ts"
import { PageOf, PageRequest, RecordPageRequest } from "../../domain/Page.ts"
import { Entry, EntryChange, EntryPage, NewEntry } from "../../domain/SelfReportedEntry.ts"
import { Availability, VeteranAuthorization } from "../Authorization.ts"
import { BodyLimit, RateLimit, RequestBody, RequestQuery } from "../RequestLimits.ts"

const params = { veteranId: VeteranIdOrMe }

export class HealthRecordApi extends HttpApiGroup.make("healthRecord")
  .add(
    HttpApiEndpoint.post("sync", "/health-record/sync", {
      params,
      payload: HealthRecordSyncRequest,
      success: SyncResult,
      error: [InvalidJson, InvalidRequest, Unauthenticated]
    })
      .annotate(BodyLimit, { bytes: 64 * 1024 * 1024, encodings: ["gzip", "zstd"] })
      .annotate(RateLimit, { permits: 6, seconds: 60 }),
    HttpApiEndpoint.get("items", "/health-record", {
      params,
      query: {
        ...RecordPageRequest,
        resourceType: Schema.optional(ResourceType),
        includeInactive: Schema.optional(Schema.Literals(["true", "false"]))
      },
      success: Schema.Struct({ ...PageOf(HealthRecordItem).fields, manifest: Manifest }),
      error: [InvalidRequest, Unauthenticated]
    }),
    HttpApiEndpoint.get("manifest", "/health-record/manifest", { params, success: Manifest, error: Unauthenticated }),
    HttpApiEndpoint.get("alerts", "/alerts", { params, success: PageOf(Alert), error: Unauthenticated })
  )
  .prefix("/api/veteran/:veteranId")
  .middleware(RequestBody)
  .middleware(RequestQuery)
  .middleware(VeteranAuthorization)
  .middleware(Availability)
{}

const entryParams = { ...params, entryId: Id }

export class SelfReportedApi extends HttpApiGroup.make("selfReported")
  .add(
    HttpApiEndpoint.get("list", "/", { params, query: PageRequest, success: EntryPage, error: InvalidRequest }),
    HttpApiEndpoint.post("create", "/", { params, payload: NewEntry, success: Entry.pipe(HttpApiSchema.status(201)) }),
    HttpApiEndpoint.patch("change", "/:entryId", {
      params: entryParams,
      payload: EntryChange,
      success: Entry,
      error: NotFound
    }),
    HttpApiEndpoint.delete("remove", "/:entryId", {
      params: entryParams,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
  )
  .prefix("/api/veteran/:veteranId/self-reported-entries")
  .middleware(RequestBody)
  .middleware(RequestQuery)
  .middleware(VeteranAuthorization)
  .middleware(Availability)
{}
