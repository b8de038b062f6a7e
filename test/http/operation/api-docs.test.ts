import { assert, describe, test } from "vitest"
import { openApp, openDatabase, openService } from "../../support/App.ts"
import { call, randomAddress } from "../../support/Client.ts"
import { production } from "../../support/Production.ts"

const { service } = await openApp()

// Production has other keys, so it refuses a database in which other test files of this worker stored data.
const database = await openDatabase()

const paths = ["/api/openapi.json", "/api/docs"]

describe("The documentation page in production", () => {
  test("does not exist by default", async () => {
    const inProduction = await openService(database, production)
    for (const method of ["GET", "POST", "OPTIONS"]) {
      const [page, nothing] = [
        await call(inProduction, method, "/api/docs"),
        await call(inProduction, method, "/api/nothing")
      ]
      assert.strictEqual(page.status, nothing.status)
      assert.strictEqual(page.json?.error, nothing.json?.error)
      // Errors and preflights have this header too (headers.test.ts has the others).
      assert.strictEqual(page.headers.get("strict-transport-security"), "max-age=63072000; includeSubDomains")
    }
    assert.strictEqual((await call(inProduction, "GET", "/api/docs")).status, 404)
    assert.strictEqual((await call(inProduction, "GET", "/api/openapi.json")).status, 200)
  })

  test("exists if the operator turns it on", async () => {
    const inProduction = await openService(database, { ...production, API_DOCS: "true" })
    assert.strictEqual((await call(inProduction, "GET", "/api/docs")).status, 200)
  })
})

describe.each(paths)("The answer of %s", (path) => {
  test("is a 304 without a body for a client that has the current version", async () => {
    const answer = await call(service, "GET", path)
    const etag = answer.headers.get("etag")!
    assert.match(etag, /^"[\w-]{43}"$/)
    assert.strictEqual(answer.headers.get("cache-control"), "no-cache")
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await call(service, "GET", path, { headers: { "if-none-match": tags } })
      assert.strictEqual(`${again.status} ${again.text}`, "304 ")
      assert.strictEqual(again.headers.get("etag"), etag)
    }
    assert.strictEqual((await call(service, "GET", path, { headers: { "if-none-match": "\"other\"" } })).status, 200)
    const head = await call(service, "HEAD", path)
    assert.strictEqual(head.headers.get("content-length"), answer.headers.get("content-length"))
  })

  test("is limited to 60 requests a minute from one IP address", async () => {
    const headers = { "x-forwarded-for": randomAddress() }
    for (let asked = 0; asked < 60; asked++) {
      assert.strictEqual((await call(service, "HEAD", path, { headers })).status, 200)
    }
    const refused = await call(service, "GET", path, { headers })
    assert.strictEqual(`${refused.status} ${refused.json.error}`, "429 rate_limited")
    assert.isAtLeast(Number(refused.headers.get("retry-after")), 1)
    assert.strictEqual((await call(service, "GET", path)).status, 200)
  })
})
