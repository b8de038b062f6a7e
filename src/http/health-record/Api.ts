import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { InvalidJson, InvalidRequest, Unauthenticated } from "../../services/ApiError.ts"
import { HealthRecordItem } from "../../services/HealthRecord.ts"
import { VeteranIdOrMe } from "../../services/Ids.ts"
import { Alert, Manifest, ResourceType } from "../../services/Manifest.ts"
import { SyncResult } from "../../services/ManifestMerge.ts"
import { PageOf, PageRequest } from "../../services/Paging.ts"
import { HealthRecordSyncRequest } from "../../services/SyncRequest.ts"
import { Availability, VeteranAuthorization } from "../Authorization.ts"
import { BodyLimit, RateLimit, RequestBody } from "../RequestLimits.ts"

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
        ...PageRequest,
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
  .middleware(VeteranAuthorization)
  .middleware(Availability)
{}
