import { Clock, Duration, Effect, Option, Schedule } from "effect"
import { retention } from "../../domain/Retention.ts"
import { SharedConnections } from "../../sql/Connections.ts"
import * as OutboxRepository from "../../sql/mail/OutboxRepository.ts"
import { counters } from "../platform/Gauges.ts"
import { logTrouble } from "../platform/Outage.ts"

/** What nobody takes for a day is given up. */
const patience = Duration.toMillis(retention.mail.after)

const count = counters("outbox_deliveries_total", {
  description: "Messages of the outbox that were sent, put off because their receiver did not take them, or given up",
  label: "outcome",
  values: ["sent", "put off", "given up"]
})

/**
 * Sends what may wait. A row is written in the transaction of its cause (migrations/013); a fiber sends those of these kinds
 * that are due, so that one process sends each, and tries again with growing pauses. An error's message goes to the log.
 */
export const sendDue = Effect.fnUntraced(function*<
  const Kind extends OutboxRepository.OutboxKind,
  E extends { readonly message: string }
>(
  kinds: ReadonlyArray<Kind>,
  send: (row: OutboxRepository.OutboxRow<Kind>) => Effect.Effect<void, E>
) {
  const outbox = OutboxRepository.make(yield* SharedConnections)
  const take = outbox.taking(kinds)

  const failed = Effect.fnUntraced(
    function*({ createdAt, id, kind }: OutboxRepository.OutboxRow<Kind>, message: string) {
      if ((yield* Clock.currentTimeMillis) - createdAt.getTime() < patience) {
        count("put off")
        yield* Effect.logWarning(`${kind}: ${message}; it is tried again`)
        yield* outbox.postpone(id)
      } else {
        count("given up")
        yield* Effect.logError(`${kind}: ${message}; given up after a day`)
        yield* outbox.remove(id)
      }
    }
  )

  const deliver = Effect.fnUntraced(function*(row: OutboxRepository.OutboxRow<Kind>) {
    yield* send(row)
    count("sent")
    yield* outbox.remove(row.id)
  })

  const drain = Effect.gen(function*() {
    for (;;) {
      const row = yield* take
      if (Option.isNone(row)) return
      // It is uninterruptible, because the row of what was taken must go.
      yield* deliver(row.value).pipe(
        Effect.catch(({ message }) => failed(row.value, message)),
        Effect.uninterruptible
      )
    }
  })

  yield* drain.pipe(
    Effect.catchCause(logTrouble("outbox")),
    Effect.repeat(Schedule.spaced("1 second")),
    Effect.forkScoped
  )
})
