import { Duration, Effect, Layer, Option } from "effect"
import { retention } from "../../domain/Retention.ts"
import { SharedConnections } from "../../sql/Connections.ts"
import * as OutboxRepository from "../../sql/mail/OutboxRepository.ts"
import { sampleGauge } from "../platform/Gauges.ts"
import { startJob } from "../platform/Jobs.ts"
import { Mailer } from "./Mailer.ts"
import { type Patience, sendDue } from "./Outbox.ts"
import { outboxMails } from "./OutboxMails.ts"

/** Retries after 15 seconds, then 30, and so on up to an hour. Gives up a mail that is not accepted within a day. */
export const forADay: Patience = {
  pauseAfter: (tries, millis) =>
    millis < Duration.toMillis(retention.mail.after) ? Math.min(15 * 2 ** (tries - 1), 3600) : undefined,
  name: "a day"
}

/** Sends the mails of the outbox, and measures how many wait. */
export const MailOutbox = Layer.effectDiscard(Effect.gen(function*() {
  const mailer = yield* Mailer
  const outbox = OutboxRepository.make(yield* SharedConnections)
  const write = yield* outboxMails

  const sending = (kinds: ReadonlyArray<typeof OutboxRepository.mailKinds[number]>) =>
    sendDue({
      take: outbox.taking(kinds),
      send: Effect.fnUntraced(function*(row) {
        const mail = yield* write(row)
        if (Option.isSome(mail)) yield* mailer.send(mail.value)
      }),
      patience: forADay
    })
  // A day's notices are thousands of mails. Codes that work for ten minutes cannot wait behind them.
  yield* sending(OutboxRepository.mailKinds.filter((kind) => kind !== "notice"))
  yield* sending(["notice"])

  let waiting: OutboxRepository.Waiting | undefined
  yield* sampleGauge("outbox_mails", "Messages that wait in the outbox", () => waiting?.mails)
  yield* sampleGauge("outbox_oldest_seconds", "How long the oldest of them has waited", () => waiting?.oldestSeconds)
  const measure = Effect.tap(outbox.waiting, (sample) => Effect.sync(() => waiting = sample))
  yield* startJob({ name: "outbox", every: "15 seconds", run: measure })
}))
