import { Context, Effect, Layer, Option, Schema } from "effect"
import { randomBytes, randomInt } from "node:crypto"
import * as SecureLinkRepository from "../sql/SecureLinkRepository.ts"
import { LockingStatements } from "../sql/Statements.ts"
import { ApiError, ServiceUnavailable } from "./ApiError.ts"
import { Crypto } from "./Crypto.ts"
import { newId } from "./Ids.ts"
import { oneTimeCode } from "./LinkMails.ts"
import { Mailer } from "./Mailer.ts"
import { RateLimited } from "./RateLimits.ts"
import { ended, type LinkDisabled, type LinkExpired, LinkNotFound, SecureLinks } from "./SecureLinks.ts"

export class OtpInvalid extends ApiError<OtpInvalid>()("OtpInvalid", {
  code: "otp_invalid",
  status: 401,
  message: "The code is wrong, used or expired.",
  fields: { attemptsLeft: Schema.Int }
}) {}

export const Challenge = Schema.Struct({
  challengeId: Schema.String,
  /** Seconds. */
  expiresIn: Schema.Literal(600),
  resendAfter: Schema.Literal(30)
}).annotate({ identifier: "Challenge" })

export const ViewAccess = Schema.Struct({
  viewSession: Schema.String,
  /** Seconds. */
  expiresIn: Schema.Literal(300)
}).annotate({ identifier: "ViewAccess" })

type Ended = LinkNotFound | LinkDisabled | LinkExpired

/**
 * One-time codes by mail to the designated recipient (OWASP ASVS 5.0, 6.5 and 6.6): 8 digits from the system's generator,
 * good for 10 minutes and one use, kept as a keyed hash that is bound to link and challenge.
 */
export class Otp extends Context.Service<Otp, {
  /** Mails a code; it ends the one before. */
  readonly challenge: (
    token: string
  ) => Effect.Effect<typeof Challenge.Type, Ended | RateLimited | ServiceUnavailable>
  readonly verify: (
    attempt: { readonly token: string; readonly challengeId: string; readonly code: string }
  ) => Effect.Effect<typeof ViewAccess.Type, Ended | OtpInvalid>
  /** What is stored of a view session's secret. */
  readonly sessionHash: (viewSession: string) => Buffer
}>()("vrss/Otp") {
  static readonly layer = Layer.effect(
    Otp,
    Effect.gen(function*() {
      const crypto = yield* Crypto
      const links = SecureLinkRepository.make(yield* LockingStatements)
      const mailer = yield* Mailer
      const { recipientOf, tokenHash } = yield* SecureLinks
      const codeHash = crypto.keyedHash("secure-link-code")
      const sessionHash = crypto.keyedHash("secure-link-view-session")

      const challenge = Effect.fn("Otp.challenge")(function*(sentToken: string) {
        const token = tokenHash(sentToken)
        const challengeId = newId()
        const code = randomInt(100_000_000).toString().padStart(8, "0")
        const step = yield* links.challenge({ token, challengeId, codeHash: codeHash(token, challengeId, code) })
        if (Option.isNone(step)) return yield* new LinkNotFound()
        const { linkId, status, veteranId, wait } = step.value
        if (status === "limited") {
          return yield* new RateLimited({ retryAfterSeconds: Math.ceil(wait) })
        }
        if (status !== "active") return yield* ended(status)
        yield* mailer.send(oneTimeCode(yield* recipientOf(step.value), code)).pipe(
          Effect.catchTag("MailNotSent", ({ message }) =>
            Effect.logWarning(`one-time code: ${message}`).pipe(
              Effect.andThen(links.forgetChallenge(veteranId, linkId, challengeId)),
              Effect.andThen(Effect.fail(new ServiceUnavailable()))
            ))
        )
        yield* links.noteCodeSent(veteranId, linkId)
        return { challengeId, expiresIn: 600 as const, resendAfter: 30 as const }
      })

      const verify: Otp["Service"]["verify"] = Effect.fn("Otp.verify")(function*({ challengeId, code, token: sent }) {
        const token = tokenHash(sent)
        const viewSession = randomBytes(32).toString("base64url")
        const digits = code.replace(/[\s-]/g, "")
        const step = yield* links.tryCode({
          ...{ token, challengeId },
          codeHash: codeHash(token, challengeId, digits),
          sessionHash: sessionHash(viewSession)
        })
        if (Option.isNone(step)) return yield* new LinkNotFound()
        const { attemptsLeft, status } = step.value
        if (status === "wrong") return yield* new OtpInvalid({ attemptsLeft })
        if (status !== "right") return yield* ended(status)
        return { viewSession, expiresIn: 300 as const }
      })

      return Otp.of({ challenge, verify, sessionHash })
    })
  )
}
