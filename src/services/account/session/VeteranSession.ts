import { Cause, Context, Effect, Layer, Option } from "effect"
import { Unauthenticated } from "../../../domain/Errors.ts"
import { VeteranId } from "../../../domain/Id.ts"
import {
  IdentityAssertionRequired,
  InvalidExchangeSecret,
  InvalidIdentityAssertion,
  SessionExchangeNotConfigured,
  type SessionRequest,
  type VeteranAccess,
  VeteranNotFound
} from "../../../domain/Veteran.ts"
import * as VeteranRepository from "../../../sql/account/VeteranRepository.ts"
import { ActingSession, SessionEnded, type TokenSession } from "../../../sql/Actor.ts"
import { SharedConnections } from "../../../sql/Connections.ts"
import { secretsEqual } from "../../platform/Crypto.ts"
import { Settings } from "../../platform/Settings.ts"
import { AccessTokens, maxLifetimeSeconds } from "./AccessTokens.ts"
import { IdentityAssertion } from "./IdentityAssertion.ts"

/** The veteran of a token. */
export interface SignedInVeteran {
  readonly veteranId: VeteranId
  readonly tokenId: string
  readonly session: TokenSession
}

/** Runs a request of the veteran. Its transactions check that the token's session has not ended (sql/Actor.ts). */
export const underSession = <A, E, R>({ session }: SignedInVeteran, request: Effect.Effect<A, E, R>) =>
  Effect.catchCauseIf(
    Effect.provideService(request, ActingSession, session),
    (cause) => Cause.squash(cause) instanceof SessionEnded,
    () => Effect.fail(new Unauthenticated())
  )

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
  /** Returns what a valid token of a veteran says, or None. Does not ask whether the token's session has ended. */
  readonly authenticate: (token: string) => Effect.Effect<Option.Option<SignedInVeteran>>
  /** Fails if the session of the token has ended. A token without one ends when the veteran ends all. */
  readonly requireLive: (veteran: SignedInVeteran) => Effect.Effect<void, Unauthenticated>
}>()("vrss/services/account/session/VeteranSession") {
  static readonly layer = Layer.effect(
    VeteranSession,
    Effect.gen(function*() {
      const { oauthIssuer, requireIdentityAssertion, sessionExchangeSecret } = yield* Settings
      const assertions = yield* IdentityAssertion
      const tokens = yield* AccessTokens
      const veterans = VeteranRepository.make(yield* SharedConnections)

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
        const veteran = yield* veterans.findExchanged(vaPatientId)
        if (Option.isNone(veteran)) return yield* new VeteranNotFound()
        const { callSign, id, tokensEndedAt } = veteran.value
        return {
          accessToken: yield* tokens.issue(
            "veteran",
            id,
            maxLifetimeSeconds.veteran,
            tokensEndedAt === null ? {} : { tnb: tokensEndedAt.getTime() }
          ),
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
            Option.map(({ id, sid, subject, tnb }): SignedInVeteran => ({
              veteranId: VeteranId.make(subject),
              tokenId: id,
              session: { id: sid ?? null, notBefore: tnb === undefined ? null : new Date(tnb) }
            }))
          ),
        requireLive: ({ session, veteranId }) =>
          Effect.flatMap(
            veterans.tokenCounts(veteranId, session),
            (counts): Effect.Effect<void, Unauthenticated> => counts ? Effect.void : Effect.fail(new Unauthenticated())
          )
      })
    })
  )
}
