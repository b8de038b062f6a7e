import { Context, Effect, Layer, Option } from "effect"
import { deviceSessionLimits, type PairingCode, type VeteranIdentityList } from "../../domain/DeviceSession.ts"
import { Conflict, NotFound } from "../../domain/Errors.ts"
import type { VeteranId } from "../../domain/Id.ts"
import type { Veteran, VeteranChange } from "../../domain/Veteran.ts"
import * as DeviceSessionRepository from "../../sql/account/DeviceSessionRepository.ts"
import * as SignInRepository from "../../sql/account/SignInRepository.ts"
import * as VeteranRepository from "../../sql/account/VeteranRepository.ts"
import { OwnConnections, SharedConnections } from "../../sql/Connections.ts"
import { newId } from "../platform/Ids.ts"
import { newSpokenCode } from "../platform/SpokenCode.ts"
import { DeviceSessions } from "./DeviceSessions.ts"
import { IdTokens } from "./IdTokens.ts"
import { pairingCodes } from "./PairingCodes.ts"
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
  /** Changes the number that the VA has for the veteran. If it differs, all sessions end. */
  readonly change: (
    veteranId: VeteranId,
    change: typeof VeteranChange.Type
  ) => Effect.Effect<Veteran, Conflict | NotFound>
  /** Pairs an account whose owner is known. Nothing changes if it is paired already. */
  readonly pairByHand: (veteranId: VeteranId, issuer: string, subject: string) => Effect.Effect<void>
}>()("vrss/services/account/Identities") {
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
      const rows = VeteranRepository.make(yield* SharedConnections)

      const found = Effect.fnUntraced(function*(veteranId: VeteranId) {
        return yield* Effect.mapError(veterans.me(veteranId), () => new NotFound())
      })

      const makeCode: Identities["Service"]["makeCode"] = Effect.fn("Identities.makeCode")(function*(veteranId) {
        const code = newSpokenCode(codeLength)
        const { pairingCodeDays } = deviceSessionLimits
        const made = yield* rows.setPairingCode(veteranId, codes.operatorHash(code), pairingCodeDays)
        return Option.isSome(made) ? { code, expiresAt: made.value.endsAt } : yield* new NotFound()
      })

      const change: Identities["Service"]["change"] = Effect.fn("Identities.change")(
        function*(veteranId, { vaPatientId }) {
          if (vaPatientId !== undefined) {
            const { status } = yield* steps.changePatient(veteranId, vaPatientId)
            if (status === "taken") return yield* new Conflict({ message: "Another veteran has this vaPatientId." })
          }
          return yield* found(veteranId)
        }
      )

      return Identities.of({
        makeCode,
        change,
        list: (veteranId) => Effect.andThen(found(veteranId), deviceSessions.identities(veteranId)),
        remove: Effect.fn("Identities.remove")(function*(veteranId, identityId) {
          const { status } = yield* steps.removeIdentity(veteranId, null, identityId)
          if (status !== "removed") return yield* new NotFound()
        }),
        pairByHand: (veteranId, issuer, subject) =>
          Effect.asVoid(signIns.pairByHand(veteranId, newId(), { issuer, subject: subjectHash(subject) }))
      })
    })
  )
}
