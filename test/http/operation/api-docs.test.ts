import { ConfigProvider, Effect, Layer } from "effect"
import { assert, describe, test } from "vitest"
import { Settings } from "../../../src/services/platform/Settings.ts"
import { openApp } from "../../support/App.ts"
import { call, randomAddress } from "../../support/Client.ts"
import { production } from "../../support/Production.ts"

const { service } = await openApp()

const paths = ["/api/openapi.json", "/api/docs"]

// That it does not exist by default is tested in test/start.test.ts.
test("The documentation page exists in production if the operator turns it on", async () => {
  const environment = { ...production, DATABASE_APP_URL: "postgres://unused@localhost/unused", API_DOCS: "true" }
  const settings = Settings.layer.pipe(
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(environment)))
  )
  assert.isTrue(
    await Effect.runPromise(Settings.use(({ apiDocs }) => Effect.succeed(apiDocs)).pipe(Effect.provide(settings)))
  )
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
