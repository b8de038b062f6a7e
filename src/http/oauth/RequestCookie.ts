import { Duration, Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { appRequestLimits } from "../../domain/AppRequest.ts"
import { newSecret } from "../../services/platform/Crypto.ts"
import { Settings } from "../../services/platform/Settings.ts"
import { soleCookie } from "../account/PortalCookie.ts"

type Request = HttpServerRequest.HttpServerRequest

type Response = HttpServerResponse.HttpServerResponse

/** Makes the cookies of the consent pages. Over TLS no other host can set them (RFC 6265bis, 4.1.3.2). */
export const makePageCookie = (suffix: string) =>
  Effect.map(Settings, ({ oauthIssuer }) => {
    const secure = oauthIssuer.startsWith("https:")
    const name = `${secure ? "__Host-" : ""}vrss-authorize${suffix}`
    const attributes = { path: "/", secure, httpOnly: true, sameSite: "lax" } as const
    return {
      of: (request: Request) => soleCookie(request, name),
      set: (value: string) => (response: Response) =>
        HttpServerResponse.setCookieUnsafe(response, name, value, {
          ...attributes,
          maxAge: Duration.seconds(appRequestLimits.requestSeconds)
        }),
      clear: HttpServerResponse.expireCookieUnsafe(name, attributes)
    }
  })

/**
 * Binds requests to the browser that began them. All requests of a browser share one cookie, so that two tabs do not
 * end each other.
 */
export const makeRequestCookie = Effect.gen(function*() {
  const cookie = yield* makePageCookie("")
  const origin = new URL((yield* Settings).oauthIssuer).origin

  const cookieOf = (request: Request) => {
    const value = cookie.of(request)
    return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined
  }

  return {
    cookieOf,
    /** The browser's cookie, or a new one. */
    begin: (request: Request) => cookieOf(request) ?? newSecret(),
    set: cookie.set,
    /** Our pages send no referrer, so browsers write `null` (Fetch standard, "append a request `Origin` header"). */
    isOurs: ({ headers }: Request) => [undefined, "null", origin].includes(headers["origin"])
  }
})
