import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { ConsentRequired } from "../../domain/ConsentGrant.ts"
import { InvalidRequest, NotFound, SealBroken, ServiceUnavailable } from "../../domain/Errors.ts"
import { Id } from "../../domain/Id.ts"
import { ResourceType } from "../../domain/Manifest.ts"
import { PageRequest, RecordPageRequest } from "../../domain/Page.ts"
import { PatientPage, PatientRecord } from "../../domain/Patient.ts"
import { NewNote, ProviderNote, ProviderNotePage } from "../../domain/ProviderNote.ts"
import { Availability, ProviderAuthorization } from "../Authorization.ts"
import { FileBytes } from "../FileBytes.ts"
import { RequestBody, RequestQuery } from "../RequestLimits.ts"

const params = { veteranId: Id }

export class PatientsApi extends HttpApiGroup.make("patients")
  .add(
    HttpApiEndpoint.get("list", "/", { query: PageRequest, success: PatientPage, error: InvalidRequest }),
    HttpApiEndpoint.get("record", "/:veteranId/record", {
      params,
      query: { ...RecordPageRequest, resourceType: Schema.optional(ResourceType) },
      success: PatientRecord,
      error: [ConsentRequired, InvalidRequest]
    }),
    HttpApiEndpoint.get("notes", "/:veteranId/notes", {
      params,
      query: PageRequest,
      success: ProviderNotePage,
      error: [ConsentRequired, InvalidRequest]
    }),
    HttpApiEndpoint.post("writeNote", "/:veteranId/notes", {
      params,
      payload: NewNote,
      success: ProviderNote.pipe(HttpApiSchema.status(201)),
      error: ConsentRequired
    }),
    HttpApiEndpoint.get("document", "/:veteranId/documents/:documentId/content", {
      params: { ...params, documentId: Id },
      success: FileBytes,
      error: [ConsentRequired, NotFound, SealBroken, ServiceUnavailable]
    })
  )
  .prefix("/api/provider/patients")
  .middleware(RequestBody)
  .middleware(RequestQuery)
  .middleware(ProviderAuthorization)
  .middleware(Availability)
{}
