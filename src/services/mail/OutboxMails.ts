import { Effect, Option, Schema } from "effect"
import { emailChangeLimits } from "../../domain/EmailChange.ts"
import { NoticeFacts } from "../../domain/Notices.ts"
import { recipientHint } from "../../domain/RecipientHint.ts"
import { OwnConnections, SharedConnections } from "../../sql/Connections.ts"
import * as OutboxRepository from "../../sql/mail/OutboxRepository.ts"
import { passwordLinks } from "../account/provider/PasswordLinks.ts"
import { pairingCodes } from "../account/session/PairingCodes.ts"
import { emailCodes } from "../account/veteran/EmailCodes.ts"
import { Crypto } from "../platform/Crypto.ts"
import { html } from "../platform/Html.ts"
import { placeOf } from "../platform/SealedColumns.ts"
import { Settings } from "../platform/Settings.ts"
import { accountNotice, deletionAsked, emailChanged, pairingCode } from "./AccountMails.ts"
import { appNotice } from "./AppMails.ts"
import { notice } from "./LinkMails.ts"
import { type Mail, MailNotSent } from "./Mailer.ts"
import { emailCode, exportNotice, noticeMail } from "./NoticeMails.ts"
import { passwordChanged, passwordLink } from "./ProviderMails.ts"

type MailKind = typeof OutboxRepository.mailKinds[number]

type MailRow = OutboxRepository.OutboxRow<MailKind>

type Writer<Kind extends MailKind> = (
  row: MailRow & { readonly kind: Kind }
) => Effect.Effect<Option.Option<Mail>, MailNotSent>

/**
 * Makes the function that writes the mail of a row. It returns None if there is nobody to tell, or nothing any more. An
 * error puts the mail off, and in the end it is given up. A defect would leave the row to be tried for ever.
 */
export const outboxMails = Effect.gen(function*() {
  const crypto = yield* Crypto
  const outbox = OutboxRepository.make(yield* SharedConnections)
  const waiter = OutboxRepository.make(yield* OwnConnections)
  const { adminEmail, portalUrl, veteranApp } = yield* Settings
  const [portalHost, appHost] = [new URL(portalUrl).host, new URL(veteranApp.url).host]
  const codes = yield* pairingCodes
  const changeCodes = yield* emailCodes
  const links = yield* passwordLinks

  const toVeteran = (write: (email: string, row: MailRow) => Mail) => (row: MailRow) =>
    Effect.map(outbox.veteran(row.subjectId), Option.map(({ email }) => write(email, row)))

  const ofAccount = <Kind extends Parameters<typeof accountNotice>[1]>({ createdAt, kind, subjectId }: MailRow & {
    readonly kind: Kind
  }) => Effect.map(outbox.veteran(subjectId), Option.map(({ email }) => accountNotice(email, kind, createdAt)))

  const ofApp = (
    { createdAt, kind, subjectId, veteranId }: MailRow & { readonly kind: Parameters<typeof appNotice>[1] }
  ) =>
    Effect.map(
      outbox.appOfGrant(veteranId, subjectId),
      Option.map(({ appName, email }) => appNotice(email, kind, appName, createdAt))
    )

  const ofLink = Effect.fnUntraced(
    function*({ createdAt, kind, subjectId, veteranId }: MailRow & { readonly kind: Parameters<typeof notice>[1] }) {
      const link = yield* outbox.linkOfNotice(veteranId, subjectId)
      if (Option.isNone(link) || (kind !== "link_locked" && !link.value.wantsLooks)) return Option.none()
      const { email, linkId, recipientEmailCiphertext } = link.value
      const place = placeOf("secure_links", "recipient_email_ciphertext", link.value.veteranId, linkId)
      const recipient = yield* Effect.mapError(crypto.open(place, recipientEmailCiphertext), notWritten)
      return Option.some(notice(email, kind, recipientHint(`${recipient}`), createdAt))
    }
  )

  const ofChange = (
    { address, createdAt, facts, kind }: MailRow & { readonly kind: Parameters<typeof emailChanged>[1] }
  ) =>
    Effect.succeed(Option.map(
      Option.all([Option.fromNullishOr(address), decodeChange(facts)]),
      ([reader, { to }]) => emailChanged(reader, kind, { to, at: createdAt })
    ))

  const writers: { readonly [Kind in MailKind]: Writer<Kind> } = {
    link_opened: ofLink,
    link_viewed: ofLink,
    link_locked: ofLink,
    app_connected: ofApp,
    app_replayed: ofApp,
    waitlist_joined: ({ subjectId }) =>
      Effect.map(outbox.signup(subjectId), Option.map(({ email }) => waitlistMail(adminEmail, email))),
    pairing_code: ({ subjectId, veteranId }) =>
      Effect.map(
        waiter.addresseeOfPairing(veteranId, subjectId),
        Option.map(({ email }) => pairingCode(email, codes.mailed(subjectId), appHost))
      ),
    new_device: ofAccount,
    identity_added: ofAccount,
    identity_removed: ofAccount,
    passkey_added: ofAccount,
    passkey_removed: ofAccount,
    access_ended: ofAccount,
    deletion_asked: toVeteran((email, { createdAt, facts }) =>
      deletionAsked(email, createdAt, new Date(`${facts?.["endsAt"]}`))
    ),
    deletion_cancelled: ofAccount,
    // Nobody has the veteran's address any more but this row.
    deletion_done: ({ address, createdAt, kind }) =>
      Effect.succeed(Option.map(Option.fromNullishOr(address), (email) => accountNotice(email, kind, createdAt))),
    provider_email_changed: ofChange,
    veteran_email_changed: ofChange,
    email_code: ({ subjectId, veteranId }) =>
      Effect.map(
        outbox.addresseeOfChange(veteranId, subjectId, emailChangeLimits.codeSeconds),
        Option.map(({ email }) => emailCode(email, changeCodes.mailed(subjectId), appHost))
      ),
    password_link: ({ subjectId }) =>
      Effect.map(
        outbox.passwordLink(subjectId),
        Option.map((link) => passwordLink(link, `${portalUrl}/password#${links.token(subjectId)}`))
      ),
    password_changed: ({ createdAt, subjectId }) =>
      Effect.map(
        outbox.provider(subjectId),
        Option.map(({ email }) => passwordChanged(email, createdAt, portalHost))
      ),
    export_made: toVeteran((email, { createdAt, facts }) => exportNotice(email, isByOperator(facts), createdAt)),
    notice: ({ facts, subjectId }) =>
      Effect.flatMap(
        Effect.mapError(decodeNotice(facts), () => notWritten({ message: "its facts cannot be read" })),
        (told) => Effect.map(outbox.veteran(subjectId), Option.map(({ email }) => noticeMail(email, told)))
      )
  }
  return (row: MailRow) => (writers[row.kind] as Writer<MailKind>)(row)
})

const notWritten = ({ message }: { readonly message: string }) =>
  new MailNotSent({ message: `mail not written: ${message}` })

const decodeChange = Schema.decodeUnknownOption(Schema.Struct({ to: Schema.Literals(["old", "new"]) }))

const decodeNotice = Schema.decodeUnknownEffect(NoticeFacts)

const isByOperator = Schema.is(Schema.Struct({ by: Schema.Literal("operator") }))

const waitlistMail = (to: string, email: string): Mail => ({
  to,
  subject: "New waitlist signup",
  text: `${email} joined the waitlist.\n`,
  html:
    html`<!doctype html><html lang="en"><title>New waitlist signup</title><p><b>${email}</b> joined the waitlist.</p></html>`
})
