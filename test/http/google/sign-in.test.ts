import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { bearer, call } from "../../support/Client.ts"
import { openOpenIdProvider } from "../../support/OpenIdProvider.ts"
import {
  comeBack,
  exchange,
  openPortal,
  registerWithGoogle,
  signInAt,
  startUrl,
  toCallback,
  toGoogle
} from "./SignIns.ts"

const google = await openOpenIdProvider()

const { service } = await openApp(google.environment)

describe("A provider who signs in with Google", () => {
  test("goes to Google, comes back with a one-time code, and has a session for it", async () => {
    const provider = await registerWithGoogle(service, google)
    const page = openPortal()
    const { google_code: code, ...rest } = await signInAt(service, page, provider.subject)
    assert.deepStrictEqual(rest, {})
    assert.match(code!, /^[\w-]{43}$/)
    const answer = await exchange(service, code, page)
    assert.strictEqual(answer.status, 200)
    const { accessToken, ...others } = answer.json
    const { createdAt, ...shown } = others.provider
    assert.deepStrictEqual({ ...others, provider: shown }, {
      tokenType: "Bearer",
      expiresIn: 3600,
      provider: {
        id: provider.id,
        email: provider.email,
        displayName: "Dr. Ada Gray",
        organization: "Gray Clinic",
        npi: null
      }
    })
    assert.strictEqual(answer.headers.get("cache-control"), "no-store")
    const me = await call(service, "GET", "/api/provider/me", { headers: bearer(accessToken) })
    assert.deepStrictEqual([me.status, me.json.id], [200, provider.id])
  })
})
