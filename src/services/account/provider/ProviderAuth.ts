import { Clock, Context, Effect, Layer, Option } from "effect"
import type { ServiceUnavailable } from "../../../domain/Errors.ts"
import {
  InvalidCredentials,
  type LoginRequest,
  type ProviderAccess,
  type ProviderSession
} from "../../../domain/Provider.ts"
import type { RateLimited } from "../../../domain/RateLimit.ts"
import * as ProviderRepository from "../../../sql/account/ProviderRepository.ts"
import { OwnConnections, SharedConnections } from "../../../sql/Connections.ts"
import { counters } from "../../platform/Gauges.ts"
import { newId } from "../../platform/Ids.ts"
import { AccessTokens, maxLifetimeSeconds } from "../session/AccessTokens.ts"
import { loginTries } from "./LoginTries.ts"
import { Password } from "./Password.ts"

/** PostgreSQL may lower-case non-ASCII letters unlike JavaScript. A provider would then have two rate limits. */
export const isAscii = (email: string) => /^[\x21-\x7e]+$/.test(email)

export const sessionHours = 12

const countLogin = counters("provider_logins_total", {
  description: "Sign-ins of providers by password, right or wrong",
  label: "credentials",
  values: ["right", "wrong"]
})

/**
 * Provider sign-in (specification, "Authentication" 5). A session is a row, so that ending it or disabling the provider
 * takes effect immediately. Tokens are renewed for at most 12 hours.
 */
export class ProviderAuth extends Context.Service<ProviderAuth, {
  /** Opens a session. `network` contains the client's address. */
  readonly login: (
    request: typeof LoginRequest.Type,
    network: string
  ) => Effect.Effect<ProviderSession, InvalidCredentials | RateLimited | ServiceUnavailable>
  readonly authenticate: (token: string) => Effect.Effect<Option.Option<ProviderSession>>
  readonly access: (session: ProviderSession) => Effect.Effect<ProviderAccess>
  readonly logout: (session: ProviderSession) => Effect.Effect<void>
}>()("vrss/services/account/provider/ProviderAuth") {
  static readonly layer = Layer.effect(
    ProviderAuth,
    Effect.gen(function*() {
      const password = yield* Password
      const providers = ProviderRepository.make(yield* SharedConnections)
      const sessions = ProviderRepository.make(yield* OwnConnections)
      const tokens = yield* AccessTokens
      const tries = yield* loginTries

      const access = Effect.fnUntraced(function*({ expiresAt, provider, sessionId }: ProviderSession) {
        const remaining = Math.floor((expiresAt.getTime() - (yield* Clock.currentTimeMillis)) / 1000)
        const expiresIn = Math.min(maxLifetimeSeconds.provider, remaining)
        const accessToken = yield* tokens.issue("provider", sessionId, expiresIn)
        return { accessToken, tokenType: "Bearer" as const, expiresIn, provider }
      })

      const login = Effect.fn("ProviderAuth.login")(function*(
        { email, password: sentPassword }: typeof LoginRequest.Type,
        network: string
      ) {
        const { asker, remember } = yield* tries.spend(email, network)
        const credential = isAscii(email) ? yield* providers.findCredential(email) : Option.none()
        const right = yield* password.verify(sentPassword, Option.getOrUndefined(credential)?.passwordHash, asker)
        countLogin(Option.isSome(credential) && right ? "right" : "wrong")
        if (Option.isNone(credential) || !right) return yield* new InvalidCredentials()
        const { passwordHash, ...provider } = credential.value
        const sessionId = newId()
        const opening = { id: sessionId, providerId: provider.id, passwordHash, hours: sessionHours }
        const session = yield* sessions.openSession(opening)
        if (Option.isNone(session)) return yield* new InvalidCredentials()
        yield* remember(provider.id)
        return { sessionId, expiresAt: session.value.expiresAt, provider }
      })

      const authenticate = Effect.fnUntraced(function*(token: string) {
        const claims = yield* tokens.verify("provider", token)
        if (Option.isNone(claims)) return Option.none()
        const sessionId = claims.value.subject
        const session = yield* providers.findSession(sessionId)
        return Option.map(
          session,
          ({ expiresAt, ...provider }): ProviderSession => ({ sessionId, expiresAt, provider })
        )
      })

      return ProviderAuth.of({
        login,
        authenticate,
        access,
        logout: ({ sessionId }) => Effect.asVoid(providers.endSession(sessionId))
      })
    })
  )
}
