import { afterAll, assert, beforeAll, describe, test } from "vitest"
import { call } from "../../support/Client.ts"
import { createDatabase, type TestDatabase } from "../../support/Database.ts"
import { type Service, startService } from "../../support/Service.ts"

let database: TestDatabase

let service: Service

beforeAll(async () => {
  database = await createDatabase()
  service = await startService(database)
})

afterAll(async () => {
  await service.stop()
  await database.close()
})

describe("GET /health", () => {
  test("answers while the service lives", async () => {
    const answer = await call(service, "GET", "/health")
    assert.strictEqual(answer.status, 200)
    assert.deepStrictEqual(answer.json, { status: "ok" })
  })
})

describe("GET /api/ready", () => {
  test("answers 200 with each dependency", async () => {
    const answer = await call(service, "GET", "/api/ready")
    assert.strictEqual(answer.status, 200)
    assert.deepStrictEqual(answer.json, { status: "ok", dependencies: { database: "ok", uploads: "ok" } })
  })
})
