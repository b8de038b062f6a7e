import { Clock, Effect, Option } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ProviderSession } from "../../domain/Provider.ts"
import { Resumption } from "../../services/account/provider/Resumption.ts"
import { Settings } from "../../services/platform/Settings.ts"
import { portalCookie } from "../contract/Authorization.ts"

const { key: name } = portalCookie

const attributes = { path: "/", secure: true, httpOnly: true, sameSite: "strict" } as const

/** Browsers never send two `__Host-` cookies of one name. If two arrive, one was planted, so both are ignored. */
export const soleCookie = (
  { headers }: HttpServerRequest.HttpServerRequest,
  name: string
): string | undefined => {
  const values = (headers["cookie"] ?? "").split(";").map((pair) => pair.trim()).filter((pair) =>
    pair.startsWith(`${name}=`)
  )
  return values.length === 1 ? values[0]!.slice(name.length + 1) : undefined
}

/** Whether a page of the portal sent the request. Browsers set `origin` themselves; a page cannot change it. */
export const isOfPortal = (
  { headers }: HttpServerRequest.HttpServerRequest,
  { portalOrigins }: { readonly portalOrigins: ReadonlyArray<string> }
) => portalOrigins.includes(headers["origin"] ?? "")

export const cookieOf = (request: HttpServerRequest.HttpServerRequest) => soleCookie(request, name)

/**
 * Sets and clears the cookie, for pages of the portal only. Otherwise another page could sign a browser in as
 * somebody else (login CSRF). Other clients get no cookie: they need no secret that outlives their token.
 */
export const makePortalCookie = Effect.gen(function*() {
  const settings = yield* Settings
  const resumption = yield* Resumption

  const change = (edit: (response: HttpServerResponse.HttpServerResponse) => HttpServerResponse.HttpServerResponse) =>
    HttpEffect.appendPreResponseHandler((_, response) => Effect.succeed(edit(response)))

  const ofPortal = <A, E>(
    step: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<A, E, HttpServerRequest.HttpServerRequest>
  ) =>
    Effect.flatMap(
      HttpServerRequest.HttpServerRequest,
      (request) => isOfPortal(request, settings) ? Effect.asVoid(step(request)) : Effect.void
    )

  const set = Effect.fnUntraced(function*({ expiresAt }: ProviderSession, value: Option.Option<string>) {
    if (Option.isNone(value)) return
    const remaining = expiresAt.getTime() - (yield* Clock.currentTimeMillis)
    yield* change((response) =>
      HttpServerResponse.setCookieUnsafe(response, name, value.value, { ...attributes, maxAge: Math.max(0, remaining) })
    )
  })

  return {
    begin: (session: ProviderSession) =>
      ofPortal(() => Effect.flatMap(resumption.begin(session), (value) => set(session, value))),
    renew: (session: ProviderSession) =>
      ofPortal((request) =>
        Effect.flatMap(resumption.renew(session, cookieOf(request)), (value) => set(session, value))
      ),
    /** Clears the cookie, whichever session it belongs to: after a sign-out, a reload must show no patients. */
    clear: ofPortal(() => change(HttpServerResponse.expireCookieUnsafe(name, attributes)))
  }
})
