import { Context, Effect, Layer } from "effect"
import { randomBytes, timingSafeEqual } from "node:crypto"
import { deviceSessionLimits } from "../../../domain/DeviceSession.ts"
import type { VeteranId } from "../../../domain/Id.ts"
import { Crypto } from "../../platform/Crypto.ts"

const timeBytes = 6

const randomLength = 16

const macLength = 32

/**
 * Questions that a sign-in or a new passkey answers: the time in seconds and 128 random bits under a MAC. Nothing is
 * stored. The text is base64url without spare bits, so that each challenge has one spelling.
 *
 * The MAC covers the purpose too (Web Authentication, 13.4.3). A challenge with `addsFor` adds a passkey of that
 * veteran and does nothing else. Without it, nobody is known yet: the challenge serves a sign-in or a confirmation.
 */
export class SignInChallenges extends Context.Service<SignInChallenges, {
  /** `now` is the database's time, in seconds since the epoch. */
  readonly make: (now: number, addsFor?: VeteranId) => string
  /** Whether the challenge is this service's, for this purpose, and not over. */
  readonly counts: (challenge: string, now: number, addsFor?: VeteranId) => boolean
}>()("vrss/services/account/session/SignInChallenges") {
  static readonly layer = Layer.effect(
    SignInChallenges,
    Effect.gen(function*() {
      const { keyedHash } = yield* Crypto
      const [ofSignIn, ofNewPasskey] = [keyedHash("sign-in-challenge"), keyedHash("new-passkey-challenge")]
      const mac = (body: Buffer, addsFor?: VeteranId) =>
        addsFor === undefined ? ofSignIn(body) : ofNewPasskey(body, addsFor)

      const make: SignInChallenges["Service"]["make"] = (now, addsFor) => {
        const body = Buffer.alloc(timeBytes + randomLength)
        body.writeUIntBE(Math.floor(now), 0, timeBytes)
        randomBytes(randomLength).copy(body, timeBytes)
        return Buffer.concat([body, mac(body, addsFor)]).toString("base64url")
      }

      const counts: SignInChallenges["Service"]["counts"] = (challenge, now, addsFor) => {
        const bytes = Buffer.from(challenge, "base64url")
        if (bytes.length !== timeBytes + randomLength + macLength || bytes.toString("base64url") !== challenge) {
          return false
        }
        const body = bytes.subarray(0, -macLength)
        if (!timingSafeEqual(mac(body, addsFor), bytes.subarray(-macLength))) return false
        return now - body.readUIntBE(0, timeBytes) < deviceSessionLimits.challengeSeconds
      }

      return SignInChallenges.of({ make, counts })
    })
  )
}
