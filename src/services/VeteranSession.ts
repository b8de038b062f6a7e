import { Context, Effect, Layer, Option, Schema } from "effect"
import { ApiError } from "./ApiError.ts"
import { secretsEqual } from "./Crypto.ts"
import { Settings } from "./Settings.ts"
import { Text } from "./Text.ts"
import { Tokens } from "./Tokens.ts"
import { Veterans } from "./Veterans.ts"

export class InvalidExchangeSecret extends ApiError<InvalidExchangeSecret>()("InvalidExchangeSecret", {
  code: "invalid_exchange_secret",
  status: 401,
  message: "The header 'x-veteran-session-exchange' is missing or wrong."
}) {}

export class SessionExchangeNotConfigured
  extends ApiError<SessionExchangeNotConfigured>()("SessionExchangeNotConfigured", {
    code: "session_exchange_not_configured",
    status: 503,
    message: "This server has no VETERAN_SESSION_EXCHANGE_SECRET."
  })
{}

export class VeteranNotFound extends ApiError<VeteranNotFound>()("VeteranNotFound", {
  code: "veteran_not_found",
  status: 404,
  message: "No veteran is registered with this vaPatientId."
}) {}

export class VeteranMismatch extends ApiError<VeteranMismatch>()("VeteranMismatch", {
  code: "veteran_mismatch",
  status: 403,
  message: "The token belongs to another veteran than the one addressed."
}) {}

export const SessionRequest = Schema.Struct({ vaPatientId: Text(128) }).annotate({ identifier: "SessionRequest" })

export const VeteranAccess = Schema.Struct({
  accessToken: Schema.String,
  tokenType: Schema.Literal("Bearer"),
  /** Seconds. */
  expiresIn: Schema.Int,
  veteran: Schema.Struct({ id: Schema.String, callSign: Schema.String })
}).annotate({ identifier: "VeteranAccess" })

const lifetime = 900

/** Exchanges the upstream `vaPatientId` for a short-lived token (specification, "Authentication" 1–4). */
export class VeteranSession extends Context.Service<VeteranSession, {
  /** Checked before the request's body is looked at. */
  readonly checkSecret: (given: string) => Effect.Effect<void, InvalidExchangeSecret | SessionExchangeNotConfigured>
  readonly exchange: (vaPatientId: string) => Effect.Effect<typeof VeteranAccess.Type, VeteranNotFound>
  /** Whose token it is, and its own id; none when it is not a valid veteran's token. */
  readonly authenticate: (
    token: string
  ) => Effect.Effect<Option.Option<{ readonly veteranId: string; readonly sessionId: string }>>
}>()("vrss/VeteranSession") {
  static readonly layer = Layer.effect(
    VeteranSession,
    Effect.gen(function*() {
      const { sessionExchangeSecret } = yield* Settings
      const tokens = yield* Tokens
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
          accessToken: yield* tokens.issue("veteran", id, lifetime),
          tokenType: "Bearer" as const,
          expiresIn: lifetime,
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
