import { Effect, Layer } from "effect"
import { Mailer } from "../services/mail/Mailer.ts"

/** Logs an error if the mail server cannot be used. The start goes on, because most of the service needs no mail. */
export const MailAtStart = Layer.effectDiscard(
  Mailer.use(({ verify }) => verify).pipe(
    Effect.catch(({ message }) =>
      Effect.logError(
        `mail: ${message}; until SMTP_URL's server can be used, one-time codes answer 503 and notices wait`
      )
    ),
    Effect.forkScoped
  )
)
