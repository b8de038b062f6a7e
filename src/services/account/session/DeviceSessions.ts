import { Context, Effect, Layer } from "effect"
import { ConfirmationRequired, type Confirmed } from "../../../domain/Confirmation.ts"
import {
  deviceSessionLimits,
  type DeviceSessionList,
  type FreshIdToken,
  identitiesAdded,
  InvalidChallenge,
  InvalidDeviceProof,
  InvalidIdToken,
  type VeteranIdentity,
  type VeteranIdentityList
} from "../../../domain/DeviceSession.ts"
import { Conflict, Forbidden, NotFound, type ServiceUnavailable, Unauthenticated } from "../../../domain/Errors.ts"
import type { VeteranId } from "../../../domain/Id.ts"
import { InvalidPasskey, type PasskeyAnswer } from "../../../domain/Passkey.ts"
import type { RateLimited } from "../../../domain/RateLimit.ts"
import * as DeviceSessionRepository from "../../../sql/account/DeviceSessionRepository.ts"
import * as PasskeyRepository from "../../../sql/account/PasskeyRepository.ts"
import * as SignInRepository from "../../../sql/account/SignInRepository.ts"
import { Actors } from "../../../sql/Actor.ts"
import { atEdge, OwnConnections, SharedConnections } from "../../../sql/Connections.ts"
import { Crypto } from "../../platform/Crypto.ts"
import { newId } from "../../platform/Ids.ts"
import { RateLimits } from "../../platform/RateLimits.ts"
import { placeOf } from "../../platform/SealedColumns.ts"
import { DeviceProofs, type ProvenRequest } from "./DeviceProofs.ts"
import { IdTokens } from "./IdTokens.ts"
import { PasskeyAnswers } from "./PasskeyAnswers.ts"
import { SignInChallenges } from "./SignInChallenges.ts"

/** A request of a veteran's session with a proof of the device's key. `sessionId` is null if the token has none. */
export interface SessionRequest {
  readonly veteranId: VeteranId
  readonly sessionId: string | null
  readonly request: ProvenRequest
}

export interface Confirmation {
  readonly how: "va" | "passkey"
  /** ISO 8601 in UTC. */
  readonly confirmedAt: string
}

/** The oldest sign-in at the VA that confirms a session, in seconds. */
const maxSignInAge = 300

/** The veteran's own view of where they are signed in, and by which accounts of the VA (contract, part 14.3). */
export class DeviceSessions extends Context.Service<DeviceSessions, {
  /** `current` is the id of the caller's own session, if it has one. */
  readonly list: (veteranId: VeteranId, current: string | null) => Effect.Effect<typeof DeviceSessionList.Type>
  /** Takes effect at once in every process. Ending it again changes nothing. */
  readonly end: (veteranId: VeteranId, sessionId: string) => Effect.Effect<void, NotFound>
  /** Ends all sessions, and all tokens of the session exchange. */
  readonly endAll: (veteranId: VeteranId) => Effect.Effect<void>
  /** Ends the caller's own session. A token without one stays as it is: it lives for minutes. */
  readonly endCurrent: (veteranId: VeteranId, sessionId: string | null) => Effect.Effect<void>
  /** How and when the caller's session was confirmed. */
  readonly confirmation: (
    veteranId: VeteranId,
    sessionId: string
  ) => Effect.Effect<Confirmation, ConfirmationRequired>
  readonly confirm: (
    device: SessionRequest,
    sent: typeof FreshIdToken.Type | PasskeyAnswer
  ) => Effect.Effect<
    typeof Confirmed.Type,
    | Forbidden
    | InvalidChallenge
    | InvalidDeviceProof
    | InvalidIdToken
    | InvalidPasskey
    | ServiceUnavailable
    | Unauthenticated
  >
  readonly addIdentity: (
    device: SessionRequest,
    sent: typeof FreshIdToken.Type
  ) => Effect.Effect<
    VeteranIdentity,
    | ConfirmationRequired
    | Conflict
    | InvalidChallenge
    | InvalidDeviceProof
    | InvalidIdToken
    | RateLimited
    | ServiceUnavailable
    | Unauthenticated
  >
  /** Ends all sessions, because somebody else may have begun one with this account. */
  readonly removeIdentity: (
    veteranId: VeteranId,
    sessionId: string | null,
    identityId: string
  ) => Effect.Effect<void, ConfirmationRequired | Conflict | NotFound>
  readonly identities: (veteranId: VeteranId) => Effect.Effect<typeof VeteranIdentityList.Type>
}>()("vrss/services/account/session/DeviceSessions") {
  static readonly layer = Layer.effect(
    DeviceSessions,
    Effect.gen(function*() {
      const { asVeteran } = yield* Actors
      const crypto = yield* Crypto
      const challenges = yield* SignInChallenges
      const idTokens = yield* IdTokens
      const limits = yield* RateLimits
      const passkeyAnswers = yield* PasskeyAnswers
      const proofs = yield* DeviceProofs
      const reading = SignInRepository.make(yield* SharedConnections)
      const own = yield* OwnConnections
      const steps = DeviceSessionRepository.make(own)
      const passkeys = PasskeyRepository.make(own)

      /** Returns null for a name that cannot be opened, as after a key was removed: the session can be ended still. */
      const nameOf = (veteranId: VeteranId, id: string, sealed: Uint8Array | null) =>
        sealed === null
          ? Effect.succeed(null)
          : crypto.open(placeOf("veteran_sessions", "device_name_ciphertext", veteranId, id), sealed).pipe(
            Effect.map((name) => name.toString()),
            Effect.orElseSucceed(() => null)
          )

      const list: DeviceSessions["Service"]["list"] = Effect.fn("DeviceSessions.list")(function*(veteranId, current) {
        const rows = yield* asVeteran(veteranId)(DeviceSessionRepository.list)
        const items = yield* Effect.forEach(
          rows,
          Effect.fnUntraced(function*({ deviceNameCiphertext, renewedAt, ...session }) {
            const deviceName = yield* nameOf(veteranId, session.id, deviceNameCiphertext)
            return { ...session, deviceName, lastUsedAt: renewedAt, current: session.id === current }
          })
        )
        return { items, nextCursor: null }
      })

      /** What the veteran presents, checked except for what only the database knows. */
      const presented = Effect.fnUntraced(
        function*({ request }: SessionRequest, { challenge, idToken, vaPatientId }: typeof FreshIdToken.Type) {
          const now = yield* reading.now
          if (!challenges.counts(challenge, now)) return yield* new InvalidChallenge()
          const proof = yield* proofs.verify(request, challenge, now)
          const token = yield* idTokens.verify(idToken, { challenge, thumbprint: proof.thumbprint }, now)
          if (now - token.signedInAt > maxSignInAge) return yield* new InvalidIdToken()
          const { issuer, subject } = token
          return { proof, token, issuer, subject, thumbprint: proof.thumbprint, vaPatientId: vaPatientId ?? null }
        }
      )

      const byPasskey = Effect.fnUntraced(
        function*({ request, veteranId }: SessionRequest, sessionId: string, sent: PasskeyAnswer) {
          const { challenge, passkey, proof } = yield* passkeyAnswers.verify(request, sent)
          if (passkey.veteranId !== veteranId) return yield* new InvalidPasskey()
          const { thumbprint } = proof
          const answered = { proof, challenge, thumbprint, veteranId, sessionId, passkeyId: passkey.id }
          const step = yield* passkeys.confirm(answered)
          switch (step.status) {
            case "confirmed":
              return { confirmedUntil: step.confirmedUntil }
            case "token":
              return yield* new InvalidChallenge()
            case "passkey":
              return yield* new InvalidPasskey()
            default:
              return yield* refusal(step.status)
          }
        }
      )

      const confirm: DeviceSessions["Service"]["confirm"] = Effect.fn("DeviceSessions.confirm")(
        function*(device, sent) {
          const { sessionId, veteranId } = device
          if (sessionId === null) return yield* new Forbidden()
          if ("credential" in sent) return yield* byPasskey(device, sessionId, sent)
          const step = yield* steps.confirm({ ...yield* presented(device, sent), veteranId, sessionId })
          return step.status === "confirmed" ? { confirmedUntil: step.confirmedUntil } : yield* refusal(step.status)
        }
      )

      const addIdentity: DeviceSessions["Service"]["addIdentity"] = Effect.fn("DeviceSessions.addIdentity")(
        function*(device, sent) {
          const { sessionId, veteranId } = device
          if (sessionId === null) return yield* new ConfirmationRequired()
          const id = newId()
          const checked = yield* presented(device, sent)
          const step = yield* steps.addIdentity({ ...checked, veteranId, sessionId, id }).pipe(
            Effect.tap(Effect.fnUntraced(function*({ status }) {
              if (status !== "paired") return
              const known = yield* SignInRepository.knownWayIn(own, veteranId, sessionId)
              yield* limits.count(own, "accounts added", known ?? veteranId, identitiesAdded)
            })),
            own.withTransaction,
            atEdge
          )
          switch (step.status) {
            case "paired":
              return { id, issuer: checked.issuer, pairedAt: step.pairedAt, how: "session" as const }
            case "unconfirmed":
              return yield* new ConfirmationRequired()
            case "full":
              return yield* new Conflict({ message: full })
            case "taken":
              return yield* new Conflict({ message: "This account of the VA is in use already." })
            default:
              return yield* refusal(step.status)
          }
        }
      )

      const removeIdentity: DeviceSessions["Service"]["removeIdentity"] = Effect.fn("DeviceSessions.removeIdentity")(
        function*(veteranId, sessionId, identityId) {
          if (sessionId === null) return yield* new ConfirmationRequired()
          const { status } = yield* steps.removeIdentity(veteranId, sessionId, identityId)
          if (status === "unconfirmed") return yield* new ConfirmationRequired()
          if (status === "unknown") return yield* new NotFound()
          if (status === "last") return yield* new Conflict({ message: "The last account cannot be removed." })
        }
      )

      return DeviceSessions.of({
        list,
        confirm,
        addIdentity,
        removeIdentity,
        endCurrent: (veteranId, sessionId) =>
          sessionId === null
            ? Effect.void
            : Effect.asVoid(asVeteran(veteranId)(DeviceSessionRepository.end(sessionId))),
        confirmation: (veteranId, sessionId) =>
          asVeteran(veteranId)(DeviceSessionRepository.confirmation(sessionId)).pipe(
            Effect.flatMap(Effect.fromOption),
            Effect.map(({ confirmedAt, how }) => ({ how, confirmedAt: confirmedAt.toISOString() })),
            Effect.mapError(() => new ConfirmationRequired())
          ),
        end: Effect.fn("DeviceSessions.end")(function*(veteranId, sessionId) {
          if (!(yield* asVeteran(veteranId)(DeviceSessionRepository.end(sessionId)))) return yield* new NotFound()
        }),
        endAll: (veteranId) => Effect.asVoid(asVeteran(veteranId)(DeviceSessionRepository.endAll)),
        identities: (veteranId) =>
          Effect.map(
            asVeteran(veteranId)(DeviceSessionRepository.identities),
            (items) => ({ items, nextCursor: null })
          )
      })
    })
  )
}

const full = `There are ${deviceSessionLimits.identities} accounts, which is the most. Remove one that is not needed.`

/** Why the database refused what a device presented. */
const refusal = (status: "proof" | "token" | "key" | "ended" | "other") => {
  switch (status) {
    case "ended":
      return new Unauthenticated()
    case "token":
    case "other":
      return new InvalidIdToken()
    default:
      return new InvalidDeviceProof()
  }
}
