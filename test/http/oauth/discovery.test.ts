import { assert, describe, test } from "vitest"
import { call } from "../../support/Client.ts"
import { appOrigin } from "../../support/Passkeys.ts"
import { openJudgedApp } from "../../support/Prism.ts"
import { openVaApp } from "../../support/VaApp.ts"
import { post } from "./Grants.ts"

const { service } = await openJudgedApp()

const issuer = `${service.url}/api/oauth`

const smart = "/api/fhir/R4/.well-known/smart-configuration"

const wellKnown = ["/.well-known/oauth-authorization-server/api/oauth",
  "/api/oauth/.well-known/oauth-authorization-server"]

const resource = "/.well-known/oauth-protected-resource/api/fhir/R4"

const secrets = ["client_secret_basic", "client_secret_post"]

const common = {
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  revocation_endpoint: `${issuer}/revoke`,
  introspection_endpoint: `${issuer}/introspect`,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  code_challenge_methods_supported: ["S256"],
  token_endpoint_auth_methods_supported: ["none", ...secrets],
  revocation_endpoint_auth_methods_supported: ["none", ...secrets],
  introspection_endpoint_auth_methods_supported: secrets,
  scopes_supported: [
    "launch/patient",
    "offline_access",
    "patient/*.rs",
    "patient/*.r",
    "patient/*.s",
    "patient/*.read",
    "record:read"
  ],
  authorization_response_iss_parameter_supported: true
}

describe("Discovery", () => {
  test.each(wellKnown)("by OAuth metadata at %s names the issuer and what it supports", async (path) => {
    const { headers, json, status } = await call(service, "GET", path)
    assert.strictEqual(status, 200)
    assert.strictEqual(headers.get("content-type"), "application/json")
    assert.deepStrictEqual(json, { issuer, ...common })
  })

  test.each(["*/*", "application/json", "application/fhir+json", "text/html", "application/xml"])(
    "by SMART is JSON without an issuer, for any accept header: %s",
    async (accept) => {
      const { headers, json, status } = await call(service, "GET", smart, { headers: { accept } })
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "application/json")
      assert.deepStrictEqual(json, {
        ...common,
        user_access_brand_bundle: `${service.url}/api/fhir/R4/brands`,
        capabilities: [
          "launch-standalone",
          "client-public",
          "client-confidential-symmetric",
          "context-standalone-patient",
          "permission-patient",
          "permission-offline",
          "permission-v1",
          "permission-v2",
          "authorize-post"
        ]
      })
    }
  )

  test("by SMART names the veteran's page of sharing if the veteran's app has an address", async () => {
    const { json } = await call((await openVaApp()).service, "GET", smart)
    assert.strictEqual(json.management_endpoint, `${appOrigin}/#/sharing`)
  })

  test("of the protected resource names its authorization server (RFC 9728)", async () => {
    const { headers, json, status } = await call(service, "GET", resource)
    assert.deepStrictEqual([status, headers.get("content-type")], [200, "application/json"])
    assert.deepStrictEqual(json, {
      resource: `${service.url}/api/fhir/R4`,
      authorization_servers: [issuer],
      scopes_supported: common.scopes_supported,
      bearer_methods_supported: ["header"]
    })
  })

  test("refuses any parameter and any method but GET and HEAD", async () => {
    for (const path of [...wellKnown, resource, smart]) {
      assert.strictEqual((await call(service, "GET", `${path}?a=b`)).status, 400)
      const answer = await call(service, "POST", path)
      assert.deepStrictEqual([answer.status, answer.headers.get("allow")], [405, "GET, HEAD"])
      assert.strictEqual((await call(service, "HEAD", path)).status, 200)
    }
  })
})

describe("A page of any origin", () => {
  const cors = (headers: Headers) =>
    ["origin", "methods", "headers", "credentials"].map((what) => headers.get(`access-control-allow-${what}`))

  const origin = "https://app.example"

  test.each(
    [...[...wellKnown, resource, smart, "/api/fhir/R4/brands"].map((path) => ["GET", path] as const), ["POST",
      "/api/oauth/token"], ["POST", "/api/oauth/revoke"]] as const
  )("may call %s %s, without credentials", async (method, path) => {
    const preflight = await call(service, "OPTIONS", path, {
      headers: {
        origin,
        "access-control-request-method": method,
        "access-control-request-headers": "authorization,x-medplum"
      }
    })
    assert.strictEqual(preflight.status, 204)
    assert.deepStrictEqual(cors(preflight.headers), ["*", method, "authorization, *", null])
    for (const headers of [{ origin }, { origin: "null" }, { origin: "http://localhost:8081" }, {}]) {
      const answer = method === "GET"
        ? await call(service, method, path, { headers })
        : await post(service, path, "a=b", headers)
      assert.deepStrictEqual(cors(answer.headers), ["*", null, null, null])
      assert.strictEqual(
        answer.headers.get("access-control-expose-headers"),
        "etag, last-modified, retry-after, www-authenticate, x-request-id"
      )
    }
    const wrong = await call(service, "PUT", path, { headers: { origin } })
    assert.deepStrictEqual([wrong.status, cors(wrong.headers)[0]], [405, "*"])
  })

  test.each([["POST", "/api/oauth/introspect"], ["POST", "/api/admin/oauth-clients"], ["GET", "/api/veteran/me"]])(
    "may not call %s %s",
    async (method, path) => {
      const headers = { origin, "access-control-request-method": method }
      assert.deepStrictEqual(cors((await call(service, "OPTIONS", path, { headers })).headers), [null, null, null,
        null])
      assert.isNull(cors((await call(service, method, path, { headers: { origin } })).headers)[0])
    }
  )
})
