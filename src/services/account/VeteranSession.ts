import { Context, Effect, Layer, Option } from "effect"
import {
  InvalidExchangeSecret,
  SessionExchangeNotConfigured,
  type VeteranAccess,
  VeteranNotFound
} from "../../domain/Veteran.ts"
import { secretsEqual } from "../platform/Crypto.ts"
import { Settings } from "../platform/Settings.ts"
import { AccessTokens, longestLifetime } from "./AccessTokens.ts"
import { Veterans } from "./Veterans.ts"

/** Exchanges the upstream `vaPatientId` for a short-lived token (specification, "Authentication" 1–4). */
export class VeteranSession extends Context.Service<VeteranSession, {
  /** The secret is checked before the request's body is looked at. */
  readonly checkSecret: (given: string) => Effect.Effect<void, InvalidExchangeSecret | SessionExchangeNotConfigured>
  readonly exchange: (vaPatientId: string) => Effect.Effect<typeof VeteranAccess.Type, VeteranNotFound>
  /** Says whose token it is, and the token's own id; none when it is not a valid veteran's token. */
  readonly authenticate: (
    token: string
  ) => Effect.Effect<Option.Option<{ readonly veteranId: string; readonly sessionId: string }>>
}>()("vrss/VeteranSession") {
  static readonly layer = Layer.effect(
    VeteranSession,
    Effect.gen(function*() {
      const { sessionExchangeSecret } = yield* Settings
      const tokens = yield* AccessTokens
      const veterans = yield* Veterans

      const checkSecret = (given: string) =>
        Effect.suspend((): Effect.Effect<void, InvalidExchangeSecret | SessionExchangeNotConfigured> => {
          if (sessionExchangeSecret === undefined) return Effect.fail(new SessionExchangeNotConfigured())
          return secretsEqual(given, sessionExchangeSecret) ? Effect.void : Effect.fail(new InvalidExchangeSecret())
        })

      const exchange = Effect.fn("VeteranSession.exchange")(function*(vaPatientId: string) {
        const veteran = yield* veterans.findByVaPatientId(vaPatientId)
        if (Option.isNone(veteran)) return yield* new VeteranNotFound()
        const { callSign, id } = veteran.value
        return {
          accessToken: yield* tokens.issue("veteran", id, longestLifetime.veteran),
          tokenType: "Bearer" as const,
          expiresIn: longestLifetime.veteran,
          veteran: { id, callSign }
        }
      })

      return VeteranSession.of({
        checkSecret,
        exchange,
        authenticate: (token) =>
          Effect.map(
            tokens.verify("veteran", token),
            Option.map(({ id, subject }) => ({ veteranId: subject, sessionId: id }))
          )
      })
    })
  )
}
