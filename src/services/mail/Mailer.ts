import { Context, Data, Effect, Layer, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { createSecureContext, getCACertificates } from "node:tls"
import { createTransport, type SendMailOptions } from "nodemailer"
import { dataFolder, makeDataFolder } from "../platform/DataFolder.ts"
import { Settings } from "../platform/Settings.ts"
import { isLoopback } from "../platform/VariableRules.ts"
import { whyNotSent } from "./SmtpErrors.ts"

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** Whoever made it has escaped it: see `html` in Html.ts. */
  readonly html: string
}

/** The mail server did not take the mail. The message says nothing of the mail itself. */
export class MailNotSent extends Data.TaggedError("MailNotSent")<{ readonly message: string }> {}

/** The message says in words what failed. */
export class MailServerUnusable extends Data.TaggedError("MailServerUnusable")<{ readonly message: string }> {}

export class MailAuthorityUnusable extends Data.TaggedError("MailAuthorityUnusable") {
  override readonly message = "SMTP_CA_CERT must name a PEM file of certificates that can be read"
}

/**
 * A connection is kept for the next mail, because greeting, TLS and signing in cost more than a mail: where the server greets after
 * 100 ms a mail takes 2–4 ms, not 104–109. One that the server closed meanwhile is noticed when the next mail is to go by it, at
 * the latest; as long as no byte of that mail has gone, it goes by another, of which `maxRequeues` lets it meet as many as there
 * are. A kept connection says goodbye before `socketTimeout`, which would take its silence for a server that hangs.
 */
const kept = { pool: true, maxConnections: 5, maxRequeues: 5, idleTimeout: 8000 } as const

/** In milliseconds. Who waits for a connection, or for a server that says one word after the other, waits no longer. */
const maxSendingMs = 20_000

/** Mails go here when SMTP_URL is unset. They hold links and codes: the folder is for its owner alone. */
export const mailFolder = join(dataFolder, "mail")

/** Sends mail by SMTP, or as `.eml` files (RFC 5322) where no server is configured. */
export class Mailer extends Context.Service<Mailer, {
  readonly send: (mail: Mail) => Effect.Effect<void, MailNotSent>
  /** Connects and signs in as for a mail, and sends none. */
  readonly verify: Effect.Effect<void, MailServerUnusable>
}>()("vrss/Mailer") {
  static readonly layer = Layer.effect(
    Mailer,
    Effect.gen(function*() {
      const { mailFrom, production, smtpAuthorityFile, smtpUrl } = yield* Settings
      const complete = ({ to, ...content }: Mail): SendMailOptions => ({
        ...content,
        from: mailFrom,
        // This is one address and no list, so that a comma or a line break in it names nobody else.
        to: { name: "", address: to },
        // This asks for no out-of-office answers (RFC 3834, 5).
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
      const smtp = yield* Effect.acquireRelease(
        Effect.sync(() =>
          createTransport({
            ...kept,
            url: Redacted.value(smtpUrl),
            // A link and its code may travel here: a server that offers no TLS is refused unless it is on this machine.
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
      return Mailer.of({
        verify: Effect.tryPromise({
          try: () => smtp.verify(),
          catch: (cause) => new MailServerUnusable({ message: whyNotSent(cause) })
        }).pipe(Effect.asVoid),
        send: (mail) => attempt(() => smtp.sendMail({ ...complete(mail), signal: AbortSignal.timeout(maxSendingMs) }))
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
    catch: (cause) => new MailNotSent({ message: `mail not sent: ${whyNotSent(cause)}` })
  }).pipe(Effect.asVoid)
