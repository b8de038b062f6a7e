import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ConfirmationRequired } from "../../domain/Confirmation.ts"
import { Deletion, DeletionRequest, deletionsAsked } from "../../domain/Deletion.ts"
import { InvalidRequest, NotFound } from "../../domain/Errors.ts"
import { VeteranIdOrMe } from "../../domain/Id.ts"
import { RateLimited } from "../../domain/RateLimit.ts"
import { SessionInStatement, VeteranAuthorization } from "../contract/Authorization.ts"
import { described, guardedBy, told } from "../contract/GuardedBy.ts"

const params = { veteranId: VeteranIdOrMe }

export class DeletionApi extends HttpApiGroup.make("deletion")
  .add(
    HttpApiEndpoint.post("ask", "/", {
      params,
      payload: DeletionRequest,
      success: Deletion.pipe(HttpApiSchema.status(202)),
      error: [ConfirmationRequired, InvalidRequest, RateLimited]
    })
      .annotateMerge(told(
        "Ask for the deletion of the record and the account",
        "Everything that is shared ends at once. After 72 hours the record is removed, unless the veteran cancels. " +
          "Until then nothing new is shared and no sync is stored. Needs a confirmed session. It is asked for at most " +
          `${deletionsAsked.permits} times in a day; cancelling has no limit.`
      )),
    HttpApiEndpoint.get("find", "/", { params, success: Deletion, error: NotFound })
      .annotate(OpenApi.Summary, "Read when the record is deleted")
      .annotate(SessionInStatement, true),
    HttpApiEndpoint.post("cancel", "/cancel", {
      params,
      success: HttpApiSchema.NoContent.annotate({ description: "No deletion is asked for now" })
    })
      .annotate(OpenApi.Summary, "Cancel the deletion")
  )
  .prefix("/api/veteran/:veteranId/deletion")
  .pipe(guardedBy(VeteranAuthorization))
  .annotateMerge(described("Deletion", "The veteran asks to be forgotten."))
{}
