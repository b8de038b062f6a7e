import { Duration, Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { appRequestLimits } from "../../domain/AppRequest.ts"
import { newSecret } from "../../services/platform/Crypto.ts"
import { Settings } from "../../services/platform/Settings.ts"
import { soleCookie } from "../account/PortalCookie.ts"

/**
 * Binds the authorization requests of apps to the browser in which they began. Those of one browser share a cookie, so
 * that two tabs do not end each other's requests. Over TLS no other host can set the cookie (RFC 6265bis, 4.1.3.2).
 */
export const makeRequestCookie = Effect.map(Settings, ({ oauthIssuer }) => {
  const secure = oauthIssuer.startsWith("https:")
  const origin = new URL(oauthIssuer).origin
  const name = `${secure ? "__Host-" : ""}vrss-authorize`

  const cookieOf = (request: HttpServerRequest.HttpServerRequest) => {
    const value = soleCookie(request, name)
    return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
  }

  return {
    cookieOf,
    /** The browser's cookie, or a new one. */
    begin: (request: HttpServerRequest.HttpServerRequest) => cookieOf(request) ?? newSecret(),
    set: (value: string) => (response: HttpServerResponse.HttpServerResponse) =>
      HttpServerResponse.setCookieUnsafe(response, name, value, {
        path: "/",
        secure,
        httpOnly: true,
        sameSite: "lax",
        maxAge: Duration.seconds(appRequestLimits.requestSeconds)
      }),
    /** Our pages send no referrer, so browsers send the origin `null` (Fetch, "append a request `Origin` header"). */
    isOurs: ({ headers }: HttpServerRequest.HttpServerRequest) =>
      [undefined, "null", origin].includes(headers["origin"])
  }
})
