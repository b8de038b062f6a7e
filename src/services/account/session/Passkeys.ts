import { Context, Effect, Layer } from "effect"
import { ConfirmationRequired } from "../../../domain/Confirmation.ts"
import { InvalidChallenge } from "../../../domain/DeviceSession.ts"
import { Conflict, NotFound } from "../../../domain/Errors.ts"
import type { VeteranId } from "../../../domain/Id.ts"
import {
  InvalidPasskey,
  maxPasskeys,
  type NewPasskey,
  type Passkey,
  type PasskeyChallenge,
  type PasskeyList,
  passkeysAdded
} from "../../../domain/Passkey.ts"
import type { RateLimited } from "../../../domain/RateLimit.ts"
import * as PasskeyRepository from "../../../sql/account/PasskeyRepository.ts"
import * as SignInRepository from "../../../sql/account/SignInRepository.ts"
import { Actors } from "../../../sql/Actor.ts"
import { atEdge, OwnConnections, SharedConnections } from "../../../sql/Connections.ts"
import { Crypto } from "../../platform/Crypto.ts"
import { newId } from "../../platform/Ids.ts"
import { RateLimits } from "../../platform/RateLimits.ts"
import { placeOf } from "../../platform/SealedColumns.ts"
import { challengeOnce, relyingParty, userHandleOf } from "./PasskeyAnswers.ts"
import { readNewPasskey } from "./PasskeyCheck.ts"
import { SignInChallenges } from "./SignInChallenges.ts"

/** The passkeys by which a veteran comes back without the VA (contract, part 14.3). */
export class Passkeys extends Context.Service<Passkeys, {
  readonly list: (veteranId: VeteranId) => Effect.Effect<typeof PasskeyList.Type>
  /** What a browser needs to make one. */
  readonly challenge: (veteranId: VeteranId) => Effect.Effect<typeof PasskeyChallenge.Type>
  /** `sessionId` is null if the token has none. */
  readonly add: (
    veteranId: VeteranId,
    sessionId: string | null,
    sent: NewPasskey
  ) => Effect.Effect<Passkey, ConfirmationRequired | Conflict | InvalidChallenge | InvalidPasskey | RateLimited>
  readonly remove: (veteranId: VeteranId, id: string) => Effect.Effect<void, NotFound>
}>()("vrss/services/account/session/Passkeys") {
  static readonly layer = Layer.effect(
    Passkeys,
    Effect.gen(function*() {
      const { asVeteran } = yield* Actors
      const challenges = yield* SignInChallenges
      const { open, seal } = yield* Crypto
      const limits = yield* RateLimits
      const party = yield* relyingParty
      const reading = SignInRepository.make(yield* SharedConnections)
      const sql = yield* OwnConnections
      const steps = PasskeyRepository.make(sql)
      const placeOfName = (veteranId: VeteranId, id: string) =>
        placeOf("veteran_passkeys", "name_ciphertext", veteranId, id)

      /** Returns null for a name that cannot be opened, as after a key was removed. Its passkey can be removed. */
      const nameOf = (veteranId: VeteranId, id: string, sealed: Uint8Array) =>
        open(placeOfName(veteranId, id), sealed).pipe(
          Effect.map((name) => name.toString()),
          Effect.orElseSucceed(() => null)
        )

      const list: Passkeys["Service"]["list"] = Effect.fn("Passkeys.list")(function*(veteranId) {
        const rows = yield* asVeteran(veteranId)(PasskeyRepository.list)
        const items = yield* Effect.forEach(
          rows,
          ({ createdAt, id, lastUsedAt, nameCiphertext }) =>
            Effect.map(nameOf(veteranId, id, nameCiphertext), (name) => ({ id, name, createdAt, lastUsedAt }))
        )
        return { items, nextCursor: null }
      })

      const challenge: Passkeys["Service"]["challenge"] = Effect.fn("Passkeys.challenge")(function*(veteranId) {
        const rows = yield* asVeteran(veteranId)(PasskeyRepository.list)
        return {
          challenge: challenges.make(yield* reading.now, veteranId),
          userHandle: userHandleOf(veteranId).toString("base64url"),
          rpId: party.rpId,
          exclude: rows.map(({ credentialId }) => Buffer.from(credentialId).toString("base64url"))
        }
      })

      const add: Passkeys["Service"]["add"] = Effect.fn("Passkeys.add")(function*(veteranId, sessionId, sent) {
        if (sessionId === null) return yield* new ConfirmationRequired()
        const now = yield* reading.now
        if (!challenges.counts(sent.challenge, now, veteranId)) return yield* new InvalidChallenge()
        const made = yield* Effect.try({ try: () => readNewPasskey(sent, party), catch: () => new InvalidPasskey() })
        const id = newId()
        const step = yield* steps.add({
          ...made,
          challenge: challengeOnce(sent.challenge, now),
          veteranId,
          sessionId,
          id,
          algorithm: sent.algorithm,
          name: seal(placeOfName(veteranId, id), Buffer.from(sent.name))
        }).pipe(
          Effect.tap(({ status }) =>
            status === "added" ? limits.count(sql, "passkeys added", veteranId, passkeysAdded) : Effect.void
          ),
          sql.withTransaction,
          atEdge
        )
        switch (step.status) {
          case "added":
            return { id, name: sent.name, createdAt: step.createdAt, lastUsedAt: null }
          case "unconfirmed":
            return yield* new ConfirmationRequired()
          case "challenge":
            return yield* new InvalidChallenge()
          case "full":
            return yield* new Conflict({ message: full })
          case "taken":
            return yield* new Conflict({ message: "This passkey is in use already." })
        }
      })

      return Passkeys.of({
        list,
        challenge,
        add,
        remove: Effect.fn("Passkeys.remove")(function*(veteranId, id) {
          if (!(yield* asVeteran(veteranId)(PasskeyRepository.remove(id)))) return yield* new NotFound()
        })
      })
    })
  )
}

const full = `There are ${maxPasskeys} passkeys, which is the most. Remove one that is not needed.`
