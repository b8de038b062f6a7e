import { Duration, Effect, Layer, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { maxSignInSeconds } from "../../services/account/provider/BegunSignIns.ts"
import { GoogleSignIn } from "../../services/account/provider/GoogleSignIn.ts"
import { ProviderAuth } from "../../services/account/provider/ProviderAuth.ts"
import { Settings } from "../../services/platform/Settings.ts"
import { group, whole } from "../wire/Group.ts"
import { portalAddress } from "./PortalAddress.ts"
import { makePortalCookie, soleCookie } from "./PortalCookie.ts"

/** Only the API's host can set it. From another site, only a navigation carries it (RFC 6265bis, 4.1.3.2, 5.2). */
const cookieName = "__Host-vrss-google"

const cookieOptions = { path: "/", secure: true, httpOnly: true, sameSite: "lax" } as const

const goTo = (location: string) => HttpServerResponse.redirect(location, { status: 303 })

const GoogleNavigationHandlers = group("googleNavigation", function*(handlers) {
  const google = yield* GoogleSignIn
  const { portalUrl } = yield* Settings
  const refused = (code: string) => goTo(portalAddress(portalUrl, { google_error: code }))
  return handlers.handleAll({
    start: Effect.fnUntraced(function*({ query }) {
      const { cookie, location } = yield* Option.getOrThrow(google).begin(query.challenge)
      return HttpServerResponse.setCookieUnsafe(goTo(location), cookieName, cookie, {
        ...cookieOptions,
        maxAge: Duration.seconds(maxSignInSeconds)
      })
    }, Effect.catchTag("SignInRefused", ({ code }) => Effect.succeed(refused(code)))),
    callback: whole(Effect.fnUntraced(function*({ query, request }) {
      const { finish, recognise } = Option.getOrThrow(google)
      const signIn = yield* recognise(soleCookie(request, cookieName) ?? "", query.state ?? "")
      // The cookie stays: a stray navigation to this address must not end a sign-in that is under way.
      if (Option.isNone(signIn)) return refused("google_sign_in_over")
      const answer = yield* finish(signIn.value, new URL(request.url, "http://localhost").search).pipe(
        Effect.map((code) => goTo(portalAddress(portalUrl, { google_code: code }))),
        Effect.catchTag("SignInRefused", ({ code }) => Effect.succeed(refused(code)))
      )
      return HttpServerResponse.expireCookieUnsafe(answer, cookieName, cookieOptions)
    }))
  })
})

const GoogleExchangeHandlers = group("googleExchange", function*(handlers) {
  const auth = yield* ProviderAuth
  const cookie = yield* makePortalCookie
  const google = yield* GoogleSignIn
  return handlers.handleAll({
    exchange: whole(Effect.fnUntraced(function*({ payload }) {
      const session = yield* Option.getOrThrow(google).exchange(payload)
      yield* cookie.begin(session)
      return yield* auth.access(session)
    }))
  })
})

export const GoogleHandlers = Layer.mergeAll(GoogleNavigationHandlers, GoogleExchangeHandlers)
