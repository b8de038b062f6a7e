import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { DisclosureQuery } from "../../domain/Disclosure.ts"
import { InvalidRequest, NotFound, SealBroken, ServiceUnavailable } from "../../domain/Errors.ts"
import { SentDocumentId, SentGrantId, VeteranIdOrMe } from "../../domain/Id.ts"
import { SessionInStatement, VeteranAuthorization } from "../contract/Authorization.ts"
import { BundleBytes } from "../contract/FileBytes.ts"
import { described, guardedBy } from "../contract/GuardedBy.ts"

const params = { veteranId: VeteranIdOrMe }

const { cursor, from, limit, to } = DisclosureQuery

export class ShapesApi extends HttpApiGroup.make("shapes")
  .add(
    HttpApiEndpoint.get("release", "/roi/:documentId/fhir", {
      params: { ...params, documentId: SentDocumentId },
      success: BundleBytes,
      error: [NotFound, SealBroken, ServiceUnavailable]
    })
      .annotate(OpenApi.Summary, "Read a release as FHIR")
      .annotate(SessionInStatement, true)
      .annotate(
        OpenApi.Description,
        "A Bundle of the type `collection`: Patient, DocumentReference with the veteran's copy, Consent, Provenance, two " +
          "Organizations, the record as it was when the release was signed, and the documents that it names."
      ),
    HttpApiEndpoint.get("grant", "/consent-grants/:grantId/fhir", {
      params: { ...params, grantId: SentGrantId },
      success: BundleBytes.annotate({ description: "A FHIR R4 Consent" }),
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Read a consent grant as FHIR")
      .annotate(SessionInStatement, true)
      .annotate(OpenApi.Description, "A Consent. What the grant leaves out is a nested `deny`, for the veteran alone."),
    HttpApiEndpoint.get("disclosures", "/disclosures/fhir", {
      params,
      query: { cursor, limit, from, to },
      success: BundleBytes,
      error: InvalidRequest
    })
      .annotate(OpenApi.Summary, "List the disclosures as FHIR")
      .annotate(SessionInStatement, true)
      .annotate(
        OpenApi.Description,
        "The newest first: a Bundle of the type `collection` with an AuditEvent for each look of somebody else (45 CFR " +
          "164.528). `Bundle.link` and a `link` header with `rel=\"next\"` (RFC 8288) lead to the next page."
      )
  )
  .prefix("/api/veteran/:veteranId")
  .pipe(guardedBy(VeteranAuthorization))
  .annotateMerge(
    described("Consents and disclosures as FHIR", "FHIR R4 shapes of what a veteran shared, and of who saw it.")
  )
{}
