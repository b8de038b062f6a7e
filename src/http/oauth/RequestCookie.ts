import { Duration, Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { newSecret } from "../../services/platform/Crypto.ts"
import { Settings } from "../../services/platform/Settings.ts"
import { soleCookie } from "../account/PortalCookie.ts"

/** It lives as long as a request does. */
const lifetime = Duration.minutes(10)

/**
 * Binds requests to the browser that began them: one cookie stands for all requests of a browser, so that two tabs do not end each
 * other. Over TLS no other host can set it (RFC 6265bis, 4.1.3.2).
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
        maxAge: lifetime
      }),
    /**
     * A browser says which page sent a form; ours have no referrer, so that it says `null` (Fetch standard, "append a request `Origin`
     * header").
     */
    isOurs: ({ headers }: HttpServerRequest.HttpServerRequest) =>
      [undefined, "null", origin].includes(headers["origin"])
  }
})
