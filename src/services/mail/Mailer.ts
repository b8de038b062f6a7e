import { Context, Data, Effect, Layer, RcMap, Redacted, Semaphore } from "effect"
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { createSecureContext, getCACertificates } from "node:tls"
import { createTransport, type SendMailOptions } from "nodemailer"
import type { VeteranId } from "../../domain/Id.ts"
import { serviceName } from "../../domain/ServiceName.ts"
import { dataFolder, makeDataFolder } from "../platform/DataFolder.ts"
import type { Html } from "../platform/Html.ts"
import { Settings } from "../platform/Settings.ts"
import { isLoopback } from "../platform/VariableRules.ts"
import type { Paragraph } from "./MailFacts.ts"
import type { MailWords } from "./MailWords.en.ts"
import { whyNotSent } from "./SmtpErrors.ts"

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: Html
  /** What it tells, if it may be told in one mail with others. */
  readonly tells?: (words: MailWords) => ReadonlyArray<Paragraph>
}

/** The mail could not be written, or the mail server did not take it. The message has nothing of the mail itself. */
export class MailNotSent extends Data.TaggedError("MailNotSent")<{ readonly message: string }> {}

export class MailServerUnusable extends Data.TaggedError("MailServerUnusable")<{ readonly message: string }> {}

export class MailAuthorityUnusable extends Data.TaggedError("MailAuthorityUnusable") {
  override readonly message = "SMTP_CA_CERT must name a PEM file of certificates that can be read"
}

/**
 * Connections are kept for the next mail, because greeting, TLS and signing in cost more than a mail. With a server
 * that greets after 100 ms, a mail takes 2–4 ms instead of 104–109. If the server has closed a kept connection, a mail
 * of which no byte was sent tries another one. `maxRequeues` lets it try all of them. `idleTimeout` closes an unused
 * connection before `socketTimeout` would report a server that does not answer.
 */
const kept = { pool: true, idleTimeout: 8000 } as const

/**
 * Maximum number of connections of each line. A person waits for a code, so no other mail takes its connections. The
 * outbox sends six codes at once, and one account has two more: one connection is left for anybody else's.
 */
const lines = { codes: 9, others: 5 } as const

/** Maximum number of mails that requests of one account send at once on a line. Its other mails wait. */
const perAccount = 2

/** The longest time for one mail, in milliseconds, even if the pool is busy or the server answers slowly. */
const maxSendingMs = 20_000

/** The line of a mail, and the account for which a request sends it. */
interface Sending {
  readonly line: keyof typeof lines
  readonly account?: VeteranId
}

/** Mails are written here if SMTP_URL is unset. They contain links and codes: only the owner may read the folder. */
export const mailFolder = join(dataFolder, "mail")

/** Sends mail by SMTP, or writes `.eml` files (RFC 5322) if no server is configured. */
export class Mailer extends Context.Service<Mailer, {
  readonly send: (mail: Mail, sending?: Sending) => Effect.Effect<void, MailNotSent>
  /** Connects and signs in without sending a mail. */
  readonly verify: Effect.Effect<void, MailServerUnusable>
}>()("vrss/services/mail/Mailer") {
  static readonly layer = Layer.effect(
    Mailer,
    Effect.gen(function*() {
      const { mailFrom, production, smtpAuthorityFile, smtpUrl } = yield* Settings
      const complete = ({ html, subject, text, to }: Mail): SendMailOptions => ({
        subject,
        text,
        html: `${html}`,
        from: { name: mailFrom.name ?? serviceName, address: mailFrom.address },
        // An object is one address, never a list, so a comma or a line break in it names nobody else.
        to: { name: "", address: to },
        // This asks recipients' servers not to send out-of-office replies (RFC 3834, 5).
        headers: { "auto-submitted": "auto-generated" },
        disableFileAccess: true,
        disableUrlAccess: true
      })

      if (smtpUrl === undefined) {
        const compose = createTransport({ streamTransport: true, buffer: true })
        return Mailer.of({
          verify: Effect.void,
          send: (mail) =>
            attempt(async () => {
              const { message } = await compose.sendMail(complete(mail))
              await makeDataFolder("mail")
              const name = `${new Date().toISOString().replaceAll(":", "-")}-${randomUUID()}`
              const written = join(mailFolder, `.${name}.part`)
              await Fs.writeFile(written, message as Buffer, { mode: 0o600 })
              await Fs.rename(written, join(mailFolder, `${name}.eml`))
            })
        })
      }
      const authority = smtpAuthorityFile === undefined ? undefined : yield* readAuthority(smtpAuthorityFile)
      const connect = (maxConnections: number) =>
        Effect.acquireRelease(
          Effect.sync(() =>
            createTransport({
              ...kept,
              maxConnections,
              maxRequeues: maxConnections,
              url: Redacted.value(smtpUrl),
              // Mails carry links and codes, so production refuses a server without TLS unless it is on this machine.
              requireTLS: production &&
                !isLoopback(new URL(Redacted.value(smtpUrl)).hostname.replace(/^\[(.*)\]$/, "$1")),
              ...(authority === undefined ? {} : { tls: { ca: [...getCACertificates(), authority] } }),
              connectionTimeout: 5000,
              greetingTimeout: 5000,
              socketTimeout: 10_000
            })
          ),
          (transport) => Effect.sync(() => transport.close())
        )
      const lineOf = { codes: yield* connect(lines.codes), others: yield* connect(lines.others) }
      const turns = yield* RcMap.make({ lookup: (_account: string) => Semaphore.make(perAccount) })

      const inTurn = ({ account, line }: Sending, send: Effect.Effect<void, MailNotSent>) =>
        account === undefined ? send : RcMap.get(turns, `${line} ${account}`).pipe(
          Effect.flatMap((turn) => turn.withPermits(1)(send)),
          Effect.scoped,
          Effect.timeoutOrElse({
            duration: maxSendingMs,
            orElse: () => Effect.fail(notSent("too many mails of this account are being sent"))
          })
        )

      return Mailer.of({
        verify: Effect.tryPromise({
          try: () => lineOf.others.verify(),
          catch: (cause) => new MailServerUnusable({ message: whyNotSent(cause) })
        }).pipe(Effect.asVoid),
        send: (mail, sending = { line: "others" }) => {
          const smtp = lineOf[sending.line]
          return inTurn(
            sending,
            attempt(() => smtp.sendMail({ ...complete(mail), signal: AbortSignal.timeout(maxSendingMs) }))
          )
        }
      })
    })
  )
}

const readAuthority = (file: string) =>
  Effect.try({
    try: () => {
      const pem = readFileSync(file, "utf8")
      createSecureContext({ ca: pem })
      if (!pem.includes("-----BEGIN CERTIFICATE-----")) throw new MailAuthorityUnusable()
      return pem
    },
    catch: () => new MailAuthorityUnusable()
  })

const attempt = (send: () => Promise<unknown>) =>
  Effect.tryPromise({
    try: send,
    catch: (cause) => notSent(whyNotSent(cause))
  }).pipe(Effect.asVoid)

const notSent = (reason: string) => new MailNotSent({ message: `mail not sent: ${reason}` })
