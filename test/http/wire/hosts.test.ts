import { assert, describe, test } from "vitest"
import { freePort } from "../../../src/postgres/EmbeddedPostgres.ts"
import { openDatabase } from "../../support/App.ts"
import { exchange, parseAnswer } from "../../support/Raw.ts"
import { startService } from "../../support/Service.ts"
import { until } from "../../support/Until.ts"

const database = await openDatabase()

/** Sends `host` as it is. With undefined, the header is missing. */
const ask = async (service: { readonly url: string }, host: string | undefined, path = "/health", line = "HTTP/1.1") =>
  parseAnswer(
    await exchange(
      service,
      `GET ${path} ${line}\r\n${host === undefined ? "" : `host: ${host}\r\n`}connection: close\r\n\r\n`
    )
  )

const foreign = ["evil.example", "evil.example:8080", "localhost.evil.example", "evil.example.",
  "127.0.0.1.evil.example", "app.localhost", "localhost..", "localhost@evil.example", "evil.example#localhost", "[::2]",
  "[::1].evil.example", "192.168.0.7", "127.0.0.2", "localhost:80:90", "localhost evil.example", ""]

const own = ["localhost", "localhost:1", "LocalHost:65535", "localhost.", "localhost.:8080", "127.0.0.1", "127.0.0.1:9",
  "[::1]", "[::1]:8080"]

const message = "In development, only localhost and the names of the configured addresses are answered. " +
  "OAUTH_ISSUER, PROVIDER_PORTAL_URL and VETERAN_APP_URL can name others."

const pagesOff = { PORTAL_PORT: "0", VETERAN_APP_PORT: "0" }

describe("In development on loopback,", async () => {
  const sandboxPort = await freePort()
  const service = await startService(database, {
    ...pagesOff,
    APP_ENV: "development",
    SANDBOX_VA_PORT: `${sandboxPort}`,
    PROVIDER_PORTAL_URL: "https://Portal.tunnel.example:8443",
    VETERAN_APP_ORIGINS: "https://app.tunnel.example"
  })
  const sandbox = { url: `http://localhost:${sandboxPort}` }
  await until("the sandbox listens", () => fetch(sandbox.url).then(() => true, () => false))
  const configured = ["portal.tunnel.example", "PORTAL.tunnel.example.:99", "app.tunnel.example"]

  test("the API answers this machine's names and the configured ones, with any port", async () => {
    for (const host of [...own, ...configured]) assert.strictEqual((await ask(service, host)).status, 200, host)
  })

  test("the API refuses any other name with 421 and its error body, on every route", async () => {
    for (const host of foreign) {
      const { headers, json: { requestId, ...rest }, status } = await ask(service, host)
      assert.deepStrictEqual([status, rest], [421, { error: "misdirected_request", message }], host)
      assert.strictEqual(headers.get("x-request-id"), requestId)
    }
    for (const path of ["/api/docs", "/api/openapi.json", "/api/admin/providers", "/api/oauth/authorize", "/nothing"]) {
      assert.strictEqual((await ask(service, "evil.example", path)).json.error, "misdirected_request", path)
    }
    const fhir = await ask(service, "evil.example", "/api/fhir/R4/metadata")
    const { code, details } = fhir.json.issue[0]
    assert.deepStrictEqual([fhir.status, code, details.text], [421, "not-supported", message])
    assert.strictEqual((await ask(service, "evil.example", "/api/oauth/token")).status, 421)
  })

  test("the sandbox VA refuses any other name too, before it answers anything", async () => {
    const keys = "/oauth2/health/v1/keys"
    for (const host of [...own, ...configured]) assert.strictEqual((await ask(sandbox, host, keys)).status, 200, host)
    for (const host of foreign) {
      const { status, text } = await ask(sandbox, host, keys)
      assert.deepStrictEqual([status, text], [421, `${message}\n`], host)
    }
  })

  test("HTTP/1.1 needs the header, and HTTP/1.0 does not, which no browser speaks", async () => {
    assert.strictEqual((await ask(service, undefined)).status, 400)
    assert.strictEqual((await ask(service, undefined, "/health", "HTTP/1.0")).status, 200)
    assert.strictEqual((await ask(service, "evil.example", "/health", "HTTP/1.0")).status, 421)
  })
})

test("Outside development every name is answered, because a proxy or a health check has its own", async () => {
  const service = await startService(database, pagesOff)
  for (const host of ["records.example", "10.0.0.7:8080", ""]) {
    assert.strictEqual((await ask(service, host)).status, 200, host)
  }
})
