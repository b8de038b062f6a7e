import { Context, Effect, Layer } from "effect"
import { deviceSessionLimits, type PairingCode, type VeteranIdentityList } from "../../../domain/DeviceSession.ts"
import { NotFound, orNotFound } from "../../../domain/Errors.ts"
import type { VeteranId } from "../../../domain/Id.ts"
import * as DeviceSessionRepository from "../../../sql/account/DeviceSessionRepository.ts"
import * as SignInRepository from "../../../sql/account/SignInRepository.ts"
import * as VeteranRepository from "../../../sql/account/VeteranRepository.ts"
import { OwnConnections } from "../../../sql/Connections.ts"
import { onVeteran } from "../../../sql/operation/AdminActs.ts"
import { newId } from "../../platform/Ids.ts"
import { noteAct } from "../../platform/NotedActs.ts"
import { newSpokenCode } from "../../platform/SpokenCode.ts"
import { DeviceSessions } from "../session/DeviceSessions.ts"
import { IdTokens } from "../session/IdTokens.ts"
import { pairingCodes } from "../session/PairingCodes.ts"
import { Veterans } from "./Veterans.ts"

/** 60 bits: with five tries for each sign-in at the VA, nobody finds a code by guessing. */
const codeLength = 12

/** What the operator does with the accounts of the VA that open a veteran's record (contract, part 14.9). */
export class Identities extends Context.Service<Identities, {
  /** Makes a code that is handed to the veteran. It works once, and ends the code before it. */
  readonly makeCode: (veteranId: VeteranId) => Effect.Effect<typeof PairingCode.Type, NotFound>
  readonly list: (veteranId: VeteranId) => Effect.Effect<typeof VeteranIdentityList.Type, NotFound>
  /** Ends all of the veteran's sessions. */
  readonly remove: (veteranId: VeteranId, identityId: string) => Effect.Effect<void, NotFound>
  /** Pairs an account whose owner is known. Nothing changes if it is paired already. */
  readonly pairByHand: (veteranId: VeteranId, issuer: string, subject: string) => Effect.Effect<void>
}>()("vrss/services/account/veteran/Identities") {
  static readonly layer = Layer.effect(
    Identities,
    Effect.gen(function*() {
      const codes = yield* pairingCodes
      const deviceSessions = yield* DeviceSessions
      const { subjectHash } = yield* IdTokens
      const sql = yield* OwnConnections
      const signIns = SignInRepository.make(sql)
      const steps = DeviceSessionRepository.make(sql)
      const veterans = yield* Veterans
      const rows = VeteranRepository.make(sql)

      const found = Effect.fnUntraced(function*(veteranId: VeteranId) {
        return yield* Effect.mapError(veterans.me(veteranId), () => new NotFound())
      })

      const makeCode: Identities["Service"]["makeCode"] = Effect.fn("Identities.makeCode")(function*(veteranId) {
        const code = newSpokenCode(codeLength)
        const { pairingCodeDays } = deviceSessionLimits
        return yield* onVeteran(sql)(Effect.gen(function*() {
          const { endsAt } = yield* orNotFound(
            rows.setPairingCode(veteranId, codes.operatorHash(code), pairingCodeDays)
          )
          yield* noteAct(sql, "pairing_code_made", veteranId)
          return { code, expiresAt: endsAt }
        }))
      })

      return Identities.of({
        makeCode,
        list: (veteranId) => Effect.andThen(found(veteranId), deviceSessions.identities(veteranId)),
        remove: Effect.fn("Identities.remove")((veteranId, identityId) =>
          onVeteran(sql)(Effect.gen(function*() {
            const { status } = yield* steps.removeIdentity(veteranId, null, identityId)
            if (status !== "removed") return yield* new NotFound()
            yield* noteAct(sql, "identity_removed", veteranId)
          }))
        ),
        pairByHand: (veteranId, issuer, subject) =>
          Effect.asVoid(signIns.pairByHand(veteranId, newId(), { issuer, subject: subjectHash(subject) }))
      })
    })
  )
}
