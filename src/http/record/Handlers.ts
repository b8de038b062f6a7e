import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { alerts } from "../../domain/Manifest.ts"
import { HealthRecord } from "../../services/record/HealthRecord.ts"
import { ManifestMerge } from "../../services/record/ManifestMerge.ts"
import { SelfReportedEntries } from "../../services/record/SelfReportedEntries.ts"
import { parse } from "../../services/record/SyncRequest.ts"
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

export const SelfReportedHandlers = HttpApiBuilder.group(
  Api,
  "selfReported",
  Effect.fn(function*(handlers) {
    const entries = yield* SelfReportedEntries
    return handlers.handleAll({
      list: ({ query }) => Effect.flatMap(CurrentVeteran, ({ veteranId }) => entries.list(veteranId, query)),
      create: ({ payload }) => Effect.flatMap(CurrentVeteran, ({ veteranId }) => entries.create(veteranId, payload)),
      change: ({ params, payload }) =>
        Effect.flatMap(CurrentVeteran, ({ veteranId }) => entries.change(veteranId, params.entryId, payload)),
      remove: ({ params }) =>
        Effect.flatMap(CurrentVeteran, ({ veteranId }) => entries.remove(veteranId, params.entryId))
    })
  })
)
