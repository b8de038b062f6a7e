import { Context, Effect, Layer } from "effect"
import { Mailer } from "../mail/Mailer.ts"
import { html } from "../platform/Html.ts"
import { Settings } from "../platform/Settings.ts"
import { check, error, warningIf } from "./Finding.ts"

const testMail = (to: string) => ({
  to,
  subject: "Test mail of the Veteran Records Sharing Service",
  text: "The operator asked for this mail, to see whether mail arrives.\n",
  html:
    html`<!doctype html><title>Test mail</title><p>The operator asked for this mail, to see whether mail arrives.</p>`
})

/** Connects and signs in. A mail is sent only to an address that the operator gives. */
export const mailCheck = (testMailTo: string | undefined) =>
  check(
    "mail",
    ["SMTP_URL", "SMTP_CA_CERT", "MAIL_FROM"],
    Effect.gen(function*() {
      const { environment, smtpUrl } = yield* Settings
      const mailer = Context.get(yield* Layer.build(Layer.fresh(Mailer.layer)), Mailer)
      yield* testMailTo === undefined ? mailer.verify : mailer.send(testMail(testMailTo))
      return warningIf(
        smtpUrl === undefined && environment === "staging",
        "SMTP_URL is unset.",
        "Mails are written as files to .data/mail: no recipient gets a code.",
        "Set SMTP_URL if recipients are to get mail."
      )
    }).pipe(
      Effect.scoped,
      Effect.catch(({ message }) =>
        Effect.succeed([
          error(
            `Mail: ${message}.`,
            "Recipients of secure links get no one-time code (503), and notices to veterans wait.",
            "Look at SMTP_URL, SMTP_CA_CERT, MAIL_FROM and the mail server's own log; run the doctor again to see."
          )
        ])
      )
    )
  )
