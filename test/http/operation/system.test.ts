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

describe("GET /api/ready", () => {
  test("answers 200 with the state of each dependency", async () => {
    const answer = await call(service, "GET", "/api/ready")
    assert.strictEqual(answer.status, 200)
    assert.deepStrictEqual(answer.json, { status: "ok", dependencies: { database: "ok", uploads: "ok", mail: "ok" } })
  })
})
