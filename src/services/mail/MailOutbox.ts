import { Duration, Effect, Layer, Option, Schedule, Schema } from "effect"
import { emailChangeLimits } from "../../domain/EmailChange.ts"
import { NoticeFacts } from "../../domain/Notices.ts"
import { recipientHint } from "../../domain/RecipientHint.ts"
import { retention } from "../../domain/Retention.ts"
import { OwnConnections, SharedConnections } from "../../sql/Connections.ts"
import * as OutboxRepository from "../../sql/mail/OutboxRepository.ts"
import { emailCodes } from "../account/EmailCodes.ts"
import { pairingCodes } from "../account/PairingCodes.ts"
import { passwordLinks } from "../account/PasswordLinks.ts"
import { Crypto } from "../platform/Crypto.ts"
import { sampleGauge } from "../platform/Gauges.ts"
import { html } from "../platform/Html.ts"
import { logTrouble } from "../platform/Outage.ts"
import { placeOf } from "../platform/SealedColumns.ts"
import { Settings } from "../platform/Settings.ts"
import { accountNotice, deletionAsked, emailChanged, pairingCode } from "./AccountMails.ts"
import { appNotice } from "./AppMails.ts"
import { notice } from "./LinkMails.ts"
import { type Mail, Mailer, MailNotSent } from "./Mailer.ts"
import { emailCode, exportNotice, noticeMail } from "./NoticeMails.ts"
import { type Patience, sendDue } from "./Outbox.ts"
import { passwordChanged, passwordLink } from "./ProviderMails.ts"

/** Retries after 15 seconds, then 30, and so on up to an hour. Gives up a mail that is not accepted within a day. */
export const forADay: Patience = {
  pauseAfter: (tries, millis) =>
    millis < Duration.toMillis(retention.mail.after) ? Math.min(15 * 2 ** (tries - 1), 3600) : undefined,
  name: "a day"
}

/** Sends the mails of the outbox, and measures how many wait. */
export const MailOutbox = Layer.effectDiscard(Effect.gen(function*() {
  const crypto = yield* Crypto
  const mailer = yield* Mailer
  const outbox = OutboxRepository.make(yield* SharedConnections)
  const waiter = OutboxRepository.make(yield* OwnConnections)
  const { adminEmail, portalUrl, veteranApp } = yield* Settings
  const codes = yield* pairingCodes
  const changeCodes = yield* emailCodes
  const links = yield* passwordLinks

  const write = Effect.fnUntraced(
    function*({ address, createdAt, facts, kind, subjectId }: MailRow) {
      if (kind === "waitlist_joined") {
        return Option.map(yield* outbox.signup(subjectId), ({ email }) => waitlistMail(adminEmail, email))
      }
      if (kind === "app_connected" || kind === "app_replayed") {
        return Option.map(
          yield* outbox.appOfGrant(subjectId),
          ({ appName, email }) => appNotice(email, kind, appName, createdAt)
        )
      }
      if (kind === "pairing_code") {
        return Option.map(
          yield* waiter.addresseeOfPairing(subjectId),
          ({ email }) => pairingCode(email, codes.mailed(subjectId), new URL(veteranApp.url).host)
        )
      }
      if (kind === "deletion_asked") {
        const until = new Date(`${facts?.["endsAt"]}`)
        return Option.map(yield* outbox.veteran(subjectId), ({ email }) => deletionAsked(email, createdAt, until))
      }
      // Nobody has the veteran's address any more but this row.
      if (kind === "deletion_done") {
        return Option.map(Option.fromNullishOr(address), (email) => accountNotice(email, kind, createdAt))
      }
      if (
        kind === "new_device" || kind === "identity_added" || kind === "identity_removed" || kind === "access_ended" ||
        kind === "deletion_cancelled"
      ) {
        return Option.map(yield* outbox.veteran(subjectId), ({ email }) => accountNotice(email, kind, createdAt))
      }
      if (kind === "email_code") {
        return Option.map(
          yield* outbox.addresseeOfChange(subjectId, emailChangeLimits.codeSeconds),
          ({ email }) => emailCode(email, changeCodes.mailed(subjectId), new URL(veteranApp.url).host)
        )
      }
      if (kind === "export_made") {
        return Option.map(
          yield* outbox.veteran(subjectId),
          ({ email }) => exportNotice(email, isByOperator(facts), createdAt)
        )
      }
      if (kind === "notice") {
        const told = yield* Effect.mapError(
          decodeNotice(facts),
          () => new MailNotSent({ message: "mail not written: its facts cannot be read" })
        )
        return Option.map(yield* outbox.veteran(subjectId), ({ email }) => noticeMail(email, told))
      }
      if (kind === "provider_email_changed" || kind === "veteran_email_changed") {
        return Option.map(
          Option.all([Option.fromNullishOr(address), decodeChange(facts)]),
          ([reader, { to }]) => emailChanged(reader, kind, { to, at: createdAt })
        )
      }
      if (kind === "password_link") {
        return Option.map(
          yield* outbox.passwordLink(subjectId),
          (link) => passwordLink(link, `${portalUrl}/password#${links.token(subjectId)}`)
        )
      }
      if (kind === "password_changed") {
        return Option.map(
          yield* outbox.provider(subjectId),
          ({ email }) => passwordChanged(email, createdAt, new URL(portalUrl).host)
        )
      }
      const link = yield* outbox.linkOfNotice(subjectId)
      if (Option.isNone(link) || (kind !== "link_locked" && !link.value.wantsLooks)) return Option.none()
      const { email, linkId, recipientEmailCiphertext, veteranId } = link.value
      const place = placeOf("secure_links", "recipient_email_ciphertext", veteranId, linkId)
      // As an error, it is put off and in the end given up. A defect would leave the row to be tried for ever.
      const recipient = yield* Effect.mapError(
        crypto.open(place, recipientEmailCiphertext),
        ({ message }) => new MailNotSent({ message: `mail not written: ${message}` })
      )
      return Option.some(notice(email, kind, recipientHint(`${recipient}`), createdAt))
    }
  )

  yield* sendDue({
    take: outbox.taking(OutboxRepository.mailKinds),
    send: Effect.fnUntraced(function*(row) {
      const mail = yield* write(row)
      if (Option.isSome(mail)) yield* mailer.send(mail.value)
    }),
    patience: forADay
  })

  let waiting: OutboxRepository.Waiting | undefined
  yield* sampleGauge("outbox_mails", { description: "Messages that wait in the outbox" }, () => waiting?.mails)
  yield* sampleGauge(
    "outbox_oldest_seconds",
    { description: "How long the oldest of them has waited" },
    () => waiting?.oldestSeconds
  )
  yield* outbox.waiting.pipe(
    Effect.tap((sample) => Effect.sync(() => waiting = sample)),
    Effect.catchCause(logTrouble("outbox")),
    Effect.repeat(Schedule.spaced("15 seconds")),
    Effect.forkScoped
  )
}))

const decodeNotice = Schema.decodeUnknownEffect(NoticeFacts)

const isByOperator = Schema.is(Schema.Struct({ by: Schema.Literal("operator") }))
type MailRow = OutboxRepository.OutboxRow<typeof OutboxRepository.mailKinds[number]>

const decodeChange = Schema.decodeUnknownOption(Schema.Struct({ to: Schema.Literals(["old", "new"]) }))

const waitlistMail = (to: string, email: string): Mail => ({
  to,
  subject: "New waitlist signup",
  text: `${email} joined the waitlist.\n`,
  html:
    html`<!doctype html><html lang="en"><title>New waitlist signup</title><p><b>${email}</b> joined the waitlist.</p></html>`
})
