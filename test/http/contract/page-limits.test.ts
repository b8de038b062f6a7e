import { afterAll, assert, beforeAll, describe, test } from "vitest"
import { asAdmin, call, giveGrant, type SignedIn, signInProvider, signInVeteran } from "../../support/Client.ts"
import { createDatabase, type TestDatabase } from "../../support/Database.ts"
import { type Service, startService } from "../../support/Service.ts"

let database: TestDatabase

let service: Service

let veteran: SignedIn

let provider: SignedIn

beforeAll(async () => {
  database = await createDatabase()
  service = await startService(database)
  veteran = await signInVeteran(service)
  provider = await signInProvider(service)
  await giveGrant(service, veteran, provider)
})

afterAll(async () => {
  await service.stop()
  await database.close()
})

/** Every list in the service's own description: its path and the largest limit that it accepts. */
const lists = async () => {
  const { json } = await call(service, "GET", "/api/openapi.json")
  return Object.entries<any>(json.paths).filter(([, { get }]) =>
    get?.parameters.some(({ in: place, name }: any) => place === "query" && name === "limit")
  ).map(([path]) => ({ path, most: /\/(health-record|record)$/.test(path) ? 1000 : 200 }))
}

const credentialOf = (path: string) => {
  if (path.startsWith("/api/admin/")) return asAdmin
  return path.startsWith("/api/provider/") ? provider.headers : veteran.headers
}

describe("The parameter 'limit' of a list", () => {
  test("is at most 1,000 for the items of a record and 200 elsewhere", async () => {
    const all = await lists()
    assert.lengthOf(all.filter(({ most }) => most === 1000), 2)
    assert.isAtLeast(all.length, 12)
    for (const { most, path } of all) {
      const ask = (limit: number) =>
        call(service, "GET", `${path.replace("{veteranId}", veteran.id)}?limit=${limit}`, {
          headers: credentialOf(path)
        })
      assert.strictEqual((await ask(most)).status, 200, path)
      const answer = await ask(most + 1)
      assert.strictEqual(answer.status, 400, path)
      assert.deepStrictEqual(
        answer.json.issues,
        [{ path: ["limit"], message: `Expected a value between 1 and ${most}` }],
        path
      )
    }
  })
})
