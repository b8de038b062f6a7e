import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ApiError } from "../../domain/Errors.ts"
import { described } from "../contract/GuardedBy.ts"

const dependencies = Schema.Record(Schema.String, Schema.Literals(["ok", "unavailable"]))

/** A sentence for each dependency that cannot be reached. */
const reasons = Schema.optionalKey(Schema.Record(Schema.String, Schema.String))

export const Ready = Schema.Struct({ status: Schema.Literal("ok"), dependencies, reasons }).annotate({
  identifier: "Ready"
})

export class NotReady extends ApiError<NotReady>()("NotReady", {
  code: "service_unavailable",
  status: 503,
  message: "The service cannot reach something it needs. Try again in a moment.",
  fields: { status: Schema.Literal("unavailable"), dependencies, reasons }
}) {}

/** This group lacks `QueryAndBody`, because load balancers may add query parameters to their health checks. */
export class SystemApi extends HttpApiGroup.make("system")
  .add(
    HttpApiEndpoint.get("health", "/health", { success: Schema.Struct({ status: Schema.Literal("ok") }) })
      .annotate(OpenApi.Summary, "Tell whether the process runs"),
    HttpApiEndpoint.get("ready", "/api/ready", { success: Ready, error: NotReady })
      .annotate(OpenApi.Summary, "Tell whether what the service depends on can be reached")
  )
  .annotateMerge(described("System", "Whether the service runs."))
{}
