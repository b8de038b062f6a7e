import { Effect, Metric } from "effect"
import * as NoticeRepository from "../../sql/account/NoticeRepository.ts"
import { OwnConnections } from "../../sql/Connections.ts"
import type { Job } from "../platform/Jobs.ts"

/** Veterans whose notices are decided in one transaction. Looks at their records wait for it, so it is short. */
const batch = 50

/**
 * Puts into the outbox what veterans want to be told: looks, ends of shares, a record that is not updated. Each
 * decision and its mails are one transaction (migrations/038). So several processes may do this, and may die. A run
 * returns the number of mails.
 */
export const noticeSweep = Effect.gen(function*() {
  const notices = NoticeRepository.make(yield* OwnConnections)
  yield* Metric.update(told, 0)
  const run = Effect.gen(function*() {
    const due = yield* notices.due
    let mails = 0
    for (let at = 0; at < due.length; at += batch) {
      const put = yield* notices.tell(due.slice(at, at + batch))
      yield* Metric.update(told, put)
      mails += put
    }
    return mails
  })
  return { name: "notices", every: "1 hour", first: "2 minutes", run } satisfies Job
})

const told = Metric.counter("notices_total", {
  description: "Mails about looks, ends of shares and old records that were put into the outbox",
  incremental: true
})
