import { once } from "node:events"
import { connect } from "node:net"
import { assert, describe, test } from "vitest"
import { openDatabase } from "../../support/App.ts"
import { call, signInVeteran } from "../../support/Client.ts"
import { exchange, parseAnswer } from "../../support/Raw.ts"
import { type Service, startService } from "../../support/Service.ts"
import { until } from "../../support/Until.ts"

const database = await openDatabase()

const open = async (service: Service, bytes = "") => {
  const socket = connect(Number(new URL(service.url).port), "localhost")
  let received = ""
  socket.on("data", (chunk) => received += chunk).on("error", () => {})
  await once(socket, "connect")
  socket.write(bytes)
  // This is not `once` of node:events, which rejects when the connection is reset.
  return { socket, closed: new Promise<string>((resolve) => socket.once("close", () => resolve(received))) }
}

const isRefused = (service: Service) => call(service, "GET", "/health").then(() => false, () => true)

const headers = "host: localhost\r\ncontent-type: application/json\r\n"

// Most of these tests run concurrently, because the last one waits for the whole grace period.
describe.concurrent("On SIGTERM the service", () => {
  // While four services start, this could take longer than the ten seconds that a statement waits for a lock.
  test("finishes the requests in flight, closes each connection with its answer, and refuses new connections", {
    concurrent: false
  }, async () => {
    const service = await startService(database)
    const veteran = await signInVeteran(service)
    const locker = await database.connect("superuser")
    await locker.query("begin")
    await locker.query("lock table consent_grants in access exclusive mode")
    const unfinished = await open(service, "GET /health HTTP/1.1\r\n")
    const authorization = `authorization: ${veteran.headers.authorization}\r\n`
    const inFlight = await open(
      service,
      `GET /api/veteran/me/consent-grants HTTP/1.1\r\n${headers}${authorization}\r\n`
    )
    const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    await until("the request waits for the lock", async () => (await locker.query(waiting)).rowCount === 1)
    const stopped = service.stop("SIGTERM")
    await until("new connections are refused", () => isRefused(service))
    await locker.query("commit")
    const answer = parseAnswer(await inFlight.closed)
    assert.strictEqual(answer.status, 200)
    assert.deepStrictEqual(answer.json, { items: [], nextCursor: null })
    // The grace period is not over, so a request that has only begun can still be completed.
    unfinished.socket.write("host: localhost\r\n\r\n")
    assert.strictEqual(parseAnswer(await unfinished.closed).status, 200)
    assert.strictEqual(await stopped, 0)
    assert.include(service.output(), `"requestId":"${answer.headers.get("x-request-id")}"`)
  })

  test("reads the rest of a body that is in transfer", async () => {
    const service = await startService(database)
    const body = JSON.stringify({ email: "nobody@example.org", password: "x" })
    const { closed, socket } = await open(
      service,
      `POST /api/provider/login HTTP/1.1\r\n${headers}content-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`
    )
    // The service answers "100 Continue", which shows that it now reads the body.
    await once(socket, "data")
    const stopped = service.stop("SIGTERM")
    await until("new connections are refused", () => isRefused(service))
    socket.write(body)
    assert.strictEqual(parseAnswer(await closed).json.error, "invalid_credentials")
    assert.strictEqual(await stopped, 0)
  })

  test.each(["SIGTERM", "SIGINT"] as const)(
    "closes idle connections, and waits for no rest of a malformed body (%s)",
    async (signal) => {
      const service = await startService(database)
      const chunked = `${headers}transfer-encoding: chunked\r\n\r\nno chunk\r\n`
      const answer = parseAnswer(await exchange(service, `POST /api/provider/login HTTP/1.1\r\n${chunked}`))
      assert.strictEqual(answer.status, 400)
      const { closed, socket } = await open(service, "GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n")
      await once(socket, "data")
      const fresh = await open(service)
      assert.strictEqual(await service.stop(signal), 0, service.output())
      assert.match(await closed, /^HTTP\/1\.1 200 OK/)
      assert.strictEqual(await fresh.closed, "")
    }
  )

  test("does not wait for ever for a request that never ends", async () => {
    const service = await startService(database)
    const heads = await open(service, "GET /health HTTP/1.1\r\n")
    const body = await open(service, `POST /api/waitlist HTTP/1.1\r\n${headers}content-length: 100\r\n\r\n{`)
    assert.strictEqual((await call(service, "GET", "/health")).status, 200)
    assert.strictEqual(await service.stop(), 0)
    await Promise.all([heads.closed, body.closed])
  })
})
