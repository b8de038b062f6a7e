import { Effect } from "effect"
import { Cookies, HttpServerResponse } from "effect/http"
import { assert, test } from "vitest"
import { makeRequestCookie } from "../../../src/http/oauth/RequestCookie.ts"
import { Settings } from "../../../src/services/platform/Settings.ts"

test("Over TLS the consent pages set a cookie that no other host can set, and belong to that origin", () => {
  const settings = { oauthIssuer: "https://records.example/api/oauth" } as Settings["Service"]
  const cookie = Effect.runSync(Effect.provideService(makeRequestCookie, Settings, settings))
  const value = "x".repeat(43)
  const { cookies } = cookie.set(value)(HttpServerResponse.empty())
  assert.deepStrictEqual(Cookies.toSetCookieHeaders(cookies), [
    `__Host-vrss-authorize=${value}; Max-Age=600; Path=/; HttpOnly; Secure; SameSite=Lax`
  ])
  const sent = (headers: Record<string, string>) => ({ headers }) as Parameters<typeof cookie.cookieOf>[0]
  assert.strictEqual(cookie.cookieOf(sent({ cookie: `__Host-vrss-authorize=${value}` })), value)
  assert.isUndefined(cookie.cookieOf(sent({ cookie: `vrss-authorize=${value}` })))
  assert.isTrue(cookie.isOurs(sent({ origin: "https://records.example" })))
  assert.isFalse(cookie.isOurs(sent({ origin: "http://records.example" })))
})
