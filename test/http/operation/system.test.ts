import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { call } from "../../support/Client.ts"

const { service } = await openApp()

describe("GET /health", () => {
  test("answers 200 while the service lives", async () => {
    const answer = await call(service, "GET", "/health")
    assert.strictEqual(answer.status, 200)
    assert.deepStrictEqual(answer.json, { status: "ok" })
  })
})

describe("GET /", () => {
  test("answers 404 and names the documentation and the health of the API", async () => {
    const { json, status } = await call(service, "GET", "/")
    assert.deepStrictEqual([status, json.error, Object.keys(json)], [404, "not_found", ["error", "message",
      "requestId"]])
    for (const path of ["/api/docs", "/api/openapi.json", "/health"]) {
      assert.include(json.message, `GET ${path} `)
      assert.strictEqual((await call(service, "GET", path)).status, 200)
    }
  })
})

describe("GET /api/ready", () => {
  test("answers 200 with the state of each dependency", async () => {
    const answer = await call(service, "GET", "/api/ready")
    assert.strictEqual(answer.status, 200)
    assert.deepStrictEqual(answer.json, { status: "ok", dependencies: { database: "ok", uploads: "ok", mail: "ok" } })
  })
})
