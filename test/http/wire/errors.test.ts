import { once } from "node:events"
import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { type Answer, asAdmin, call, signInVeteran, withExchangeSecret } from "../../support/Client.ts"
import { uuid } from "../../support/Formats.ts"
import { exchange, parseAnswer, send } from "../../support/Raw.ts"
import { head, open, received } from "../../support/Sockets.ts"

const { database, service } = await openApp()

const veteran = await signInVeteran(service)

/** Asserts the contract's error body (part 1): exactly these members, with the answer's own `requestId`. */
const assertError = (answer: Answer, status: number, error: string, issues?: ReadonlyArray<unknown>) => {
  assert.strictEqual(answer.status, status, answer.text)
  assert.strictEqual(answer.headers.get("content-type"), "application/json")
  const { message, requestId, ...rest } = answer.json
  assert.deepStrictEqual(rest, issues === undefined ? { error } : { error, issues })
  assert.match(message, /^[A-Z].*\.$/)
  assert.match(requestId, uuid)
  assert.strictEqual(answer.headers.get("x-request-id"), requestId)
}

const exchangeSession = (body: unknown, headers: Record<string, string> = {}) =>
  call(service, "POST", "/api/auth/veteran/session", { headers: { ...withExchangeSecret, ...headers }, body })

describe("The error body", () => {
  test.each(["/", "/api", "/api/nothing", "/api/veteran", "/favicon.ico"])(
    "says not_found for %s, which is not a route",
    async (path) => {
      assertError(await call(service, "GET", path), 404, "not_found")
    }
  )

  test("says not_found for a resource that does not exist", async () => {
    const path = "/api/veteran/me/self-reported-entries/01a1fea0-0000-7000-8000-000000000000"
    assertError(await call(service, "DELETE", path, veteran), 404, "not_found")
  })

  test("says invalid_json for a body that is not JSON", async () => {
    assertError(await exchangeSession("{"), 400, "invalid_json")
  })

  test("names each wrong place in a body and what was expected there, but never what was sent", async () => {
    const answer = await call(service, "POST", "/api/admin/veterans", {
      headers: asAdmin,
      body: { vaPatientId: 5, callSign: "canary".repeat(100), email: "canary", other: "canary" }
    })
    assertError(answer, 400, "invalid_request", [
      { path: ["other"], message: "Expected no excess property" },
      { path: ["vaPatientId"], message: "Expected string" },
      { path: ["callSign"], message: "Expected a value with a length of at most 100" },
      { path: ["email"], message: "Expected an e-mail address" }
    ])
    assert.notInclude(answer.text, "canary")
  })

  test("names a malformed path parameter", async () => {
    const answer = await call(service, "GET", "/api/veteran/someone/consent-grants", veteran)
    assertError(answer, 400, "invalid_request", [{ path: ["veteranId"], message: "Expected a UUID" }])
  })

  test("names a malformed query parameter", async () => {
    const answer = await call(service, "GET", "/api/veteran/me/consent-grants?limit=0&cursor=", veteran)
    assertError(answer, 400, "invalid_request", [{ path: ["limit"], message: "Expected a value between 1 and 200" }])
  })

  test("says unauthenticated for a missing token", async () => {
    assertError(await call(service, "GET", "/api/veteran/me"), 401, "unauthenticated")
  })

  test("says rate_limited with the seconds to wait, the same in body and header", async () => {
    const headers = { "x-forwarded-for": "192.0.2.1" }
    const join = () => call(service, "POST", "/api/waitlist", { headers, body: {} })
    for (let tries = 0; tries < 5; tries++) await join()
    const { json: { retryAfterSeconds, ...json }, ...answer } = await join()
    assertError({ ...answer, json }, 429, "rate_limited")
    assert.isTrue(Number.isInteger(retryAfterSeconds) && retryAfterSeconds > 0)
    assert.strictEqual(answer.headers.get("retry-after"), `${retryAfterSeconds}`)
  })

  test("is left out of the answer to HEAD, which has the headers of GET", async () => {
    const answer = await call(service, "HEAD", "/api/veteran/me")
    assert.strictEqual(answer.status, 401)
    assert.strictEqual(answer.text, "")
    assert.match(answer.headers.get("x-request-id")!, uuid)
  })
})

describe("A defect", () => {
  test("is answered with internal_error without a word of its cause, and the service keeps running", async () => {
    const superuser = await database.connect("superuser")
    await superuser.query("alter table consent_grants rename to consent_grants_gone")
    try {
      const answer = await call(service, "GET", "/api/veteran/me/consent-grants", veteran)
      assertError(answer, 500, "internal_error")
      assert.strictEqual(answer.headers.get("content-security-policy"), "default-src 'none'; frame-ancestors 'none'")
      assert.strictEqual(answer.headers.get("cache-control"), "no-store")
      assert.notMatch(answer.text, /consent|relation|select|sql|error:|at /i)
    } finally {
      await superuser.query("alter table consent_grants_gone rename to consent_grants")
    }
    assert.strictEqual((await call(service, "GET", "/api/veteran/me/consent-grants", veteran)).status, 200)
  })
})

describe("A request id", () => {
  test("is made anew by the service for each request, even if the client sends one", async () => {
    const headers = { "x-request-id": "11111111-1111-7111-8111-111111111111" }
    const answers = await Promise.all([1, 2, 3].map(() => call(service, "GET", "/health", { headers })))
    const ids = answers.map((answer) => answer.headers.get("x-request-id")!)
    for (const id of ids) assert.match(id, uuid)
    assert.strictEqual(new Set([...ids, headers["x-request-id"]]).size, 4)
  })
})

describe("A request that Node's HTTP parser refuses", () => {
  const login = "POST /api/provider/login HTTP/1.1\r\nhost: localhost\r\n"
  test.each<[string, string, number]>([
    ["a bad request line", "GARBAGE\r\n\r\n", 400],
    ["an unknown method", "BREW /health HTTP/1.1\r\nhost: localhost\r\n\r\n", 400],
    ["headers over 16 KiB", `GET /health HTTP/1.1\r\nhost: localhost\r\nx: ${"x".repeat(17_000)}\r\n\r\n`, 431],
    [
      "both content-length and transfer-encoding",
      `${login}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      400
    ],
    ["two content-lengths", `${login}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`, 400],
    ["a header folded over two lines", "GET /health HTTP/1.1\r\nhost: localhost\r\nx: a\r\n b\r\n\r\n", 400],
    ["a bad chunk", `${login}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n`, 400],
    ["a TLS handshake", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400]
  ])("is answered with the error body and the security headers: %s", async (_name, bytes, status) => {
    const answer = parseAnswer(await exchange(service, bytes))
    assert.strictEqual(answer.status, status)
    assert.strictEqual(answer.json.error, "invalid_request")
    assert.strictEqual(answer.json.requestId, answer.headers.get("x-request-id"))
    assert.lengthOf(answer.json.issues, 1)
    assert.strictEqual(answer.headers.get("x-content-type-options"), "nosniff")
    assert.strictEqual((await call(service, "GET", "/health")).status, 200)
  })

  test("does not interrupt an answer in transfer", async () => {
    const { text } = await call(service, "GET", "/api/docs")
    const socket = await open(service, head("GET /api/docs", {}))
    await once(socket, "readable")
    socket.write("GARBAGE\r\n\r\n")
    const answers = await received(socket)
    assert.match(answers, /^HTTP\/1\.1 200 OK/)
    assert.notInclude(answers.slice(0, text.length), "HTTP/1.1 400")
  })

  test("leaves the service running, and so do CONNECT and an upgrade to WebSocket", async () => {
    await exchange(service, "CONNECT example.org:443 HTTP/1.1\r\nhost: localhost\r\n\r\n")
    const upgrade =
      "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: eA==\r\n\r\n"
    const answer = parseAnswer(await exchange(service, `GET /health HTTP/1.1\r\nhost: localhost\r\n${upgrade}`))
    assert.strictEqual(answer.status, 200)
    assert.strictEqual((await send(service, "GET", "/health")).status, 200)
  })
})
