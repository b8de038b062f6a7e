import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { InvalidRequest, NotFound } from "../../services/ApiError.ts"
import { Id, VeteranIdOrMe } from "../../services/Ids.ts"
import { PageRequest } from "../../services/Paging.ts"
import { Entry, EntryChange, EntryPage, NewEntry } from "../../services/SelfReportedEntries.ts"
import { Availability, VeteranAuthorization } from "../Authorization.ts"
import { RequestBody } from "../RequestLimits.ts"

const params = { veteranId: VeteranIdOrMe }
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
  .middleware(VeteranAuthorization)
  .middleware(Availability)
{}
