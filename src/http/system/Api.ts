import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"

export const Ready = Schema.Struct({
  status: Schema.Literals(["ok", "unavailable"]),
  dependencies: Schema.Record(Schema.String, Schema.Literals(["ok", "unavailable"]))
}).annotate({ identifier: "Ready" })

/** Has no `RequestQuery`: a load balancer may add parameters of its own to the health check it asks for. */
export class SystemApi extends HttpApiGroup.make("system")
  .add(
    HttpApiEndpoint.get("health", "/health", { success: Schema.Struct({ status: Schema.Literal("ok") }) }),
    HttpApiEndpoint.get("ready", "/api/ready", { success: [Ready, Ready.pipe(HttpApiSchema.status(503))] })
  )
{}
