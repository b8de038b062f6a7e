import { Context, Effect, Layer, Option } from "effect"
import { uuid } from "../../domain/Id.ts"
import type { ProviderSession } from "../../domain/Provider.ts"
import * as ProviderRepository from "../../sql/account/ProviderRepository.ts"
import { SharedConnections } from "../../sql/Connections.ts"
import { Crypto, newSecret } from "../platform/Crypto.ts"

/** Two windows that refresh at once may each be given a cookie, and the browser keeps either. */
const maxCookies = 4

/**
 * The cookies by which a page of the portal goes on with its session after a reload. A cookie names its session and has a secret of
 * 256 random bits, of which a keyed hash is stored with the session: it ends with the session or its provider.
 *
 * It stays the same while the session lives. To change it at each use would sign out the second of two windows that resume at
 * once, and whoever's answer was lost; it would protect little, for no script reads it and no request sets it elsewhere.
 */
export class Resumption extends Context.Service<Resumption, {
  /** Answers a new cookie for the session; none where the session ended meanwhile. */
  readonly begin: (session: ProviderSession) => Effect.Effect<Option.Option<string>>
  /**
   * Answers the cookie that a refresh sets: what the browser has if it is the session's, else a new one. None where it is of
   * another live session: the browser belongs to who signed in last, whatever older windows do behind that.
   */
  readonly renew: (session: ProviderSession, cookie: string | undefined) => Effect.Effect<Option.Option<string>>
  /** Finds the live session of a cookie. */
  readonly resume: (cookie: string) => Effect.Effect<Option.Option<ProviderSession>>
}>()("vrss/Resumption") {
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
          const known = cookie === undefined ? Option.none() : yield* resume(cookie)
          if (Option.isNone(known)) return yield* begin(session)
          return known.value.sessionId === session.sessionId ? Option.fromUndefinedOr(cookie) : Option.none()
        }),
        resume
      })
    })
  )
}
