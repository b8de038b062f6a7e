import { assert, describe, test } from "vitest"
import { openApp, openService } from "../support/App.ts"
import { call } from "../support/Client.ts"

const portal = "https://portal.example.org"

const staging = "https://staging.portal.example.org:8443"

const { database, service } = await openApp({
  PROVIDER_PORTAL_URL: `${portal}/app/`,
  PROVIDER_PORTAL_ORIGINS: `${portal}, ${staging}`
})

const byDefault = await openService(database, { PROVIDER_PORTAL_URL: `${portal}/app` })

const preflight = (origin: string) =>
  call(service, "OPTIONS", "/api/provider/login", {
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type,x-internal-admin-secret"
    }
  })

describe("A page of the provider portal", () => {
  test.each([portal, staging])("may call from %s, and may read answers and errors alike", async (origin) => {
    for (const [path, status] of [["/health", 200], ["/nothing", 404], ["/api/provider/me", 401]] as const) {
      const answer = await call(service, "GET", path, { headers: { origin } })
      assert.strictEqual(answer.status, status)
      assert.strictEqual(answer.headers.get("access-control-allow-origin"), origin)
      assert.strictEqual(answer.headers.get("access-control-expose-headers"), "retry-after,x-request-id")
      assert.isFalse(answer.headers.has("access-control-allow-credentials"))
      assert.strictEqual(answer.headers.get("vary"), "Origin")
    }
  })

  test("learns from a preflight which methods and headers it may send", async () => {
    const answer = await preflight(portal)
    assert.strictEqual(answer.status, 204)
    assert.strictEqual(answer.text, "")
    assert.strictEqual(answer.headers.get("access-control-allow-origin"), portal)
    assert.strictEqual(answer.headers.get("access-control-allow-methods"), "GET, POST, PATCH, DELETE")
    assert.strictEqual(answer.headers.get("access-control-allow-headers"), "authorization,content-type")
    assert.strictEqual(answer.headers.get("access-control-max-age"), "600")
    assert.isFalse(answer.headers.has("access-control-allow-credentials"))
  })

  test("is recognised by the origin of PROVIDER_PORTAL_URL where no origins are listed", async () => {
    const [own, other] = await Promise.all(
      [portal, staging].map((origin) => call(byDefault, "GET", "/health", { headers: { origin } }))
    )
    assert.strictEqual(own!.headers.get("access-control-allow-origin"), portal)
    assert.isNull(other!.headers.get("access-control-allow-origin"))
  })
})

describe("A page of any other origin", () => {
  test.each([
    "null",
    "https://portal.example.or",
    "https://portal.example.org.attacker.example",
    "https://attacker-portal.example.org",
    "https://attacker.portal.example.org",
    "http://portal.example.org",
    "https://portal.example.org:8443",
    "https://staging.portal.example.org",
    "https://PORTAL.example.org",
    "HTTPS://portal.example.org",
    "https://portal.example.org/",
    "https://portal.example.org/app",
    "https://portal.example.org, https://staging.portal.example.org:8443",
    "https://portal.example.org.",
    "*",
    ""
  ])("is admitted from %s neither by a preflight nor by an answer", async (origin) => {
    for (const answer of [await preflight(origin), await call(service, "GET", "/health", { headers: { origin } })]) {
      assert.isNull(answer.headers.get("access-control-allow-origin"))
      assert.isNull(answer.headers.get("access-control-allow-credentials"))
      assert.strictEqual(answer.headers.get("vary"), "Origin")
    }
  })

  test("is not assumed behind a request without an origin, whose answer has no CORS header", async () => {
    assert.isNull((await call(service, "GET", "/health")).headers.get("access-control-allow-origin"))
  })
})
