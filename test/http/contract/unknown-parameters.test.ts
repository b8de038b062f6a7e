import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import {
  type Answer,
  asAdmin,
  asDrainer,
  call,
  randomAddress,
  signInAtPortal,
  signInProvider,
  signInVeteran,
  withExchangeSecret
} from "../../support/Client.ts"
import { googleOutOfReach } from "../../support/OpenIdProvider.ts"
import { vaOutOfReach } from "../../support/VaIssuer.ts"

const { service } = await openApp({ ...googleOutOfReach, ...vaOutOfReach })

const veteran = await signInVeteran(service)

const provider = await signInProvider(service)

const atPortal = (await signInAtPortal(service, provider.email)).resume

const id = "01a1fea0-0000-7000-8000-000000000000"

const lenient = ["/health", "/api/ready"]

const signIn = ["/api/provider/login", "/api/provider/google/exchange", "/api/provider/session/resume",
  "/api/provider/password/forgot", "/api/provider/password/set"]

/** Standards define how these paths treat unknown parameters and what their errors contain. Other files test them. */
const ofStandards = /^\/(api\/oauth|api\/fhir|\.well-known)\//

/** These paths answer every error with a redirect to the portal. */
const navigation = ["/api/provider/google/start", "/api/provider/google/callback"]

/** The method and path of each operation in the service's own description, without the exceptions above. */
const operations = async (): Promise<ReadonlyArray<readonly [method: string, path: string]>> => {
  const { json } = await call(service, "GET", "/api/openapi.json")
  const all = Object.entries<object>(json.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path] as const)
  )
  assert.isAtLeast(all.length, 40)
  return all.filter(([, path]) => ![...lenient, ...navigation].includes(path) && !ofStandards.test(path))
}

const ownPath = (path: string) =>
  path.startsWith("/api/veteran/")
    ? path.replace("{veteranId}", "me").replace(/\{\w+\}/g, id)
    : path.replace(/\{\w+\}/g, id)

const credentialOf = (path: string) => {
  if (path.startsWith("/api/veteran/")) return veteran.headers
  if (path.startsWith("/api/admin/")) return asAdmin
  if (path === "/api/auth/veteran/session") return withExchangeSecret
  if (path.startsWith("/api/internal/")) return asDrainer
  if (path === "/api/provider/session/resume") return atPortal
  return path.startsWith("/api/provider/") ? provider.headers : {}
}

const assertRefused = (answer: Answer, names: ReadonlyArray<string>, what: string) => {
  assert.deepStrictEqual([answer.status, answer.json?.error], [400, "invalid_request"], what)
  const unknown = answer.json.issues.filter(({ message }: any) => message === "Expected no excess property")
  assert.deepStrictEqual(unknown.map(({ path }: any) => path), names.map((name) => [name]), what)
}

describe("A query parameter that a route does not know", () => {
  test("is refused by every route, like an unknown member of a body", async () => {
    for (const [method, path] of await operations()) {
      const answer = await call(service, method, `${ownPath(path)}?x=y`, { headers: credentialOf(path) })
      assertRefused(answer, ["x"], `${method} ${path}`)
    }
  })

  test("is refused beside parameters that the route knows", async () => {
    const path = "/api/veteran/me/consent-grants"
    const answer = await call(service, "GET", `${path}?limit=0&offset=5&limits=9`, { headers: veteran.headers })
    assertRefused(answer, ["offset", "limits"], path)
    assert.deepInclude(answer.json.issues, { path: ["limit"], message: "Expected a value between 1 and 200" })
  })

  test.each(["x", "x=", "=", "=x", "x=1&x=2", "__proto__=1", "constructor=1", "toString", "%00=1", "Limit=5", "x=%zz"])(
    "is refused in every spelling: ?%s",
    async (query) => {
      for (const path of ["/api/veteran/me", "/api/veteran/me/documents"]) {
        const answer = await call(service, "GET", `${path}?${query}`, { headers: veteran.headers })
        const [name] = new URLSearchParams(query).keys()
        assertRefused(answer, [name!], path)
      }
    }
  )

  test("is refused even if the body is valid, and the request has no effect", async () => {
    const path = "/api/veteran/me/self-reported-entries"
    const answer = await call(service, "POST", `${path}?x=y`, {
      headers: veteran.headers,
      body: { category: "note", text: "slept well" }
    })
    assertRefused(answer, ["x"], path)
    assert.lengthOf((await call(service, "GET", path, { headers: veteran.headers })).json.items, 0)
  })

  test("is refused only after the credential was checked", async () => {
    for (const [method, path] of await operations()) {
      if (Object.keys(credentialOf(path)).length === 0 || signIn.includes(path)) continue
      const answer = await call(service, method, `${ownPath(path)}?x=y`)
      assert.strictEqual(answer.status, 401, `${method} ${path}`)
    }
  })

  test("counts against the limit of the route", async () => {
    const headers = { "x-forwarded-for": randomAddress() }
    const join = () => call(service, "POST", "/api/waitlist?x=y", { headers, body: {} })
    for (let tries = 0; tries < 5; tries++) assert.strictEqual((await join()).status, 400)
    assert.strictEqual((await join()).status, 429)
  })

  test("is named in the answer without its value", async () => {
    const answer = await call(service, "GET", "/api/veteran/me?x=canary", { headers: veteran.headers })
    assert.notInclude(answer.text, "canary")
  })

  test.each(["/health", "/api/ready", "/api/openapi.json", "/api/docs"])("is accepted by %s", async (path) => {
    assert.strictEqual((await call(service, "GET", `${path}?x=y`)).status, 200)
  })

  test("is not reported for an empty query string", async () => {
    for (const query of ["?", "?&", "?&&"]) {
      const answer = await call(service, "GET", `/api/veteran/me${query}`, { headers: veteran.headers })
      assert.strictEqual(answer.status, 200, query)
    }
  })
})
