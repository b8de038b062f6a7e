import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { HealthRecord } from "../../services/HealthRecord.ts"
import { alerts } from "../../services/Manifest.ts"
import { ManifestMerge } from "../../services/ManifestMerge.ts"
import { parse } from "../../services/SyncRequest.ts"
import { Api } from "../Api.ts"
import { CurrentVeteran } from "../Authorization.ts"
import { RequestBytes } from "../RequestLimits.ts"

export const HealthRecordHandlers = HttpApiBuilder.group(
  Api,
  "healthRecord",
  Effect.fn(function*(handlers) {
    const manifestMerge = yield* ManifestMerge
    const record = yield* HealthRecord
    return handlers
      .handleRaw("sync", () =>
        Effect.gen(function*() {
          const { veteranId } = yield* CurrentVeteran
          return yield* manifestMerge.sync(veteranId, yield* parse(yield* RequestBytes))
        }))
      .handleAll({
        items: ({ query: { includeInactive, ...query } }) =>
          Effect.gen(function*() {
            const { veteranId } = yield* CurrentVeteran
            const json = yield* record.list(veteranId, { ...query, includeInactive: includeInactive === "true" })
            return HttpServerResponse.uint8Array(json, { contentType: "application/json" })
          }),
        manifest: () => Effect.flatMap(CurrentVeteran, ({ veteranId }) => record.manifest(veteranId)),
        alerts: () =>
          Effect.gen(function*() {
            const { veteranId } = yield* CurrentVeteran
            return { items: alerts(yield* record.manifest(veteranId)), nextCursor: null }
          })
      })
  })
)
