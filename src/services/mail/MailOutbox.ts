import { Duration, Effect, Layer, Option } from "effect"
import { retention } from "../../domain/Retention.ts"
import { SharedConnections } from "../../sql/Connections.ts"
import * as OutboxRepository from "../../sql/mail/OutboxRepository.ts"
import * as RateLimitRepository from "../../sql/platform/RateLimitRepository.ts"
import { sampleGauge } from "../platform/Gauges.ts"
import { startJob } from "../platform/Jobs.ts"
import { RateLimits } from "../platform/RateLimits.ts"
import { type Mail, Mailer } from "./Mailer.ts"
import { type Patience, sendDue } from "./Outbox.ts"
import { outboxMails } from "./OutboxMails.ts"
import { together } from "./SeveralMails.ts"

/** Retries after 15 seconds, then 30, and so on up to an hour. Gives up a mail that is not accepted within a day. */
export const forADay: Patience = {
  pauseAfter: (tries, millis) =>
    millis < Duration.toMillis(retention.mail.after) ? Math.min(15 * 2 ** (tries - 1), 3600) : undefined,
  name: "a day"
}

const { codeKinds, mailKinds, noticeKinds, veteranKinds } = OutboxRepository

type MailKind = typeof mailKinds[number]

type MailRow = OutboxRepository.OutboxRow<MailKind>

const isCode = (kind: MailKind) => codeKinds.some((code) => code === kind)

const isNotice = (kind: MailKind) => noticeKinds.some((notice) => notice === kind)

/** A mail to an address in its row, such as the veteran's address of before, is told at once and alone. */
const isToVeteran = ({ address, kind }: MailRow) => address === null && veteranKinds.some((other) => other === kind)

/** How many mails besides codes a veteran gets in an hour, each of several things once there are more. */
const mailsToVeteran = { permits: 20, seconds: 3600 } as const

/** Sends the mails of the outbox, and measures how many wait. */
export const MailOutbox = Layer.effectDiscard(Effect.gen(function*() {
  const mailer = yield* Mailer
  const outbox = OutboxRepository.make(yield* SharedConnections)
  const permits = RateLimitRepository.make(yield* SharedConnections)
  const limits = yield* RateLimits
  const write = yield* outboxMails

  /** Takes a message, but holds those of a veteran who has had the mails of an hour. Another try counts once. */
  const taking = (...lane: Parameters<typeof outbox.taking<MailKind>>) => {
    const take = outbox.taking(...lane)
    return Effect.gen(function*() {
      for (;;) {
        const row = yield* take
        if (Option.isNone(row) || row.value.attempts > 1 || !isToVeteran(row.value)) return row
        const key = limits.keyOf("mails", `${row.value.veteranId}`)
        const { granted, retryAfter } = yield* permits.spendPermits({ key, ...mailsToVeteran, wanted: 1 })
        if (granted > 0) return row
        yield* outbox.hold(row.value, retryAfter)
      }
    })
  }

  /** Sends a mail, together with those that are told in it. */
  const send = Effect.fnUntraced(function*(row: MailRow) {
    const mail = yield* Effect.tapError(write(row), () => outbox.partAll(row))
    const joined = isToVeteran(row) ? yield* outbox.joined(row) : []
    const others = yield* Effect.forEach(joined, (row) =>
      write(row).pipe(
        Effect.map((mail) => ({ row, mail })),
        Effect.catch(() => Effect.as(outbox.part(row), { row, mail: Option.none<Mail>() }))
      ))
    const [first, ...earlier] = [{ row, mail }, ...others]
      .toSorted((one, other) => other.row.createdAt.getTime() - one.row.createdAt.getTime())
      .flatMap(({ mail }) => Option.toArray(mail))
    const line = isCode(row.kind) ? "codes" : "others"
    if (first !== undefined) yield* mailer.send(together([first, ...earlier]), { line })
  })

  const sending = (take: ReturnType<typeof taking>, atOnce = 1) => sendDue({ take, send, patience: forADay, atOnce })

  // Codes work for ten minutes. They cannot wait behind other mails, nor behind one another. Notices and sign-ups may
  // be thousands, behind which a veteran's other mails cannot wait.
  yield* sending(taking("codes", codeKinds), 6)
  yield* sending(taking("mails", mailKinds.filter((kind) => !isNotice(kind) && !isCode(kind))))
  yield* sending(taking("notices", noticeKinds))

  let waiting: OutboxRepository.Waiting | undefined
  yield* sampleGauge("outbox_mails", "Messages that wait in the outbox", () => waiting?.mails)
  yield* sampleGauge("outbox_oldest_seconds", "How long the oldest of them has waited", () => waiting?.oldestSeconds)
  const measure = Effect.tap(outbox.waiting, (sample) => Effect.sync(() => waiting = sample))
  yield* startJob({ name: "outbox", every: "15 seconds", run: measure })
}))
