import { Context, Effect, Layer } from "effect"
import { randomBytes, timingSafeEqual } from "node:crypto"
import { deviceSessionLimits } from "../../../domain/DeviceSession.ts"
import { Crypto } from "../../platform/Crypto.ts"

const timeBytes = 6

const randomLength = 16

const macLength = 32

/**
 * Questions that a sign-in answers: the time in seconds and 128 random bits under a MAC. Nothing is stored. The text is
 * base64url without spare bits, so that each challenge has one spelling.
 */
export class SignInChallenges extends Context.Service<SignInChallenges, {
  /** `now` is the database's time, in seconds since the epoch. */
  readonly make: (now: number) => string
  /** Whether the challenge is this service's and not over. */
  readonly counts: (challenge: string, now: number) => boolean
}>()("vrss/services/account/session/SignInChallenges") {
  static readonly layer = Layer.effect(
    SignInChallenges,
    Effect.gen(function*() {
      const mac = (yield* Crypto).keyedHash("sign-in-challenge")

      const make = (now: number) => {
        const body = Buffer.alloc(timeBytes + randomLength)
        body.writeUIntBE(Math.floor(now), 0, timeBytes)
        randomBytes(randomLength).copy(body, timeBytes)
        return Buffer.concat([body, mac(body)]).toString("base64url")
      }

      const counts = (challenge: string, now: number) => {
        const bytes = Buffer.from(challenge, "base64url")
        if (bytes.length !== timeBytes + randomLength + macLength || bytes.toString("base64url") !== challenge) {
          return false
        }
        const body = bytes.subarray(0, -macLength)
        if (!timingSafeEqual(mac(body), bytes.subarray(-macLength))) return false
        return now - body.readUIntBE(0, timeBytes) < deviceSessionLimits.challengeSeconds
      }

      return SignInChallenges.of({ make, counts })
    })
  )
}
