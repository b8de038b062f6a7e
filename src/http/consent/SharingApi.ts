import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { grantLimits } from "../../domain/ConsentGrant.ts"
import { InvalidRequest, NotFound } from "../../domain/Errors.ts"
import { Id, VeteranIdOrMe } from "../../domain/Id.ts"
import { NoMembers } from "../../domain/Scalars.ts"
import { Sharing, SharingKind, SharingPage, SharingQuery, Stopped } from "../../domain/Sharing.ts"
import { SessionInStatement, VeteranAuthorization } from "../contract/Authorization.ts"
import { described, guardedBy, told } from "../contract/GuardedBy.ts"
import { CompressedAnswer } from "../contract/RequestLimits.ts"

const params = { veteranId: VeteranIdOrMe }

export class SharingApi extends HttpApiGroup.make("sharing")
  .add(
    HttpApiEndpoint.get("list", "/", { params, query: SharingQuery, success: SharingPage, error: InvalidRequest })
      .annotate(OpenApi.Summary, "List who has the record")
      .annotate(SessionInStatement, true)
      .annotate(
        OpenApi.Description,
        "Grants to providers and apps, secure links and signed releases, the newest first. `status` is `active` if it is " +
          "missing: then the list has exactly those whose holder could read something now. Of the grants that have ended " +
          `it has the newest ${grantLimits.endedShown}.`
      ),
    HttpApiEndpoint.post("stop", "/:kind/:id/stop", {
      params: { ...params, kind: SharingKind, id: Id },
      success: Sharing,
      error: NotFound
    })
      .annotateMerge(told("Stop one of them", "At once, downloads too. What has ended already stays as it ended."))
      .annotate(CompressedAnswer, true),
    HttpApiEndpoint.post("stopAll", "/stop-all", { params, payload: NoMembers, success: Stopped })
      .annotateMerge(told("Stop all of them", "In one transaction, at once. The answer counts what was active."))
  )
  .prefix("/api/veteran/:veteranId/sharing")
  .pipe(guardedBy(VeteranAuthorization))
  .annotateMerge(described("Who has the record", "One list of everybody who may read, and how to stop them."))
{}
