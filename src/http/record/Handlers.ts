import { Effect } from "effect"
import { alerts } from "../../domain/Alert.ts"
import { HealthRecord } from "../../services/record/HealthRecord.ts"
import { ManifestMerge } from "../../services/record/ManifestMerge.ts"
import { SelfReportedEntries } from "../../services/record/SelfReportedEntries.ts"
import { forVeteran } from "../contract/Authorization.ts"
import { RequestBytes } from "../contract/RequestLimits.ts"
import { group } from "../wire/Group.ts"
import { jsonAnswer } from "../wire/JsonAnswer.ts"

export const HealthRecordHandlers = group("healthRecord", function*(handlers) {
  const manifestMerge = yield* ManifestMerge
  const record = yield* HealthRecord
  return handlers
    .handleRaw(
      "sync",
      forVeteran(Effect.fnUntraced(function*(veteranId) {
        return yield* manifestMerge.sync(veteranId, yield* RequestBytes)
      }))
    )
    .handleAll({
      items: forVeteran((veteranId, { query: { includeInactive, ...query } }) =>
        Effect.flatMap(record.list(veteranId, { ...query, includeInactive: includeInactive === "true" }), jsonAnswer)
      ),
      manifest: forVeteran((veteranId) => Effect.andThen(manifestMerge.expect, record.manifest(veteranId))),
      alerts: forVeteran((veteranId) =>
        Effect.map(record.manifest(veteranId), (manifest) => ({ items: alerts(manifest), nextCursor: null }))
      )
    })
})

export const SelfReportedHandlers = group("selfReported", function*(handlers) {
  const entries = yield* SelfReportedEntries
  return handlers.handleAll({
    list: forVeteran((veteranId, { query }) => entries.list(veteranId, query)),
    create: forVeteran((veteranId, { payload }) => entries.create(veteranId, payload)),
    change: forVeteran((veteranId, { params, payload }) => entries.change(veteranId, params.entryId, payload)),
    remove: forVeteran((veteranId, { params }) => entries.remove(veteranId, params.entryId))
  })
})
