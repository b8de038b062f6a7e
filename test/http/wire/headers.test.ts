import { createHash } from "node:crypto"
import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { type Answer, call, signInVeteran } from "../../support/Client.ts"

const { service } = await openApp()

const veteran = await signInVeteran(service)

const forData = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-site",
  "referrer-policy": "no-referrer",
  "strict-transport-security": null,
  "x-content-type-options": "nosniff"
}

const assertHeaders = (
  { headers }: Answer,
  expected: Record<string, string | null>,
  absent = ["server", "x-powered-by", "set-cookie", "etag"]
) => {
  assert.deepStrictEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, headers.get(name)])), expected)
  assert.match(headers.get("x-request-id")!, /^[0-9a-f-]{36}$/)
  for (const name of absent) assert.isFalse(headers.has(name), name)
}

const newEntry = async () => {
  const body = { category: "note", text: "Slept well." }
  const answer = await call(service, "POST", "/api/veteran/me/self-reported-entries", { ...veteran, body })
  return answer.json.id as string
}

describe("The security headers", () => {
  test.each<[number, () => Promise<Answer>]>([
    [200, () => call(service, "GET", "/health")],
    [200, () => call(service, "GET", "/api/veteran/me", veteran)],
    [200, () => call(service, "HEAD", "/api/veteran/me", veteran)],
    [200, () => call(service, "GET", "/api/veteran/me/health-record", veteran)],
    [
      201,
      () =>
        call(service, "POST", "/api/veteran/me/self-reported-entries", {
          ...veteran,
          body: { category: "note", text: "x" }
        })
    ],
    [204, () => call(service, "OPTIONS", "/api/provider/login")],
    [204, async () => call(service, "DELETE", `/api/veteran/me/self-reported-entries/${await newEntry()}`, veteran)],
    [400, () => call(service, "POST", "/api/provider/login", { body: "{" })],
    [401, () => call(service, "GET", "/api/veteran/me")],
    [404, () => call(service, "GET", "/nothing")],
    [405, () => call(service, "PUT", "/health")],
    [413, () => call(service, "POST", "/api/provider/login", { body: "x".repeat(5000) })],
    [415, () => call(service, "POST", "/api/provider/login", { body: "x", headers: { "content-type": "text/plain" } })]
  ])("are on an answer of %i", async (status, ask) => {
    const answer = await ask()
    assert.strictEqual(answer.status, status)
    assertHeaders(answer, forData)
  })

  test("let the documentation page run its own two scripts, make styles, and load nothing from elsewhere", async () => {
    const answer = await call(service, "GET", "/api/docs")
    const scripts = Array.from(
      answer.text.matchAll(/<script>(.*?)<\/script>/gs),
      ([, text]) => `'sha256-${createHash("sha256").update(text!).digest("base64")}'`
    )
    assert.lengthOf(scripts, 2)
    const policy = `default-src 'none'; script-src ${scripts.join(" ")}; style-src 'unsafe-inline'; ` +
      "img-src data: blob:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    const page = {
      ...forData,
      "cache-control": "no-cache",
      "content-security-policy": policy,
      "cross-origin-resource-policy": "same-origin"
    }
    assertHeaders(answer, page, ["server", "x-powered-by", "set-cookie"])
  })

  test("let caches keep the OpenAPI document, which is the same for every caller", async () => {
    const document = { ...forData, "cache-control": "no-cache" }
    assertHeaders(await call(service, "GET", "/api/openapi.json"), document, ["server", "x-powered-by", "set-cookie"])
  })
})
