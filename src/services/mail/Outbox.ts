import { Clock, Effect, Option, Schedule } from "effect"
import { SharedConnections } from "../../sql/Connections.ts"
import * as OutboxRepository from "../../sql/mail/OutboxRepository.ts"
import { counters } from "../platform/Gauges.ts"
import { logTrouble } from "../platform/Outage.ts"

const count = counters("outbox_deliveries_total", {
  description: "Messages of the outbox that were sent, put off because their receiver did not take them, or given up",
  label: "outcome",
  values: ["sent", "put off", "given up"]
})

/** Decides when to retry a message that its receiver did not accept. */
export interface Patience {
  /** Returns the seconds until the next try, or undefined to give up. `millis` is the message's age in milliseconds. */
  readonly pauseAfter: (tries: number, millis: number) => number | undefined
  /** When a message is given up, in the words of the log line: "given up after …". */
  readonly name: string
}

interface Delivery<Row, E> {
  /** Takes a message that is due, and counts the try. */
  readonly take: Effect.Effect<Option.Option<Row>>
  readonly send: (row: Row) => Effect.Effect<void, E>
  readonly patience: Patience
  /** Maximum number of messages that are sent concurrently; one by default. */
  readonly atOnce?: number
}

/**
 * Sends the messages of the outbox. A message's row is written in the transaction that causes it (migrations/013). Each
 * row is sent by one process only, and tried again with growing pauses. An error's message goes to the log.
 */
export const sendDue = Effect.fnUntraced(function*<
  Row extends OutboxRepository.OutboxMessage,
  E extends { readonly message: string }
>({ atOnce = 1, patience, send, take }: Delivery<Row, E>) {
  const outbox = OutboxRepository.make(yield* SharedConnections)
  const scope = yield* Effect.scope
  let running = 0

  const failed = Effect.fnUntraced(function*({ attempts, createdAt, id, kind }: Row, message: string) {
    const pause = patience.pauseAfter(attempts, (yield* Clock.currentTimeMillis) - createdAt.getTime())
    // The line is logged after the row is changed, so a reader of the log finds the announced retry already in the row.
    if (pause === undefined) {
      yield* outbox.remove(id)
      count("given up")
      yield* Effect.logError(`${kind}: ${message}; given up after ${patience.name}`)
    } else {
      yield* outbox.postpone(id, pause)
      count("put off")
      yield* Effect.logWarning(`${kind}: ${message}; it is tried again`)
    }
  })

  const deliver = Effect.fnUntraced(function*(row: Row) {
    yield* send(row)
    count("sent")
    yield* outbox.remove(row.id)
  })

  const drain: Effect.Effect<void> = Effect.gen(function*() {
    for (;;) {
      const row = yield* take
      if (Option.isNone(row)) return
      // More messages may be due, so this starts another loop, unless `atOnce` loops are already running.
      yield* drainToo
      // Uninterruptible: once the receiver has accepted a message, its row must be removed, or it would be sent again.
      yield* deliver(row.value).pipe(
        Effect.catch(({ message }) => failed(row.value, message)),
        Effect.uninterruptible
      )
    }
  }).pipe(
    Effect.catchCause(logTrouble("outbox")),
    Effect.ensuring(Effect.sync(() => running--))
  )

  const drainToo = Effect.suspend(() => {
    if (running >= atOnce) return Effect.void
    running++
    return Effect.asVoid(Effect.forkIn(drain, scope))
  })

  yield* drainToo.pipe(Effect.repeat(Schedule.spaced("1 second")), Effect.forkScoped)
})
