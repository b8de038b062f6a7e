import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { asAdmin, call, giveGrant, signInProvider, signInVeteran } from "../../support/Client.ts"

const { service } = await openApp()

const veteran = await signInVeteran(service)

const provider = await signInProvider(service)

await giveGrant(service, veteran, provider)

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
