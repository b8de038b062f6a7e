import { Context, Effect, Layer, Option } from "effect"
import { VeteranId } from "../../domain/Id.ts"
import {
  IdentityAssertionRequired,
  InvalidExchangeSecret,
  InvalidIdentityAssertion,
  SessionExchangeNotConfigured,
  type SessionRequest,
  type VeteranAccess,
  VeteranNotFound
} from "../../domain/Veteran.ts"
import { secretsEqual } from "../platform/Crypto.ts"
import { Settings } from "../platform/Settings.ts"
import { AccessTokens, maxLifetimeSeconds } from "./AccessTokens.ts"
import { IdentityAssertion } from "./IdentityAssertion.ts"
import { Veterans } from "./Veterans.ts"

/** Exchanges the upstream `vaPatientId` for a short-lived token (specification, "Authentication" 1–4). */
export class VeteranSession extends Context.Service<VeteranSession, {
  /** Called before the request's body is read. */
  readonly checkSecret: (secret: string) => Effect.Effect<void, InvalidExchangeSecret | SessionExchangeNotConfigured>
  readonly exchange: (
    request: typeof SessionRequest.Type
  ) => Effect.Effect<
    typeof VeteranAccess.Type,
    VeteranNotFound | InvalidIdentityAssertion | IdentityAssertionRequired
  >
  /** Returns the token's veteran and id, or None if the token is not valid or not a veteran's. */
  readonly authenticate: (
    token: string
  ) => Effect.Effect<Option.Option<{ readonly veteranId: VeteranId; readonly sessionId: string }>>
}>()("vrss/services/account/VeteranSession") {
  static readonly layer = Layer.effect(
    VeteranSession,
    Effect.gen(function*() {
      const { oauthIssuer, requireIdentityAssertion, sessionExchangeSecret } = yield* Settings
      const assertions = yield* IdentityAssertion
      const tokens = yield* AccessTokens
      const veterans = yield* Veterans

      const checkSecret = (secret: string) =>
        Effect.suspend((): Effect.Effect<void, InvalidExchangeSecret | SessionExchangeNotConfigured> => {
          if (sessionExchangeSecret === undefined) return Effect.fail(new SessionExchangeNotConfigured())
          return secretsEqual(secret, sessionExchangeSecret) ? Effect.void : Effect.fail(new InvalidExchangeSecret())
        })

      /** The assertion is optional unless the operator requires it: the specification's request has none. */
      const checkAssertion = Effect.fnUntraced(
        function*({ identityAssertion, vaPatientId }: typeof SessionRequest.Type) {
          if (identityAssertion === undefined) {
            return requireIdentityAssertion ? yield* new IdentityAssertionRequired() : undefined
          }
          const verified = Option.filter(
            yield* assertions.verify(identityAssertion, oauthIssuer),
            (claims) => claims.vaPatientId === vaPatientId
          )
          if (Option.isNone(verified) || !(yield* assertions.spend(verified.value))) {
            return yield* new InvalidIdentityAssertion()
          }
        }
      )

      const exchange = Effect.fn("VeteranSession.exchange")(function*(request: typeof SessionRequest.Type) {
        yield* checkAssertion(request)
        const { vaPatientId } = request
        const veteran = yield* veterans.findByVaPatientId(vaPatientId)
        if (Option.isNone(veteran)) return yield* new VeteranNotFound()
        const { callSign, id } = veteran.value
        return {
          accessToken: yield* tokens.issue("veteran", id, maxLifetimeSeconds.veteran),
          tokenType: "Bearer" as const,
          expiresIn: maxLifetimeSeconds.veteran,
          veteran: { id, callSign }
        }
      })

      return VeteranSession.of({
        checkSecret,
        exchange,
        authenticate: (token) =>
          Effect.map(
            tokens.verify("veteran", token),
            Option.map(({ id, subject }) => ({ veteranId: VeteranId.make(subject), sessionId: id }))
          )
      })
    })
  )
}
