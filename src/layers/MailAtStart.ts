import { Effect, Layer } from "effect"
import { Mailer } from "../services/mail/Mailer.ts"

/**
 * A start whose mail cannot work says so, and serves all the same: most of the service needs no mail, and it may be
 * back in a moment.
 */
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
