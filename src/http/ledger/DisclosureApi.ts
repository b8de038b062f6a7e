import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { DisclosurePage, DisclosureQuery } from "../../domain/Disclosure.ts"
import { InvalidRequest } from "../../domain/Errors.ts"
import { VeteranIdOrMe } from "../../domain/Id.ts"
import { SessionInStatement, VeteranAuthorization } from "../contract/Authorization.ts"
import { guardedBy } from "../contract/GuardedBy.ts"

const Csv = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv; charset=utf-8" }))

export class DisclosuresApi extends HttpApiGroup.make("disclosures")
  .add(
    HttpApiEndpoint.get("list", "/", {
      params: { veteranId: VeteranIdOrMe },
      query: DisclosureQuery,
      success: [DisclosurePage, Csv],
      error: InvalidRequest
    })
      .annotate(OpenApi.Summary, "List the events of the record")
      .annotate(SessionInStatement, true)
      .annotate(
        OpenApi.Description,
        "The newest first. With `accept: text/csv` the same page as CSV (RFC 4180), for spreadsheets. A cell that looks like a " +
          "formula begins with an apostrophe. A `link` header with `rel=\"next\"` (RFC 8288) leads to the next page."
      )
  )
  .prefix("/api/veteran/:veteranId/disclosures")
  .pipe(guardedBy(VeteranAuthorization))
  .annotate(OpenApi.Title, "Account of disclosures")
  .annotate(
    OpenApi.Description,
    "Who did what with the record, and when. No event can be changed or removed unnoticed."
  )
{}
