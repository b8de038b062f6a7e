import { Effect, Metric } from "effect"
import { Conflict } from "../../domain/Errors.ts"
import type { VeteranId } from "../../domain/Id.ts"
import * as RecordSizeRepository from "../../sql/record/RecordSizeRepository.ts"
import type { RecordSize } from "../../sql/record/RecordSizeRepository.ts"
import { Settings } from "../platform/Settings.ts"

const total = ({ active, inactive }: RecordSize) => active + inactive

/**
 * Limits a record's size at the end of a sync, in its transaction (contract, part 5). Inactive items are removed to
 * make room. A sync is refused if the active items alone exceed RECORD_LIMIT_MB and take more space than before. So a
 * record stays usable after its limit is lowered. `before` is the size before the sync.
 */
export const recordRoom = Effect.gen(function*() {
  const { storageLimits: { record: limit } } = yield* Settings
  // Counters start at 0, so that monitoring sees their first increase.
  yield* Metric.update(refusedSyncs, 0)
  yield* Metric.update(removedItems, 0)
  return Effect.fnUntraced(function*(veteranId: VeteranId, before: RecordSize) {
    const after = yield* RecordSizeRepository.size(veteranId)
    if (after.active > limit && after.active > before.active) {
      yield* Metric.update(refusedSyncs, 1)
      return yield* new Conflict({
        message:
          `A record is kept up to ${limit / 1024 / 1024} MiB in all, and what this sync would leave active is more. ` +
          "Send fewer resources, or ask the operator of the service for more room."
      })
    }
    const missing = total(after) - limit
    const removes = missing > 0 && total(after) > total(before)
    if (removes) yield* Metric.update(removedItems, yield* RecordSizeRepository.removeInactive(missing))
    yield* Metric.update(filled, 100 * after.active / limit)
  })
})

const refusedSyncs = Metric.counter("record_limit_refused_total", {
  description: "Syncs that were refused because active items alone would pass RECORD_LIMIT_MB",
  incremental: true
})

const removedItems = Metric.counter("record_limit_removed_items_total", {
  description: "Inactive items that were removed before their time because a sync needed their room",
  incremental: true
})

const filled = Metric.histogram("record_limit_used_percent", {
  description: "What active items take of RECORD_LIMIT_MB after a sync that wrote",
  boundaries: [10, 25, 50, 75, 90, 100]
})
