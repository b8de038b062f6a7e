import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ConsentRequired } from "../../domain/ConsentGrant.ts"
import { Conflict, InvalidRequest, NotFound, SealBroken, ServiceUnavailable } from "../../domain/Errors.ts"
import { SentDocumentId, SentVeteranId } from "../../domain/Id.ts"
import { ResourceType } from "../../domain/Manifest.ts"
import { PageRequest, RecordPageRequest } from "../../domain/Page.ts"
import { PatientPage, PatientRecord, RecordChanges } from "../../domain/Patient.ts"
import { NewNote, ProviderNote, ProviderNotePage } from "../../domain/ProviderNote.ts"
import { RateLimited } from "../../domain/RateLimit.ts"
import { SentInstant } from "../../domain/Scalars.ts"
import { ProviderAuthorization } from "../contract/Authorization.ts"
import { FileBytes } from "../contract/FileBytes.ts"
import { described, guardedBy } from "../contract/GuardedBy.ts"
import { CompressedAnswer, LargeAnswer } from "../contract/RequestLimits.ts"

const params = { veteranId: SentVeteranId }

export class PatientsApi extends HttpApiGroup.make("patients")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...PageRequest, veteranId: Schema.optional(SentVeteranId) },
      success: PatientPage,
      error: InvalidRequest
    })
      .annotate(OpenApi.Summary, "List the veterans who share with the provider, or what one of them shares now"),
    HttpApiEndpoint.get("record", "/:veteranId/record", {
      params,
      query: { ...RecordPageRequest, resourceType: Schema.optional(ResourceType) },
      success: PatientRecord,
      error: [ConsentRequired, InvalidRequest]
    })
      .annotate(OpenApi.Summary, "Read what a veteran shares")
      .annotate(LargeAnswer, true),
    HttpApiEndpoint.get("changes", "/:veteranId/record/changes", {
      params,
      query: {
        ...PageRequest,
        since: Schema.optional(
          SentInstant.annotate({ description: "Without it: this provider's look before the present one" })
        )
      },
      success: RecordChanges,
      error: [ConsentRequired, InvalidRequest]
    })
      .annotate(OpenApi.Summary, "List what is new or changed in a record"),
    HttpApiEndpoint.post("saved", "/:veteranId/record/saved", {
      params,
      success: HttpApiSchema.NoContent.annotate({ description: "The veteran is told" }),
      error: ConsentRequired
    })
      .annotate(OpenApi.Summary, "Tell the veteran that the provider saves a copy, before it is made"),
    HttpApiEndpoint.get("notes", "/:veteranId/notes", {
      params,
      query: PageRequest,
      success: ProviderNotePage,
      error: [ConsentRequired, InvalidRequest]
    })
      .annotate(OpenApi.Summary, "List the provider's notes on a veteran")
      .annotate(LargeAnswer, true),
    HttpApiEndpoint.post("writeNote", "/:veteranId/notes", {
      params,
      payload: NewNote,
      success: ProviderNote.pipe(HttpApiSchema.status(201)),
      error: [ConsentRequired, Conflict, RateLimited]
    })
      .annotate(OpenApi.Summary, "Write a note")
      .annotate(CompressedAnswer, true),
    HttpApiEndpoint.get("document", "/:veteranId/documents/:documentId/content", {
      params: { ...params, documentId: SentDocumentId },
      success: FileBytes,
      error: [ConsentRequired, NotFound, SealBroken, ServiceUnavailable]
    })
      .annotate(OpenApi.Summary, "Download a shared document")
  )
  .prefix("/api/provider/patients")
  .pipe(guardedBy(ProviderAuthorization))
  .annotateMerge(described("Patients", "Veterans, as far as an active consent grant lets the provider read."))
{}
