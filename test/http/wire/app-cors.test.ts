import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call, signInVeteran } from "../../support/Client.ts"
import { vaOutOfReach } from "../../support/VaIssuer.ts"

const app = "https://records.example.org"

const portal = "https://portal.example.org"

const { service } = await openApp({
  ...vaOutOfReach,
  PROVIDER_PORTAL_URL: portal,
  PROVIDER_PORTAL_ORIGINS: portal,
  VETERAN_APP_URL: `${app}/`,
  VETERAN_APP_ORIGINS: app
})

const preflight = (origin: string, method: string, path: string) =>
  call(service, "OPTIONS", path, {
    headers: {
      origin,
      "access-control-request-method": method,
      "access-control-request-headers": "authorization,content-type,dpop"
    }
  })

const allowedTo = async (origin: string, method: string, path: string) => {
  const { headers } = await preflight(origin, method, path)
  return ["origin", "methods", "headers", "credentials"].map((what) => headers.get(`access-control-allow-${what}`))
}

const mine = "/api/veteran/me"

const signIn = "/api/auth/veteran/app"

describe("A page of the veteran's app", () => {
  test.each<[method: string, path: string, methods: string, headers: string]>([
    ["POST", `${signIn}/challenge`, "POST", "content-type"],
    ["POST", `${signIn}/session`, "POST", "content-type,dpop"],
    ["POST", `${signIn}/pairing`, "POST", "content-type,dpop"],
    ["POST", `${signIn}/renew`, "POST", "content-type,dpop"],
    ["POST", `${signIn}/passkey`, "POST", "content-type,dpop"],
    ["GET", mine, "GET", "authorization"],
    ["GET", `${mine}/sessions`, "GET", "authorization"],
    ["POST", `${mine}/sessions/current/end`, "POST", "authorization"],
    ["POST", `${mine}/sessions/current/confirm`, "POST", "authorization,content-type,dpop"],
    ["GET", `${mine}/passkeys`, "GET, POST", "authorization"],
    ["POST", `${mine}/passkeys`, "GET, POST", "authorization,content-type"],
    ["POST", `${mine}/passkeys/challenge`, "POST", "authorization,content-type"],
    ["POST", `${mine}/passkeys/x/remove`, "POST", "authorization"],
    ["POST", `${mine}/identities`, "GET, POST", "authorization,content-type,dpop"],
    ["GET", `${mine}/identities`, "GET, POST", "authorization"],
    ["POST", `${mine}/health-record/sync`, "POST", "authorization,content-type,content-encoding"],
    ["GET", "/api/proofs/checkpoint", "GET", ""],
    ["POST", "/api/waitlist", "POST", "content-type"],
    ["POST", "/api/releases/verify", "POST", "content-type"],
    ["GET", `${mine}/nothing`, "", ""]
  ])("learns from a preflight of %s %s what its route accepts, without credentials", async (method, path, ...rest) => {
    assert.deepStrictEqual(await allowedTo(app, method, path), [app, ...rest, null])
  })

  test.each([
    ["GET", "/health"],
    ["POST", "/api/provider/login"],
    ["POST", "/api/provider/session/resume"],
    ["GET", "/api/provider/patients"],
    ["GET", "/api/admin/veterans"],
    ["POST", "/api/auth/veteran/session"],
    ["POST", "/api/secure-links/open"],
    ["POST", "/api/secure-links/view"],
    ["POST", "/api/internal/proofs/drain"],
    ["GET", "/api/oauth/authorize"],
    ["POST", "/api/waitlist/more"],
    ["GET", "/nothing"]
  ])("may not call %s %s", async (method, path) => {
    assert.deepStrictEqual(await allowedTo(app, method, path), [null, null, null, null])
    const answer = await call(service, method, path, { headers: { origin: app } })
    assert.isFalse(answer.headers.has("access-control-allow-origin"))
  })

  test("may read answers, errors, and the headers that it needs", async () => {
    const veteran = await signInVeteran(service)
    for (
      const [path, headers, status] of [
        [mine, veteran.headers, 200],
        [mine, {}, 401],
        [`${mine}/nothing`, veteran.headers, 404]
      ] as const
    ) {
      const answer = await call(service, "GET", path, { headers: { ...headers, origin: app } })
      assert.strictEqual(answer.status, status)
      assert.strictEqual(answer.headers.get("access-control-allow-origin"), app)
      assert.strictEqual(answer.headers.get("access-control-expose-headers"), "retry-after,x-request-id")
      assert.strictEqual(answer.headers.get("vary"), "Origin")
    }
    const list = await call(service, "GET", `${mine}/disclosures?limit=1`, {
      headers: { ...veteran.headers, accept: "text/csv", origin: app }
    })
    assert.include(list.headers.get("access-control-expose-headers"), "content-disposition")
  })
})

describe("A page of the portal", () => {
  test.each(["challenge", "session", "pairing", "renew", "passkey"])(
    "may not sign a veteran in (%s)",
    async (route) => {
      assert.deepStrictEqual(await allowedTo(portal, "POST", `${signIn}/${route}`), [null, null, null, null])
    }
  )

  test("may send no proof of a device's key", async () => {
    for (const path of [`${mine}/sessions/current/confirm`, `${mine}/identities`]) {
      const [origin, , headers] = await allowedTo(portal, "POST", path)
      assert.deepStrictEqual([origin, headers], [portal, "authorization,content-type"])
    }
  })

  test("keeps what it has", async () => {
    assert.deepStrictEqual(await allowedTo(portal, "POST", "/api/provider/login"), [
      portal,
      "POST",
      "content-type",
      "true"
    ])
  })
})

test("Another origin may call nothing of the veteran's app", async () => {
  for (const origin of ["https://evil.example", `${app}.evil.example`, "null", `${app}:8443`]) {
    for (const path of [mine, `${signIn}/session`]) {
      assert.deepStrictEqual(await allowedTo(origin, "POST", path), [null, null, null, null])
    }
  }
})
