import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ConfirmationRequired } from "../../domain/Confirmation.ts"
import { StorageFull } from "../../domain/Document.ts"
import { NotFound, SealBroken, ServiceUnavailable } from "../../domain/Errors.ts"
import { ExportReason } from "../../domain/Export.ts"
import { SentVeteranId, VeteranIdOrMe } from "../../domain/Id.ts"
import { RateLimited } from "../../domain/RateLimit.ts"
import { AdminAuthorization, VeteranAuthorization } from "../contract/Authorization.ts"
import { described, guardedBy, told } from "../contract/GuardedBy.ts"
import { BodyLimit, smallBody } from "../contract/RequestLimits.ts"

const ZipBytes = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/zip" }))
  .annotate({ description: "A ZIP archive. One that breaks off has no valid end" })

const errors = [NotFound, RateLimited, SealBroken, ServiceUnavailable, StorageFull] as const

export class ExportApi extends HttpApiGroup.make("exports")
  .add(
    HttpApiEndpoint.post("make", "/", {
      params: { veteranId: VeteranIdOrMe },
      success: ZipBytes,
      error: [...errors, ConfirmationRequired]
    })
      .annotateMerge(told(
        "Download a copy of all data",
        "As of one moment: the record in its exact texts, own words, notes, documents, sharing, and what happened, with " +
          "proofs. From a confirmed session, 3 times a day, one at a time. The veteran is told by mail. The download " +
          "breaks off if the session ends, or if it is read at less than 64 KiB/s."
      ))
      .annotate(BodyLimit, smallBody)
  )
  .prefix("/api/veteran/:veteranId/exports")
  .pipe(guardedBy(VeteranAuthorization))
  .annotateMerge(described("Exports", "All that the service holds of a veteran, to keep."))
{}

export class AdminExportApi extends HttpApiGroup.make("adminExports")
  .add(
    HttpApiEndpoint.post("make", "/:id/export", {
      params: { id: SentVeteranId },
      payload: ExportReason,
      success: ZipBytes,
      error: [...errors]
    })
      .annotate(OpenApi.Summary, "Download a copy of all data of a veteran")
      .annotate(
        OpenApi.Description,
        "3 times a day for each veteran, whom a mail tells of it. It breaks off below 64 KiB/s."
      )
      .annotate(BodyLimit, smallBody)
  )
  .prefix("/api/admin/veterans")
  .pipe(guardedBy(AdminAuthorization))
  .annotateMerge(described("Operator's exports", "For a veteran who cannot sign in and asks for their data."))
{}
