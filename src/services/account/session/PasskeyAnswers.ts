import { Context, Effect, Layer, Option } from "effect"
import { createHash, generateKeyPairSync } from "node:crypto"
import { deviceSessionLimits, InvalidChallenge, type InvalidDeviceProof } from "../../../domain/DeviceSession.ts"
import { VeteranId } from "../../../domain/Id.ts"
import { InvalidPasskey, type PasskeyAnswer } from "../../../domain/Passkey.ts"
import * as PasskeyRepository from "../../../sql/account/PasskeyRepository.ts"
import * as SignInRepository from "../../../sql/account/SignInRepository.ts"
import { SharedConnections } from "../../../sql/Connections.ts"
import { Settings } from "../../platform/Settings.ts"
import { DeviceProofs, type ProvenRequest, type VerifiedProof } from "./DeviceProofs.ts"
import { checkAnswer, credentialIdOf, type RelyingParty } from "./PasskeyCheck.ts"
import { SignInChallenges } from "./SignInChallenges.ts"

/** What a passkey's answer has shown, except for what only the database knows. */
export interface CheckedAnswer {
  readonly proof: VerifiedProof
  readonly challenge: SignInRepository.Once
  readonly passkey: PasskeyRepository.KnownPasskey
}

/** By which an authenticator knows the veteran. It is the same for all passkeys of one veteran, and names nobody. */
export const userHandleOf = (veteranId: VeteranId) => Buffer.from(veteranId.replaceAll("-", ""), "hex")

/** Where passkeys of the app count. */
export const relyingParty = Effect.map(
  Settings,
  ({ veteranApp }): RelyingParty => ({ rpId: new URL(veteranApp.url).hostname, origins: veteranApp.origins })
)

/** A challenge counts once: its hash is kept for longer than it counts. `now` is in seconds since the epoch. */
export const challengeOnce = (challenge: string, now: number): SignInRepository.Once => ({
  hash: createHash("sha256").update(`passkey ${challenge}`).digest(),
  endsAt: new Date((now + deviceSessionLimits.challengeSeconds) * 1000)
})

/** Checks the answers of passkeys, by which a veteran signs in or confirms (contract, part 14.2). */
export class PasskeyAnswers extends Context.Service<PasskeyAnswers, {
  /** Does not record the challenge and the proof as used. */
  readonly verify: (
    request: ProvenRequest,
    sent: PasskeyAnswer
  ) => Effect.Effect<CheckedAnswer, InvalidChallenge | InvalidDeviceProof | InvalidPasskey>
}>()("vrss/services/account/session/PasskeyAnswers") {
  static readonly layer = Layer.effect(
    PasskeyAnswers,
    Effect.gen(function*() {
      const challenges = yield* SignInChallenges
      const proofs = yield* DeviceProofs
      const party = yield* relyingParty
      const sql = yield* SharedConnections
      const reading = SignInRepository.make(sql)
      const passkeys = PasskeyRepository.make(sql)

      // A credential that nobody has is checked like any other, so that the time does not show who is known.
      const nobody: PasskeyRepository.KnownPasskey = {
        veteranId: VeteranId.make("00000000-0000-0000-0000-000000000000"),
        id: "",
        publicKey: generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "der", type: "spki" }),
        algorithm: -7,
        namedSession: null,
        deviceName: null
      }

      const checked = <A>(check: () => A) => Effect.try({ try: check, catch: () => new InvalidPasskey() })

      const verify: PasskeyAnswers["Service"]["verify"] = Effect.fn("PasskeyAnswers.verify")(function*(request, sent) {
        const now = yield* reading.now
        if (!challenges.counts(sent.challenge, now)) return yield* new InvalidChallenge()
        const proof = yield* proofs.verify(request, sent.challenge, now)
        const credentialId = yield* checked(() => credentialIdOf(sent))
        const passkey = Option.getOrElse(yield* passkeys.named(credentialId, proof.thumbprint), () => nobody)
        yield* checked(() => checkAnswer(sent, { ...passkey, userHandle: userHandleOf(passkey.veteranId) }, party))
        return { proof, challenge: challengeOnce(sent.challenge, now), passkey }
      })

      return PasskeyAnswers.of({ verify })
    })
  )
}
