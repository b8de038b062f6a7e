import { assert, describe, test } from "vitest"
import { openApp, openService } from "../../support/App.ts"
import { type Answer, call, giveGrant, signInProvider, signInVeteran } from "../../support/Client.ts"

const portal = "https://portal.example.org"

const staging = "https://staging.portal.example.org:8443"

const { database, service } = await openApp({
  PROVIDER_PORTAL_URL: `${portal}/app/`,
  PROVIDER_PORTAL_ORIGINS: `${portal}, ${staging}`
})

const byDefault = await openService(database, { PROVIDER_PORTAL_URL: `${portal}/app` })

/** Sends the preflight that a browser sends before a request that no HTML form could make. */
const preflight = (origin: string, method: string, path: string) =>
  call(service, "OPTIONS", path, {
    headers: {
      origin,
      "access-control-request-method": method,
      "access-control-request-headers": "authorization,content-type,x-internal-admin-secret"
    }
  })

const allowed = ({ headers }: Answer) =>
  ["methods", "headers", "credentials"].map((what) => headers.get(`access-control-allow-${what}`))

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

  const patient = "/api/provider/patients/01a1fea0-0000-7000-8000-000000000000"

  const mine = "/api/veteran/me"

  test.each<[method: string, path: string, methods: string, headers: string, credentials: string | null]>([
    ["POST", "/api/provider/login", "POST", "content-type", "true"],
    ["POST", "/api/provider/session/resume", "POST", "", "true"],
    ["POST", "/api/provider/session/refresh", "POST", "authorization", "true"],
    ["POST", "/api/provider/logout", "POST", "authorization", "true"],
    ["GET", "/api/provider/me", "GET", "authorization", null],
    ["HEAD", "/api/provider/me", "GET", "authorization", null],
    ["GET", "/api/provider/patients?limit=5", "GET", "authorization", null],
    ["GET", `${patient}/record`, "GET", "authorization", null],
    ["GET", `${patient}/notes`, "GET, POST", "authorization", null],
    ["POST", `${patient}/notes`, "GET, POST", "authorization,content-type", null],
    ["GET", `${patient}/documents/x/content`, "GET", "authorization", null],
    ["POST", "/api/secure-links/view", "POST", "content-type", null],
    ["POST", "/api/releases/verify", "POST", "content-type", null],
    ["POST", "/api/waitlist", "POST", "content-type", null],
    ["GET", "/api/proofs/checkpoint", "GET", "", null],
    ["PATCH", `${mine}/self-reported-entries/x`, "PATCH, DELETE", "authorization,content-type", null],
    ["DELETE", `${mine}/self-reported-entries/x`, "PATCH, DELETE", "authorization", null],
    ["POST", `${mine}/health-record/sync`, "POST", "authorization,content-type,content-encoding", null],
    ["POST", "/api/provider/google/exchange", "POST", "content-type", "true"],
    // For an unsupported method, the answer allows the route's methods but no header. An unknown path allows nothing.
    ["PUT", "/api/provider/login", "POST", "", null],
    ["post", "/api/provider/login", "POST", "", null],
    ["GET", "/nothing", "", "", null],
    ["POST", "/api/provider/login/", "", "", null],
    // These routes require the secret of an operator or a server, which no page has.
    ["POST", "/api/admin/veterans", "", "", null],
    ["POST", "/api/auth/veteran/session", "", "", null],
    ["POST", "/api/internal/proofs/drain", "", "", null]
  ])(
    "learns from a preflight of %s %s only what its route accepts",
    async (method, path, ...expected) => {
      const answer = await preflight(portal, method, path)
      assert.strictEqual(answer.status, 204)
      assert.strictEqual(answer.text, "")
      assert.deepStrictEqual(allowed(answer), expected)
      assert.strictEqual(answer.headers.get("access-control-allow-origin"), portal)
      assert.strictEqual(answer.headers.get("access-control-max-age"), "600")
      assert.match(answer.headers.get("vary")!, /^Origin$/)
    }
  )

  test("may send credentials only to routes that set, read or clear the cookie", async () => {
    const { json } = await call(service, "GET", "/api/openapi.json")
    const withCookie: Array<string> = []
    for (const [path, methods] of Object.entries<object>(json.paths)) {
      for (const method of Object.keys(methods)) {
        const real = path.replace(/\{\w+\}/g, "x")
        const asked = await preflight(portal, method.toUpperCase(), real)
        const answer = await call(service, method.toUpperCase(), real, { headers: { origin: portal } })
        const credentials = answer.headers.get("access-control-allow-credentials")
        assert.strictEqual(asked.headers.get("access-control-allow-credentials"), credentials)
        if (credentials === "true") withCookie.push(`${method} ${path}`)
      }
    }
    assert.deepStrictEqual(withCookie.sort(), [
      "post /api/provider/google/exchange",
      "post /api/provider/login",
      "post /api/provider/logout",
      "post /api/provider/session/refresh",
      "post /api/provider/session/resume"
    ])
  })

  test("may read every refusal on a route with credentials", async () => {
    const headers = { origin: portal, "content-type": "application/json" }
    const path = "/api/provider/login"
    for (
      const [body, type, status] of [
        ["{", "application/json", 400],
        ["{}", "text/plain", 415],
        ["x".repeat(5000), "application/json", 413],
        [JSON.stringify({ email: "a@b.example", password: "wrong password" }), "application/json", 401]
      ] as const
    ) {
      const answer = await call(service, "POST", path, { headers: { ...headers, "content-type": type }, body })
      assert.strictEqual(answer.status, status)
      assert.strictEqual(answer.headers.get("access-control-allow-origin"), portal)
      assert.strictEqual(answer.headers.get("access-control-allow-credentials"), "true")
    }
  })

  test("may read the headers that name a file or the next page of a CSV list", async () => {
    const veteran = await signInVeteran(service)
    const provider = await signInProvider(service)
    await giveGrant(service, veteran, provider)
    const form = new FormData()
    form.set("file", new File(["Dear colleague"], "letter.txt"))
    const uploaded = await fetch(`${service.url}/api/veteran/me/documents`, {
      method: "POST",
      headers: veteran.headers,
      body: form
    })
    const { id } = await uploaded.json() as { id: string }
    const file = await call(service, "GET", `/api/provider/patients/${veteran.id}/documents/${id}/content`, {
      headers: { ...provider.headers, origin: portal }
    })
    assert.deepStrictEqual([file.status, file.text], [200, "Dear colleague"])
    assert.strictEqual(file.headers.get("access-control-allow-origin"), portal)
    const exposed = "retry-after,x-request-id,content-disposition"
    assert.strictEqual(file.headers.get("access-control-expose-headers"), exposed)
    const list = await call(service, "GET", "/api/veteran/me/disclosures?limit=1", {
      headers: { ...veteran.headers, accept: "text/csv", origin: portal }
    })
    assert.strictEqual(list.headers.get("access-control-expose-headers"), `${exposed},link`)
    assert.strictEqual(list.headers.get("vary"), "accept, Origin")
  })

  test("is recognised by the origin of PROVIDER_PORTAL_URL if no origins are listed", async () => {
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
  ])("from %s is not admitted, by a preflight or by an answer", async (origin) => {
    for (
      const answer of [await preflight(origin, "POST", "/api/provider/login"),
        await call(service, "GET", "/health", { headers: { origin } })]
    ) {
      assert.isNull(answer.headers.get("access-control-allow-origin"))
      assert.deepStrictEqual(allowed(answer), [null, null, null])
      assert.strictEqual(answer.headers.get("vary"), "Origin")
    }
  })

  test("gets no CORS header, like a request without an origin", async () => {
    assert.isNull((await call(service, "GET", "/health")).headers.get("access-control-allow-origin"))
  })
})
