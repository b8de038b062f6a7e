import { once } from "node:events"
import { connect } from "node:net"
import { assert, describe, test } from "vitest"
import { openDatabase, openService } from "../../support/App.ts"
import { call, signInVeteran } from "../../support/Client.ts"
import { parseAnswer } from "../../support/Raw.ts"
import { head, heldBytes, open, received } from "../../support/Sockets.ts"
import { syncBody, syncPath } from "../../support/Sync.ts"
import { until } from "../../support/Until.ts"

const database = await openDatabase()

const service = await openService(database)

const json = { "content-type": "application/json" }

const large = 60 * 1024 * 1024

const none = async () => await heldBytes(service) === 0

/** Announces a sync of 60 MiB and sends its first byte. */
const announce = async () => {
  const { headers } = await signInVeteran(service)
  return open(service, head(`POST ${syncPath}`, { ...json, ...headers, "content-length": large }), "{")
}

describe("The budget of bytes", () => {
  test("refuses a body beyond it with 503, keeps room for ordinary requests, and is freed", async () => {
    const veteran = await signInVeteran(service)
    const holding = [await announce(), await announce()]
    await until("both are held", async () => await heldBytes(service) === 2 * large)
    const refused = parseAnswer(await received(await announce()))
    assert.strictEqual(`${refused.status} ${refused.json.error}`, "503 service_unavailable")
    assert.strictEqual(refused.headers.get("retry-after"), "10")
    assert.strictEqual(refused.json.retryAfterSeconds, 10)
    assert.strictEqual(refused.headers.get("connection"), "close")
    for (const path of ["/health", "/api/ready", "/api/veteran/me", "/api/veteran/me/health-record"]) {
      assert.strictEqual((await call(service, "GET", path, veteran)).status, 200, path)
    }
    const [ordinary, other] = [syncBody({ Condition: "empty" }).padEnd(1e6), await signInVeteran(service)]
    assert.strictEqual((await call(service, "POST", syncPath, { headers: other.headers, body: ordinary })).status, 200)
    for (const socket of holding) socket.resetAndDestroy()
    await until("nothing is held", none)
    const body = syncBody({ Condition: "empty" }).padEnd(large)
    assert.strictEqual((await call(service, "POST", syncPath, { headers: veteran.headers, body })).status, 200)
    await until("nothing is held", none)
  })

  test("refuses a body of unknown length as soon as it exceeds the budget", async () => {
    const holding = [await announce(), await announce()]
    await until("both are held", async () => await heldBytes(service) === 2 * large)
    const { headers } = await signInVeteran(service)
    const socket = await open(
      service,
      head(`POST ${syncPath}`, { ...json, ...headers, "transfer-encoding": "chunked" })
    )
    // This is a little more than the remaining budget. The service stops reading, and the rest stays in the socket.
    for (let sent = 0; sent < 37; sent++) socket.write(`100000\r\n${" ".repeat(0x10_0000)}\r\n`)
    assert.strictEqual(parseAnswer(await received(socket)).status, 503)
    for (const other of holding) other.resetAndDestroy()
    await until("nothing is held", none)
  })

  test("is freed after every way in which a client may hang up", async () => {
    const { headers } = await signInVeteran(service)
    const typed = { ...json, ...headers }
    const multipart = { ...headers, "content-type": "multipart/form-data; boundary=x", "content-length": 1e6 }
    const part = "--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n"
    const read = head("GET /api/docs", {})
    const text = "x".repeat(100_000)
    const heads: ReadonlyArray<ReadonlyArray<string>> = [
      [head(`POST ${syncPath}`, { ...typed, "content-length": large })],
      [head(`POST ${syncPath}`, { ...typed, "content-length": large }), text],
      [head(`POST ${syncPath}`, { ...typed, "content-length": large, "expect": "100-continue" })],
      [head(`POST ${syncPath}`, { ...typed, "transfer-encoding": "chunked" }), `186a0\r\n${text}\r\n`],
      [head(`POST ${syncPath}`, { ...typed, "transfer-encoding": "chunked", "content-encoding": "gzip" }),
        "1\r\n\x1f\r\n"],
      [head(`POST ${syncPath}`, { ...typed, "transfer-encoding": "chunked" }), "no chunk\r\n"],
      [head("POST /api/veteran/me/documents", multipart)],
      [head("POST /api/veteran/me/documents", multipart), part + text],
      [head("POST /api/veteran/me/self-reported-entries", { ...typed, "content-length": 50_000 }), "{"],
      [read, read, read],
      [read, head("GET /api/veteran/me/health-record", headers), head("GET /api/openapi.json", {})]
    ]
    for (const parts of heads) {
      const socket = await open(service, ...parts)
      socket.resetAndDestroy()
    }
    const ended = await open(service, head(`POST /api/veteran/me/documents`, multipart), part)
    ended.end()
    await until("nothing is held", none)
    assert.strictEqual((await call(service, "GET", "/health")).status, 200)
  })
})

/** Opens a connection, or returns undefined if the service resets it before the client knows that it is open. */
const attempt = (target: typeof service, request: string) => open(target, request).catch(() => undefined)

/** Returns whether a request on a separate connection is answered at all. */
const isAnswered = async (target: typeof service) => {
  const socket = await attempt(target, head("GET /health", { connection: "close" }))
  return socket !== undefined && (await received(socket)).startsWith("HTTP/1.1 200")
}

/** Opens connections, each with a request that is answered, until one is refused. */
const openAll = async (target: typeof service) => {
  const opened: Array<Awaited<ReturnType<typeof open>>> = []
  for (;;) {
    const socket = await attempt(target, head("GET /health", {}))
    if (socket === undefined) return opened
    const answered = await new Promise((found) => {
      socket.once("data", () => found(true)).once("close", () => found(false))
    })
    if (answered === false) return opened
    opened.push(socket)
  }
}

describe("Connections", () => {
  test("are limited in total, and a new one is accepted once another is closed", async () => {
    const own = await openService(database, { MAX_CONNECTIONS: "3" })
    const opened = await openAll(own)
    // The connection that checked whether the service had started may still be open.
    assert.isTrue(opened.length === 2 || opened.length === 3)
    for (const socket of opened) socket.destroy()
    await until("one is taken", () => isAnswered(own))
  })

  test("are limited for each address separately", async () => {
    const own = await openService(database, { MAX_CONNECTIONS_PER_ADDRESS: "4", TRUSTED_PROXY_HOPS: "0" })
    const opened = await openAll(own)
    assert.isAtMost(opened.length, 4)
    const elsewhere = connect({ port: Number(new URL(own.url).port), host: "127.0.0.1", localAddress: "127.0.0.7" })
    elsewhere.write(head("GET /health", { connection: "close" }))
    assert.match(await received(elsewhere), /^HTTP\/1.1 200/)
    for (const socket of opened) socket.destroy()
    await until("one is taken", () => isAnswered(own))
  })

  test("of a proxy are not limited, but each client's parallel requests are limited", async () => {
    const own = await openService(database, { MAX_CONNECTIONS_PER_ADDRESS: "2" })
    const login = (address: string) =>
      open(own, head("POST /api/provider/login", { ...json, "x-forwarded-for": address, "content-length": 10 }))
    const health = (address: string) => call(own, "GET", "/health", { headers: { "x-forwarded-for": address } })
    const two = [await login("203.0.113.9"), await login("203.0.113.9")]
    const refused = await until("its share is taken", async () => {
      const answer = await health("203.0.113.9")
      return answer.status !== 200 && answer
    })
    assert.strictEqual(`${refused.status} ${refused.json.error}`, "429 rate_limited")
    assert.strictEqual(refused.headers.get("retry-after"), "1")
    assert.strictEqual((await health("203.0.113.10")).status, 200)
    for (const socket of two) socket.destroy()
    await until("it is free", async () => (await health("203.0.113.9")).status === 200)
  })
})

describe("One connection", () => {
  const get = head("GET /health", {})

  const answersIn = (text: string) => text.split("HTTP/1.1 200 ").length - 1

  test("serves 100 requests, says that it closes, and ends at one more", async () => {
    const socket = await open(service)
    const whole = received(socket)
    for (let n = 1; n <= 100; n++) {
      socket.write(get)
      await once(socket, "data")
    }
    socket.write(get)
    const answers = (await whole).split("HTTP/1.1 200 ").slice(1)
    assert.deepStrictEqual(
      answers.flatMap((answer, n) => answer.includes("\r\nConnection: close\r\n") ? [n + 1] : []),
      [100]
    )
    assert.lengthOf(answers, 100)
  })

  test("begins no more of them at once", async () => {
    const before = service.output().length
    assert.isAtMost(answersIn(await received(await open(service, get.repeat(20_000)))), 100)
    assert.isAtMost(service.output().slice(before).split("\n").length - 1, 101)
    assert.strictEqual((await call(service, "GET", "/health")).status, 200)
  })
})
