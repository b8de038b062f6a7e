import { Context, Effect, Layer, Option } from "effect"
import {
  type AppAccess,
  type AppChallenge,
  type AppSessionRequest,
  deviceSessionLimits,
  IdentityChanged,
  InvalidChallenge,
  InvalidDeviceProof,
  InvalidIdToken,
  InvalidPairingCode,
  type PairingRequest,
  PairingRequired,
  type RenewRequest
} from "../../../domain/DeviceSession.ts"
import { Conflict, type ServiceUnavailable, Unauthenticated } from "../../../domain/Errors.ts"
import { VeteranId } from "../../../domain/Id.ts"
import { InvalidPasskey, type PasskeyAnswer } from "../../../domain/Passkey.ts"
import type { RateLimited } from "../../../domain/RateLimit.ts"
import * as PasskeyRepository from "../../../sql/account/PasskeyRepository.ts"
import type { KnownPasskey } from "../../../sql/account/PasskeyRepository.ts"
import * as SignInRepository from "../../../sql/account/SignInRepository.ts"
import { OwnConnections, SharedConnections } from "../../../sql/Connections.ts"
import { Crypto } from "../../platform/Crypto.ts"
import { newId } from "../../platform/Ids.ts"
import { placeOf } from "../../platform/SealedColumns.ts"
import { Settings } from "../../platform/Settings.ts"
import { AccessTokens, maxLifetimeSeconds } from "./AccessTokens.ts"
import { begunSessions } from "./BegunSessions.ts"
import { DeviceProofs, type ProvenRequest } from "./DeviceProofs.ts"
import { IdTokens } from "./IdTokens.ts"
import { pairingCodes } from "./PairingCodes.ts"
import { PasskeyAnswers } from "./PasskeyAnswers.ts"
import { SignInChallenges } from "./SignInChallenges.ts"

/** A request of a device, and the network from which it came. */
export interface DeviceRequest extends ProvenRequest {
  /** A /24 of IPv4, or a /64 of IPv6. */
  readonly network: string
}

/**
 * Sign-in of the veteran's app, which keeps no secret (contract, part 14.2). An id_token of the VA is bound to a key of
 * the device; its account is paired with a veteran once. Only that key renews the session.
 */
export class AppSignIn extends Context.Service<AppSignIn, {
  readonly challenge: Effect.Effect<typeof AppChallenge.Type>
  /** Begins a session, or a pairing. The answer and its time do not show whether the patient is known. */
  readonly begin: (
    request: DeviceRequest,
    sent: typeof AppSessionRequest.Type
  ) => Effect.Effect<
    AppAccess,
    | InvalidChallenge
    | InvalidDeviceProof
    | InvalidIdToken
    | PairingRequired
    | IdentityChanged
    | RateLimited
    | ServiceUnavailable
  >
  /**
   * Begins a session that costs nothing of the day: each takes a code of the operator, or is the veteran's first. So
   * nobody who has an account of the VA keeps out whom the operator helps.
   */
  readonly pair: (
    request: DeviceRequest,
    sent: typeof PairingRequest.Type
  ) => Effect.Effect<AppAccess, Conflict | InvalidDeviceProof | InvalidPairingCode>
  /** Begins a session for a veteran who is paired already. */
  readonly byPasskey: (
    request: DeviceRequest,
    sent: PasskeyAnswer
  ) => Effect.Effect<AppAccess, InvalidChallenge | InvalidDeviceProof | InvalidPasskey | RateLimited>
  readonly renew: (
    request: DeviceRequest,
    sent: typeof RenewRequest.Type
  ) => Effect.Effect<AppAccess, InvalidDeviceProof | Unauthenticated>
}>()("vrss/services/account/session/AppSignIn") {
  static readonly layer = Layer.effect(
    AppSignIn,
    Effect.gen(function*() {
      const begun = yield* begunSessions
      const challenges = yield* SignInChallenges
      const codes = yield* pairingCodes
      const { keyedHash, open, seal } = yield* Crypto
      const idTokens = yield* IdTokens
      const passkeyAnswers = yield* PasskeyAnswers
      const passkeys = PasskeyRepository.make(yield* OwnConnections)
      const proofs = yield* DeviceProofs
      const reading = SignInRepository.make(yield* SharedConnections)
      const steps = SignInRepository.make(yield* OwnConnections)
      const tokens = yield* AccessTokens
      const { veteranPairing } = yield* Settings
      const patientHash = keyedHash("pairing-patient")

      const accessOf = Effect.fnUntraced(function*(sessionId: string, row: SignInRepository.AccessRow) {
        const expiresIn = Math.min(maxLifetimeSeconds.veteran, row.secondsLeft)
        return {
          accessToken: yield* tokens.issue("veteran", row.veteranId, expiresIn, { sid: sessionId }),
          tokenType: "Bearer" as const,
          expiresIn,
          veteran: { id: row.veteranId, callSign: row.callSign },
          sessionId,
          sessionEndsAt: row.sessionEndsAt,
          previousSessionAt: row.previousSessionAt,
          confirmedUntil: row.confirmedUntil
        }
      })

      const begin: AppSignIn["Service"]["begin"] = Effect.fn("AppSignIn.begin")(
        function*({ network, ...request }, { challenge, device, idToken, vaPatientId }) {
          const now = yield* reading.now
          if (!challenges.counts(challenge, now)) return yield* new InvalidChallenge()
          const proof = yield* proofs.verify(request, challenge, now)
          const token = yield* idTokens.verify(idToken, { challenge, thumbprint: proof.thumbprint }, now)
          const id = newId()
          const known = yield* reading.named(vaPatientId)
          // The name is sealed for an unknown patient, too, so that each answer takes the same work.
          const sealedFor = Option.match(known, { onNone: () => VeteranId.make(id), onSome: ({ id }) => id })
          const place = placeOf("veteran_sessions", "device_name_ciphertext", sealedFor, id)
          const step = yield* steps.begin({
            proof,
            token,
            issuer: token.issuer,
            subject: token.subject,
            vaPatientId,
            patientHash: patientHash(vaPatientId),
            thumbprint: proof.thumbprint,
            id,
            sealedFor,
            deviceName: device === undefined ? null : seal(place, Buffer.from(device.name)),
            network,
            codeHash: veteranPairing === "mail" ? codes.mailedHash(id, codes.mailed(id)) : null
          }).pipe(begun(id))
          switch (step.status) {
            case "begun":
              return yield* accessOf(id, step)
            case "pairing":
              return yield* new PairingRequired({ pairingId: id, expiresIn: deviceSessionLimits.pairingSeconds })
            case "changed":
              return yield* new IdentityChanged()
            case "token":
              return yield* new InvalidIdToken()
            case "proof":
              return yield* new InvalidDeviceProof()
          }
        }
      )

      const pair: AppSignIn["Service"]["pair"] = Effect.fn("AppSignIn.pair")(
        function*({ network, ...request }, { code, pairingId }) {
          const proof = yield* proofs.verify(request, pairingId, yield* reading.now)
          const step = yield* steps.pair({
            proof,
            pairingId,
            thumbprint: proof.thumbprint,
            mailedCode: codes.mailedHash(pairingId, code),
            operatorCode: codes.operatorHash(code),
            identityId: newId(),
            network
          }).pipe(Effect.uninterruptible)
          switch (step.status) {
            case "begun":
              return yield* accessOf(pairingId, step)
            case "full":
              return yield* new Conflict({ message: tooManyAccounts })
            case "wrong":
              return yield* new InvalidPairingCode({ attemptsLeft: step.attemptsLeft })
            default:
              return yield* new InvalidDeviceProof()
          }
        }
      )

      /** Seals the name of a device that is known for its new session. No passkey tells a name. */
      const nameFor = ({ deviceName, namedSession, veteranId }: KnownPasskey, id: string) => {
        if (deviceName === null || namedSession === null) return Effect.succeed(null)
        const placeIn = (session: string) => placeOf("veteran_sessions", "device_name_ciphertext", veteranId, session)
        return Effect.map(open(placeIn(namedSession), deviceName), (name) => seal(placeIn(id), name)).pipe(
          Effect.orElseSucceed(() => null)
        )
      }

      const byPasskey: AppSignIn["Service"]["byPasskey"] = Effect.fn("AppSignIn.byPasskey")(
        function*({ network, ...request }, sent) {
          const { challenge, passkey, proof } = yield* passkeyAnswers.verify(request, sent)
          const id = newId()
          const step = yield* passkeys.begin({
            proof,
            challenge,
            veteranId: passkey.veteranId,
            passkeyId: passkey.id,
            thumbprint: proof.thumbprint,
            id,
            deviceName: yield* nameFor(passkey, id),
            network
          }).pipe(begun(id, passkey.id))
          switch (step.status) {
            case "begun":
              return yield* accessOf(id, step)
            case "proof":
              return yield* new InvalidDeviceProof()
            case "challenge":
              return yield* new InvalidChallenge()
            case "passkey":
              return yield* new InvalidPasskey()
          }
        }
      )

      const renew: AppSignIn["Service"]["renew"] = Effect.fn("AppSignIn.renew")(
        function*({ network, ...request }, { sessionId }) {
          const proof = yield* proofs.verify(request, sessionId, yield* reading.now)
          const step = yield* steps.renew({ proof, sessionId, thumbprint: proof.thumbprint, network })
          if (step.status === "renewed") return yield* accessOf(sessionId, step)
          return yield* step.status === "ended" ? new Unauthenticated() : new InvalidDeviceProof()
        }
      )

      return AppSignIn.of({
        challenge: Effect.map(
          reading.now,
          (now) => ({ challenge: challenges.make(now), expiresIn: deviceSessionLimits.challengeSeconds })
        ),
        begin,
        pair,
        byPasskey,
        renew
      })
    })
  )
}

const tooManyAccounts =
  `The record has ${deviceSessionLimits.identities} accounts of the VA, which is the most. Remove one that is not needed.`
