import { Context, Effect, Layer } from "effect"
import { ConfirmationRequired } from "../../../domain/Confirmation.ts"
import { type EmailChallenge, emailChangeLimits, type EmailCode } from "../../../domain/EmailChange.ts"
import { Conflict, type Unauthenticated } from "../../../domain/Errors.ts"
import type { VeteranId } from "../../../domain/Id.ts"
import { RateLimited } from "../../../domain/RateLimit.ts"
import { OtpInvalid } from "../../../domain/SecureLink.ts"
import type { Veteran } from "../../../domain/Veteran.ts"
import * as EmailChangeRepository from "../../../sql/account/EmailChangeRepository.ts"
import * as SignInRepository from "../../../sql/account/SignInRepository.ts"
import { Actors } from "../../../sql/Actor.ts"
import { OwnConnections } from "../../../sql/Connections.ts"
import { newId } from "../../platform/Ids.ts"
import { countLimited, RateLimits } from "../../platform/RateLimits.ts"
import { emailCodes } from "./EmailCodes.ts"
import { Veterans } from "./Veterans.ts"

/** A veteran changes the address to which the service mails, by a code that goes to the new one (contract, 14.3). */
export class EmailChanges extends Context.Service<EmailChanges, {
  /** `sessionId` is null if the token belongs to no session of the app: such a token cannot confirm. */
  readonly ask: (
    veteranId: VeteranId,
    sessionId: string | null,
    email: string
  ) => Effect.Effect<typeof EmailChallenge.Type, ConfirmationRequired | Conflict | RateLimited>
  readonly verify: (
    veteranId: VeteranId,
    sent: typeof EmailCode.Type
  ) => Effect.Effect<Veteran, OtpInvalid | Unauthenticated>
}>()("vrss/services/account/veteran/EmailChanges") {
  static readonly layer = Layer.effect(
    EmailChanges,
    Effect.gen(function*() {
      const { asVeteran } = yield* Actors
      const sql = yield* OwnConnections
      const changes = EmailChangeRepository.make(sql)
      const codes = yield* emailCodes
      const limits = yield* RateLimits
      const veterans = yield* Veterans

      const ask: EmailChanges["Service"]["ask"] = Effect.fn("EmailChanges.ask")(function*(veteranId, sessionId, email) {
        if (sessionId === null) return yield* new ConfirmationRequired()
        const challengeId = newId()
        const known = yield* SignInRepository.knownWayIn(sql, veteranId, sessionId)
        const { status, wait } = yield* changes.ask({
          veteranId,
          sessionId,
          challengeId,
          email,
          codeHash: codes.hashOf(challengeId, codes.mailed(challengeId)),
          veteranKey: limits.keyOf("changes of the e-mail address", known ?? veteranId),
          addressKey: limits.keyOf("one-time code by mail", email.toLowerCase())
        })
        if (status === "unconfirmed") return yield* new ConfirmationRequired()
        if (status === "same") return yield* new Conflict({ message: "This is your address already." })
        if (status === "limited") {
          countLimited("changes of a veteran's e-mail address")
          return yield* new RateLimited({ retryAfterSeconds: Math.max(1, Math.ceil(wait)) })
        }
        return { challengeId, expiresIn: emailChangeLimits.codeSeconds }
      })

      const verify: EmailChanges["Service"]["verify"] = Effect.fn("EmailChanges.verify")(
        function*(veteranId, { challengeId, code }) {
          const hash = codes.hashOf(challengeId, code)
          const { attemptsLeft, status } = yield* EmailChangeRepository.tryCode(challengeId, hash).pipe(
            asVeteran(veteranId)
          )
          return status === "right" ? yield* veterans.me(veteranId) : yield* new OtpInvalid({ attemptsLeft })
        }
      )

      return EmailChanges.of({ ask, verify })
    })
  )
}
