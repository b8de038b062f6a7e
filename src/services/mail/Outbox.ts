import { Clock, Effect, Layer, Option, Schedule } from "effect"
import { SharedConnections } from "../../sql/Connections.ts"
import * as OutboxRepository from "../../sql/mail/OutboxRepository.ts"
import { counters, sampleGauge } from "../platform/Gauges.ts"
import { logTrouble } from "../platform/Outage.ts"
import { Settings } from "../platform/Settings.ts"
import { html } from "./Html.ts"
import { notice } from "./LinkMails.ts"
import { type Mail, Mailer } from "./Mailer.ts"

/** A mail that nobody takes for a day is given up. */
const patience = 24 * 3_600_000

const countMail = counters("outbox_deliveries_total", {
  description: "Mails of the outbox that were sent, put off because the mail server did not take them, or given up",
  label: "outcome",
  values: ["sent", "put off", "given up"]
})

/**
 * Sends the mail that may wait. A row is written in the transaction of its cause (migrations/013); a fiber sends what
 * is due, so that one process sends each mail, and tries again with growing pauses.
 */
export const Outbox = Layer.effectDiscard(Effect.gen(function*() {
  const mailer = yield* Mailer
  const outbox = OutboxRepository.make(yield* SharedConnections)
  const { adminEmail } = yield* Settings

  const write = Effect.fnUntraced(
    function*({ createdAt, kind, subjectId }: OutboxRepository.OutboxRow) {
      if (kind === "waitlist_joined") {
        return Option.map(yield* outbox.signup(subjectId), ({ email }) => waitlistMail(adminEmail, email))
      }
      return Option.map(yield* outbox.veteranOfLink(subjectId), ({ email }) => notice(email, kind, createdAt))
    }
  )

  const deliver = Effect.fnUntraced(function*(row: OutboxRepository.OutboxRow) {
    const mail = yield* write(row)
    if (Option.isSome(mail)) {
      yield* mailer.send(mail.value)
      countMail("sent")
    }
    yield* outbox.remove(row.id)
  })

  const failed = Effect.fnUntraced(function*({ createdAt, id, kind }: OutboxRepository.OutboxRow, message: string) {
    if ((yield* Clock.currentTimeMillis) - createdAt.getTime() < patience) {
      countMail("put off")
      yield* Effect.logWarning(`${kind}: ${message}; it is tried again`)
      yield* outbox.postpone(id)
    } else {
      countMail("given up")
      yield* Effect.logError(`${kind}: ${message}; given up after a day`)
      yield* outbox.remove(id)
    }
  })

  const drain = Effect.gen(function*() {
    for (;;) {
      const row = yield* outbox.take
      if (Option.isNone(row)) return
      // It is uninterruptible, because the row of a mail that the server took must go.
      yield* deliver(row.value).pipe(
        Effect.catchTag("MailNotSent", ({ message }) => failed(row.value, message)),
        Effect.uninterruptible
      )
    }
  })

  let waiting: OutboxRepository.Waiting | undefined
  yield* sampleGauge("outbox_mails", { description: "Mails that wait in the outbox" }, () => waiting?.mails)
  yield* sampleGauge(
    "outbox_oldest_seconds",
    { description: "How long the oldest of them has waited" },
    () => waiting?.oldestSeconds
  )
  yield* outbox.waiting.pipe(
    Effect.tap((found) => Effect.sync(() => waiting = found)),
    Effect.catchCause(logTrouble("outbox")),
    Effect.repeat(Schedule.spaced("15 seconds")),
    Effect.forkScoped
  )

  yield* drain.pipe(
    Effect.catchCause(logTrouble("outbox")),
    Effect.repeat(Schedule.spaced("1 second")),
    Effect.forkScoped
  )
}))

const waitlistMail = (to: string, email: string): Mail => ({
  to,
  subject: "New waitlist signup",
  text: `${email} joined the waitlist.\n`,
  html: html`<!doctype html><title>New waitlist signup</title><p><b>${email}</b> joined the waitlist.</p>`
})
