import { Context, Effect, Layer, Option } from "effect"
import { uuid } from "../../../domain/Id.ts"
import type { ProviderSession } from "../../../domain/Provider.ts"
import * as ProviderRepository from "../../../sql/account/ProviderRepository.ts"
import { SharedConnections } from "../../../sql/Connections.ts"
import { Crypto, newSecret } from "../../platform/Crypto.ts"

/** Maximum number of valid cookies of a session. Windows that refresh at the same time may each get a new one. */
const maxCookies = 4

/**
 * Cookies by which a page of the portal continues its session after a reload. A cookie contains the session's id and a
 * secret of 256 random bits. A keyed hash of the secret is stored with the session. The cookie is valid until the
 * session ends or the provider is disabled.
 *
 * The cookie stays the same while the session lives. If each use changed it, two windows that resume at once would
 * conflict: the second would be signed out. So would a client whose answer was lost. A change would protect little,
 * because no script can read the cookie.
 */
export class Resumption extends Context.Service<Resumption, {
  /** Returns a new cookie for the session, or None if the session has ended meanwhile. */
  readonly begin: (session: ProviderSession) => Effect.Effect<Option.Option<string>>
  /**
   * Returns the cookie that a refresh sets: the browser's own if it belongs to the session, or else a new one. Returns
   * None if the cookie belongs to another live session: older windows must not replace the last sign-in's cookie.
   */
  readonly renew: (session: ProviderSession, cookie: string | undefined) => Effect.Effect<Option.Option<string>>
  readonly resume: (cookie: string) => Effect.Effect<Option.Option<ProviderSession>>
}>()("vrss/services/account/provider/Resumption") {
  static readonly layer = Layer.effect(
    Resumption,
    Effect.gen(function*() {
      const hash = (yield* Crypto).keyedHash("provider-session-cookie")
      const providers = ProviderRepository.make(yield* SharedConnections)

      const begin = Effect.fnUntraced(function*({ sessionId }: ProviderSession) {
        const secret = newSecret()
        const added = yield* providers.addResumeHash(sessionId, hash(sessionId, secret), maxCookies)
        return Option.as(added, `${sessionId}.${secret}`)
      })

      const resume = Effect.fnUntraced(function*(cookie: string) {
        const [, sessionId = "", secret = ""] = /^([^.]*)\.([\w-]{43})$/.exec(cookie) ?? []
        if (!uuid.test(sessionId)) return Option.none()
        const session = yield* providers.findResumable(sessionId, hash(sessionId, secret))
        return Option.map(
          session,
          ({ expiresAt, ...provider }): ProviderSession => ({ sessionId, expiresAt, provider })
        )
      })

      return Resumption.of({
        begin,
        renew: Effect.fnUntraced(function*(session, cookie) {
          const current = cookie === undefined ? Option.none() : yield* resume(cookie)
          if (Option.isNone(current)) return yield* begin(session)
          return current.value.sessionId === session.sessionId ? Option.fromUndefinedOr(cookie) : Option.none()
        }),
        resume
      })
    })
  )
}
