import { assert, describe, test } from "vitest"
import { type Answer, call, giveGrant, portalOrigin as portal, signInProvider } from "../../support/Client.ts"
import { appOrigin as app } from "../../support/Passkeys.ts"
import { openVaApp } from "../../support/VaApp.ts"
import { signInByApp } from "../export/Exports.ts"
import { upload } from "../release/Releases.ts"

// Settings.test.ts and provider-resume.test.ts have other origins than these two.
const { service, va } = await openVaApp()

/** Sends the preflight that a browser sends before a request that no HTML form could make. */
const preflight = (origin: string, method: string, path: string) =>
  call(service, "OPTIONS", path, {
    headers: {
      origin,
      "access-control-request-method": method,
      "access-control-request-headers": "authorization,content-type,dpop,x-internal-admin-secret"
    }
  })

const allowed = ({ headers }: Answer) =>
  ["origin", "methods", "headers", "credentials"].map((what) => headers.get(`access-control-allow-${what}`))

const patient = "/api/provider/patients/01a1fea0-0000-7000-8000-000000000000"

const mine = "/api/veteran/me"

const signIn = "/api/auth/veteran/app"

/** What a route accepts from the pages of an origin, or null if they may not call it. */
type Accepted = readonly [methods: string, headers: string, credentials?: "true"] | null

const read: Accepted = ["GET", "authorization"]

const body: Accepted = ["POST", "content-type"]

const proven: Accepted = ["POST", "content-type,dpop"]

const nothing: Accepted = ["", ""]

const sync: Accepted = ["POST", "authorization,content-type,content-encoding"]

const entry = "PATCH, DELETE"

const routes: ReadonlyArray<readonly [method: string, path: string, ofPortal: Accepted, ofApp: Accepted]> = [
  ["POST", "/api/provider/login", ["POST", "content-type", "true"], null],
  ["POST", "/api/provider/session/resume", ["POST", "", "true"], null],
  ["POST", "/api/provider/session/refresh", ["POST", "authorization", "true"], null],
  ["POST", "/api/provider/logout", ["POST", "authorization", "true"], null],
  ["POST", "/api/provider/google/exchange", ["POST", "content-type", "true"], null],
  ["GET", "/api/provider/me", read, null],
  ["HEAD", "/api/provider/me", read, null],
  ["GET", "/api/provider/patients?limit=5", read, null],
  ["GET", `${patient}/record`, read, null],
  ["GET", `${patient}/notes`, ["GET, POST", "authorization"], null],
  ["POST", `${patient}/notes`, ["GET, POST", "authorization,content-type"], null],
  ["GET", `${patient}/documents/x/content`, read, null],
  ["POST", "/api/secure-links/open", body, null],
  ["POST", "/api/secure-links/view", body, null],
  ["POST", "/api/releases/verify", body, body],
  ["POST", "/api/waitlist", body, body],
  ["POST", "/api/waitlist/more", nothing, null],
  ["GET", "/api/proofs/checkpoint", ["GET", ""], ["GET", ""]],
  ["GET", "/health", ["GET", ""], null],
  ["GET", "/api/oauth/authorize", ["GET, POST", ""], null],
  ["POST", `${signIn}/challenge`, null, body],
  ["POST", `${signIn}/session`, null, proven],
  ["POST", `${signIn}/pairing`, null, proven],
  ["POST", `${signIn}/renew`, null, proven],
  ["POST", `${signIn}/passkey`, null, proven],
  ["GET", mine, read, read],
  ["GET", `${mine}/sessions`, read, read],
  ["POST", `${mine}/sessions/current/end`, ["POST", "authorization"], ["POST", "authorization"]],
  // The portal's pages have no key of a device to prove.
  ["POST", `${mine}/sessions/current/confirm`, ["POST", "authorization,content-type"], ["POST",
    "authorization,content-type,dpop"]],
  ["GET", `${mine}/identities`, ["GET, POST", "authorization"], ["GET, POST", "authorization"]],
  ["POST", `${mine}/identities`, ["GET, POST", "authorization,content-type"], ["GET, POST",
    "authorization,content-type,dpop"]],
  ["POST", `${mine}/passkeys`, ["GET, POST", "authorization,content-type"], ["GET, POST",
    "authorization,content-type"]],
  ["POST", `${mine}/passkeys/x/remove`, ["POST", "authorization"], ["POST", "authorization"]],
  ["PATCH", `${mine}/self-reported-entries/x`, [entry, "authorization,content-type"], [entry,
    "authorization,content-type"]],
  ["DELETE", `${mine}/self-reported-entries/x`, [entry, "authorization"], [entry, "authorization"]],
  ["POST", `${mine}/health-record/sync`, sync, sync],
  // For an unsupported method, the answer allows the route's methods but no header. An unknown path allows nothing.
  ["PUT", "/api/provider/login", ["POST", ""], null],
  ["post", "/api/provider/login", ["POST", ""], null],
  ["GET", `${mine}/nothing`, nothing, nothing],
  ["GET", "/nothing", nothing, null],
  ["POST", "/api/provider/login/", nothing, null],
  // These routes require the secret of an operator or a server, which no page has.
  ["POST", "/api/admin/veterans", nothing, null],
  ["GET", "/api/admin/veterans", nothing, null],
  ["POST", "/api/auth/veteran/session", nothing, null],
  ["POST", "/api/internal/proofs/drain", nothing, null]
]

describe("A preflight", () => {
  test.each(routes)(
    "of %s %s tells pages of the portal and of the veteran's app only what its route accepts",
    async (...row) => {
      const [method, path, ofPortal, ofApp] = row
      for (const [origin, accepted] of [[portal, ofPortal], [app, ofApp]] as const) {
        const answer = await preflight(origin, method, path)
        assert.deepStrictEqual([answer.status, answer.text, answer.headers.get("vary")], [204, "", "Origin"])
        const [methods, headers, credentials = null] = accepted ?? []
        assert.deepStrictEqual(
          allowed(answer),
          accepted === null ? [null, null, null, null] : [origin, methods, headers, credentials],
          origin
        )
        assert.strictEqual(answer.headers.get("access-control-max-age"), accepted === null ? null : "600")
      }
    }
  )
})

test("On every route, only the portal's pages may send credentials, and pages of another origin are not admitted", async () => {
  const { json } = await call(service, "GET", "/api/openapi.json")
  const withCookie: Array<string> = []
  /** Apps in browsers and readers of SMART Health Links may have any origin. They use no cookies. */
  const openToAll: Array<string> = []
  for (const [path, methods] of Object.entries<object>(json.paths)) {
    for (const method of Object.keys(methods)) {
      const real = path.replace(/\{\w+\}/g, "x")
      const asked = await preflight(portal, method.toUpperCase(), real)
      const answer = await call(service, method.toUpperCase(), real, { headers: { origin: portal } })
      const credentials = answer.headers.get("access-control-allow-credentials")
      assert.strictEqual(asked.headers.get("access-control-allow-credentials"), credentials)
      if (credentials === "true") withCookie.push(`${method} ${path}`)
      const foreign = await preflight("https://evil.example", method.toUpperCase(), real)
      const admitted = foreign.headers.get("access-control-allow-origin")
      assert.include([null, "*"], admitted)
      if (admitted === "*" && !/^\/api\/(fhir\/R4|shl)\//.test(path)) openToAll.push(`${method} ${path}`)
      assert.isNull(foreign.headers.get("access-control-allow-credentials"))
    }
  }
  assert.deepStrictEqual(withCookie.sort(), [
    "post /api/provider/google/exchange",
    "post /api/provider/login",
    "post /api/provider/logout",
    "post /api/provider/session/refresh",
    "post /api/provider/session/resume"
  ])
  assert.deepStrictEqual(openToAll.sort(), [
    "get /.well-known/oauth-authorization-server/api/oauth",
    "get /.well-known/oauth-protected-resource/api/fhir/R4",
    "get /api/oauth/.well-known/oauth-authorization-server",
    "post /api/oauth/revoke",
    "post /api/oauth/token"
  ])
})

describe("A page of an allowed origin", () => {
  test.each([portal, app])("may read answers, errors and the headers that it needs: %s", async (origin) => {
    const veteran = await signInByApp(service, va)
    for (
      const [path, headers, status] of [
        [mine, veteran.headers, 200],
        [mine, {}, 401],
        [`${mine}/nothing`, veteran.headers, 404]
      ] as const
    ) {
      const answer = await call(service, "GET", path, { headers: { ...headers, origin } })
      assert.strictEqual(answer.status, status)
      assert.strictEqual(answer.headers.get("access-control-allow-origin"), origin)
      assert.strictEqual(answer.headers.get("access-control-expose-headers"), "retry-after,x-request-id")
      assert.isFalse(answer.headers.has("access-control-allow-credentials"))
      assert.strictEqual(answer.headers.get("vary"), "Origin")
    }
    const list = await call(service, "GET", `${mine}/disclosures?limit=1`, {
      headers: { ...veteran.headers, accept: "text/csv", origin }
    })
    assert.strictEqual(
      list.headers.get("access-control-expose-headers"),
      "retry-after,x-request-id,content-disposition,link"
    )
    assert.strictEqual(list.headers.get("vary"), "accept, Origin")
  })

  test("may read the name of a file that a provider downloads", async () => {
    const [veteran, provider] = [await signInByApp(service, va), await signInProvider(service)]
    await giveGrant(service, veteran, provider)
    const { id } = (await upload(service, veteran, "Dear colleague")).json
    const file = await call(service, "GET", `/api/provider/patients/${veteran.id}/documents/${id}/content`, {
      headers: { ...provider.headers, origin: portal }
    })
    assert.deepStrictEqual([file.status, file.text], [200, "Dear colleague"])
    assert.strictEqual(file.headers.get("access-control-allow-origin"), portal)
    assert.strictEqual(
      file.headers.get("access-control-expose-headers"),
      "retry-after,x-request-id,content-disposition"
    )
  })

  test("may read every refusal on a route with credentials", async () => {
    for (
      const [body, type, status] of [
        ["{", "application/json", 400],
        ["{}", "text/plain", 415],
        ["x".repeat(5000), "application/json", 413],
        [JSON.stringify({ email: "a@b.example", password: "wrong password" }), "application/json", 401]
      ] as const
    ) {
      const headers = { origin: portal, "content-type": type }
      const answer = await call(service, "POST", "/api/provider/login", { headers, body })
      assert.strictEqual(answer.status, status)
      assert.strictEqual(answer.headers.get("access-control-allow-origin"), portal)
      assert.strictEqual(answer.headers.get("access-control-allow-credentials"), "true")
    }
  })
})

describe("A page of any other origin", () => {
  const near = [portal, app].flatMap((own) => [
    own.slice(0, -1),
    `${own}0`,
    `${own}.attacker.example`,
    own.replace("http://", "http://attacker-"),
    own.replace("http://", "http://attacker."),
    own.replace("http://", "https://"),
    own.replace("localhost", "LOCALHOST"),
    own.replace("http", "HTTP"),
    own.replace("localhost", "localhost."),
    `${own}/`,
    `${own}/app`,
    `${own}, https://portal.example.org`
  ])
  test.each([...near, "null", "http://localhost", "*", ""])(
    "from %s is not admitted, by a preflight or by an answer",
    async (origin) => {
      for (
        const answer of [
          await preflight(origin, "POST", "/api/provider/login"),
          await preflight(origin, "POST", `${signIn}/session`),
          await preflight(origin, "GET", mine),
          await call(service, "GET", "/health", { headers: { origin } }),
          await call(service, "GET", mine, { headers: { origin } })
        ]
      ) {
        assert.deepStrictEqual(allowed(answer), [null, null, null, null])
        assert.strictEqual(answer.headers.get("vary"), "Origin")
      }
    }
  )

  test("gets no CORS header, like a request without an origin", async () => {
    assert.isNull((await call(service, "GET", "/health")).headers.get("access-control-allow-origin"))
  })
})
