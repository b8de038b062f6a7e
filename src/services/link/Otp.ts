import { Context, Effect, Layer, Option } from "effect"
import { randomInt } from "node:crypto"
import { InvalidRequest, ServiceUnavailable } from "../../domain/Errors.ts"
import { RateLimited } from "../../domain/RateLimit.ts"
import {
  type Challenge,
  type LinkDisabled,
  type LinkExpired,
  linkLimits,
  LinkNotFound,
  OtpInvalid,
  type ViewAccess
} from "../../domain/SecureLink.ts"
import { OwnConnections } from "../../sql/Connections.ts"
import * as SecureLinkRepository from "../../sql/link/SecureLinkRepository.ts"
import * as SmartHealthLinkRepository from "../../sql/link/SmartHealthLinkRepository.ts"
import { oneTimeCode } from "../mail/LinkMails.ts"
import { Mailer } from "../mail/Mailer.ts"
import { counters } from "../platform/Gauges.ts"
import { newId } from "../platform/Ids.ts"
import { countLimited, RateLimits } from "../platform/RateLimits.ts"
import { Settings } from "../platform/Settings.ts"
import { newIdIn, newSecretIn, slotOf, slotOfId } from "../platform/Slot.ts"
import { EncryptedBundles } from "./EncryptedBundles.ts"
import { linkSecrets } from "./LinkSecrets.ts"
import { linkEnded, SecureLinks } from "./SecureLinks.ts"

type Ended = LinkNotFound | LinkDisabled | LinkExpired

export const countCode = counters("one_time_codes_total", {
  description: "One-time codes that were sent, or not because the mail server did not take them, and tries of them",
  label: "outcome",
  values: ["sent", "not sent", "right", "wrong"]
})

/**
 * Sends one-time codes by mail to the designated recipient (OWASP ASVS 5.0, 6.5 and 6.6). A code has 8 digits from the
 * system's generator, works once and for a short time (`linkLimits`), and is kept as a keyed hash (LinkSecrets.ts).
 */
export class Otp extends Context.Service<Otp, {
  /** Mails a code, which replaces the previous code. */
  readonly challenge: (
    token: string
  ) => Effect.Effect<typeof Challenge.Type, Ended | RateLimited | ServiceUnavailable>
  /** As `challenge`, for the link whose token has this hash. */
  readonly mail: (
    tokenHash: Uint8Array
  ) => Effect.Effect<typeof Challenge.Type, Ended | RateLimited | ServiceUnavailable>
  /** Without `challengeId`, tries the code that is out for a SMART Health Link, even one for an app. */
  readonly verify: (
    attempt: { readonly token: string; readonly challengeId?: string | undefined; readonly code: string }
  ) => Effect.Effect<typeof ViewAccess.Type, Ended | InvalidRequest | OtpInvalid>
}>()("vrss/services/link/Otp") {
  static readonly layer = Layer.effect(
    Otp,
    Effect.gen(function*() {
      const sql = yield* OwnConnections
      const links = SecureLinkRepository.make(sql)
      const appLinks = SmartHealthLinkRepository.make(sql)
      const mailer = yield* Mailer
      const limits = yield* RateLimits
      const { removeEnded } = yield* EncryptedBundles
      const { recipientOf } = yield* SecureLinks
      const { portalUrl } = yield* Settings
      const { codeHash, sessionHash, tokenHash } = yield* linkSecrets

      const mail = Effect.fn("Otp.mail")(function*(token: Uint8Array) {
        const link = yield* links.findRecipient(token)
        if (Option.isNone(link)) return yield* new LinkNotFound()
        const recipient = yield* recipientOf(link.value)
        const challengeId = newIdIn(slotOf(link.value.veteranId))
        const code = randomInt(100_000_000).toString().padStart(8, "0")
        const step = yield* links.challenge({
          token,
          challengeId,
          codeHash: codeHash(token, challengeId, code),
          addressKey: limits.keyOf("one-time code by mail", recipient.toLowerCase())
        })
        if (Option.isNone(step)) return yield* new LinkNotFound()
        const { linkId, status, veteranId, wait } = step.value
        if (status === "limited") {
          countLimited("one-time codes of a link or an address")
          return yield* new RateLimited({ retryAfterSeconds: Math.ceil(wait) })
        }
        if (status !== "active") return yield* linkEnded(status)
        const addressee = { name: link.value.recipientName, email: recipient }
        const letter = oneTimeCode(addressee, { code, isForApps: link.value.smartHealthLink, portalUrl })
        yield* mailer.send(letter, { line: "codes", account: veteranId }).pipe(
          Effect.catchTag("MailNotSent", ({ message }) =>
            Effect.logWarning(`one-time code: ${message}`).pipe(
              Effect.andThen(Effect.sync(() => countCode("not sent"))),
              Effect.andThen(links.forgetChallenge(veteranId, linkId, challengeId)),
              Effect.andThen(Effect.fail(new ServiceUnavailable()))
            ))
        )
        countCode("sent")
        yield* links.noteCodeSent(veteranId, linkId)
        return { challengeId, expiresIn: linkLimits.codeSeconds, resendAfter: linkLimits.resendSeconds }
      })

      /** If no code is out, the id of none, which is then refused as a wrong code is. */
      const challengeOut = Effect.fnUntraced(function*(token: Uint8Array) {
        const out = yield* appLinks.codeOut(token)
        if (Option.isNone(out)) return yield* InvalidRequest.at(["challengeId"], "Missing key")
        return out.value.challenge ?? newId()
      })

      const verify: Otp["Service"]["verify"] = Effect.fn("Otp.verify")(function*({ code, token: sent, ...attempt }) {
        const token = tokenHash(sent)
        const challengeId = attempt.challengeId ?? (yield* challengeOut(token))
        // The token may have no slot: it is of the old form, or derived from a SMART Health Link's key.
        const viewSession = newSecretIn(slotOfId(challengeId))
        const digits = code.replace(/[\s-]/g, "")
        // The database counts the try before it compares the hashes (`app.try_code`, migrations/015).
        const step = yield* links.tryCode({
          token,
          challengeId,
          codeHash: codeHash(token, challengeId, digits),
          sessionHash: sessionHash(viewSession)
        })
        if (Option.isNone(step)) return yield* new LinkNotFound()
        const { attemptsLeft, status } = step.value
        countCode(status === "right" ? "right" : "wrong")
        if (status === "wrong") {
          // It may have been the last one of the link.
          if (attemptsLeft === 0) yield* removeEnded
          return yield* new OtpInvalid({ attemptsLeft })
        }
        if (status !== "right") return yield* linkEnded(status)
        return { viewSession, expiresIn: linkLimits.viewSessionSeconds }
      })

      return Otp.of({ challenge: (token) => mail(tokenHash(token)), mail, verify })
    })
  )
}
