import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { signInVeteran } from "../../support/Client.ts"
import { exchange, parseAnswer, send } from "../../support/Raw.ts"

const { service } = await openApp()

const veteran = await signInVeteran(service)

const get = (path: string) => send(service, "GET", path, { headers: { ...veteran.headers } })

describe("A route", () => {
  test.each(["/Health", "/HEALTH", "/health/", "//health", "/health//", "/./health", "/api/../health", "/health%2f",
    "/health%00", "/api/Veteran/me", "/API/veteran/me", "/api/veteran/me/", "/api//veteran/me", "//api/veteran/me",
    "/api/veteran/me/Alerts", "/api%2fveteran/me", "/api/veteran/%zz", "/api/veteran/%E0%A4%A", "/%", "/%00",
    "/api/provider/patients/", "/api/OpenAPI.json", "/api/docs/", "/api/docs/../docs"])(
      "is found only in its exact spelling: %s is not a route",
      async (path) => {
        const answer = await get(path)
        assert.strictEqual(answer.status, 404, answer.text)
        assert.strictEqual(answer.json.error, "not_found")
      }
    )

  test("is found with a percent-encoded letter, which has the same meaning (RFC 3986, 2.3)", async () => {
    assert.strictEqual((await get("/%68ealth")).status, 200)
  })

  test("is found with any query string, even a malformed one", async () => {
    for (const query of ["?", "?x=%zz", "?x=%00", `?${"x".repeat(8000)}`, "?__proto__=1&constructor=2"]) {
      assert.strictEqual((await get(`/health${query}`)).status, 200, query)
    }
  })

  test("is found by a request in absolute form (RFC 9112, 3.2.2)", async () => {
    const bytes = "GET http://elsewhere.example/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
    assert.strictEqual(parseAnswer(await exchange(service, bytes)).status, 200)
  })

  test.each([
    ["empty", "/api/veteran//alerts"],
    ["an encoded slash", "/api/veteran/me%2falerts"],
    ["encoded dots", "/api/veteran/%2e%2e"],
    ["a NUL", "/api/veteran/%00"],
    ["an emoji", "/api/veteran/%F0%9F%92%A9"],
    ["the name of a member of every object", "/api/veteran/__proto__"],
    ["of the greatest length", `/api/veteran/${"a".repeat(100)}`]
  ])("answers invalid_request when its parameter is %s", async (_name, path) => {
    const answer = await get(path)
    assert.strictEqual(answer.status, 400)
    assert.strictEqual(answer.json.error, "invalid_request")
    assert.deepStrictEqual(answer.json.issues[0].path, ["veteranId"])
  })

  test("answers not_found when its parameter is longer than any id", async () => {
    for (const length of [101, 1000, 15_000]) {
      const answer = await get(`/api/veteran/${"a".repeat(length)}`)
      assert.strictEqual(answer.status, 404)
      assert.strictEqual(answer.json.error, "not_found")
    }
  })

  test("answers HEAD with the headers of GET and without a body", async () => {
    const [head, full] = await Promise.all(
      ["HEAD", "GET"].map((method) => send(service, method, "/api/veteran/me", { headers: { ...veteran.headers } }))
    )
    assert.strictEqual(head!.status, 200)
    assert.strictEqual(head!.text, "")
    assert.strictEqual(head!.headers.get("content-type"), "application/json")
    assert.strictEqual(head!.headers.get("content-length"), full!.headers.get("content-length"))
  })
})

describe("A request with an unsupported method", () => {
  const id = "01a1fea0-0000-7000-8000-000000000000"
  test.each([
    ["POST", "/health", "GET, HEAD"],
    ["DELETE", "/health", "GET, HEAD"],
    ["PROPFIND", "/health", "GET, HEAD"],
    ["TRACE", "/health", "GET, HEAD"],
    ["GET", "/api/auth/veteran/session", "POST"],
    ["HEAD", "/api/provider/login", "POST"],
    ["PUT", "/api/waitlist", "POST"],
    ["POST", "/api/openapi.json", "GET, HEAD"],
    ["POST", "/api/docs", "GET, HEAD"],
    ["DELETE", "/api/admin/veterans", "GET, HEAD, POST"],
    ["POST", "/api/veteran/me", "GET, HEAD"],
    ["GET", "/api/veteran/me/health-record/sync", "POST"],
    ["PUT", "/api/veteran/me/consent-grants", "GET, HEAD, POST"],
    ["GET", `/api/veteran/${id}/self-reported-entries/${id}`, "DELETE, PATCH"],
    ["DELETE", `/api/veteran/me/consent-grants/${id}/revoke`, "POST"],
    ["PATCH", `/api/provider/patients/${id}/notes`, "GET, HEAD, POST"],
    ["GET", `/api/admin/providers/${id}/disable?x=/y`, "POST"]
  ])("is answered with 405 and the supported methods: %s %s", async (method, path, allow) => {
    const answer = await send(service, method, path)
    assert.strictEqual(answer.status, 405)
    assert.strictEqual(answer.headers.get("allow"), allow)
    if (method !== "HEAD") assert.strictEqual(answer.json.error, "method_not_allowed")
  })

  test("is answered with 404, without an allow header, if no route has its path", async () => {
    const answer = await send(service, "PUT", "/health/")
    assert.strictEqual(answer.status, 404)
    assert.isFalse(answer.headers.has("allow"))
  })
})
