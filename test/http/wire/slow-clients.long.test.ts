import { fileURLToPath } from "node:url"
import { assert, describe, test } from "vitest"
import { openDatabase, openService } from "../../support/App.ts"
import { signInVeteran } from "../../support/Client.ts"
import { parseAnswer } from "../../support/Raw.ts"
import { head, heldBytes, open, received } from "../../support/Sockets.ts"
import { resource, sync, syncPath } from "../../support/Sync.ts"
import { until } from "../../support/Until.ts"

const service = await openService(
  await openDatabase(),
  {},
  fileURLToPath(new URL("../../support/impatient.ts", import.meta.url))
)

const json = { "content-type": "application/json" }

const login = "POST /api/provider/login"

const mebibyte = 1024 * 1024

/** Sends a piece again and again, until the service hangs up. */
const drip = async (piece: string, ...parts: ReadonlyArray<string>) => {
  const socket = await open(service, ...parts)
  const timer = setInterval(() => socket.write(piece), 100)
  const answer = await received(socket)
  clearInterval(timer)
  return parseAnswer(answer)
}

const assertTimeout = (answer: ReturnType<typeof parseAnswer>) => {
  assert.strictEqual(`${answer.status} ${answer.json?.error}`, "408 request_timeout")
  assert.strictEqual(answer.headers.get("connection"), "close")
  assert.deepStrictEqual(Object.keys(answer.json), ["error", "message", "requestId"])
}

describe("A body that does not arrive", () => {
  test("is answered 408 on the sync with or without a declared length, and its budget is freed", async () => {
    const { headers } = await signInVeteran(service)
    const known = await open(
      service,
      head(`POST ${syncPath}`, { ...json, ...headers, "content-length": 60 * mebibyte }),
      "{"
    )
    assertTimeout(parseAnswer(await received(known)))
    for (const encoding of ["identity", "gzip"]) {
      const sent = { ...json, ...headers, "transfer-encoding": "chunked", "content-encoding": encoding }
      assertTimeout(parseAnswer(await received(await open(service, head(`POST ${syncPath}`, sent), "1\r\n{\r\n"))))
    }
    await until("nothing is held", async () => await heldBytes(service) === 0)
  })

  test("is answered 408 on an upload, and its budget is freed", async () => {
    const { headers } = await signInVeteran(service)
    const upload = head("POST /api/veteran/me/documents", {
      ...headers,
      "content-type": "multipart/form-data; boundary=x",
      "content-length": 20 * mebibyte
    })
    const file = "--x\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nabc"
    for (const parts of [[upload], [upload, file], [upload, file, "x".repeat(mebibyte)]]) {
      assertTimeout(parseAnswer(await received(await open(service, ...parts))))
    }
    await until("nothing is held", async () => await heldBytes(service) === 0)
  })

  test("is answered 408 on a route without a sign-in", async () => {
    assertTimeout(parseAnswer(await received(await open(service, head(login, { ...json, "content-length": 10 })))))
  })
})

describe("A body that arrives slowly", () => {
  test("is answered 408 when it is slower than 64 KiB/s", async () => {
    const { headers } = await signInVeteran(service)
    assertTimeout(
      await drip("x".repeat(1000), head(`POST ${syncPath}`, { ...json, ...headers, "content-length": 60 * mebibyte }))
    )
  })

  test("is answered 408 when it is small and never ends", async () => {
    assertTimeout(await drip("1\r\nx\r\n", head(login, { ...json, "transfer-encoding": "chunked" })))
  })

  test("is accepted when it is small and slow", async () => {
    const text = JSON.stringify({ email: "nobody@example.org", password: "x" })
    const socket = await open(service, head(login, { ...json, connection: "close", "content-length": text.length }))
    const answer = received(socket)
    for (const character of text) {
      socket.write(character)
      await new Promise((after) => setTimeout(after, 15))
    }
    assert.strictEqual(parseAnswer(await answer).json.error, "invalid_credentials")
  })
})

describe("An answer that its client does not read", () => {
  test("is ended, and its budget is freed", async () => {
    const veteran = await signInVeteran(service)
    const text = resource("Observation", "large").replace(/}$/, `,"note":[{"text":"${"x".repeat(19e6)}"}]}`)
    await sync(service, veteran, { Observation: "complete" }, { Observation: [text] })
    const socket = await open(service, head("GET /api/veteran/me/health-record", veteran.headers))
    socket.pause()
    await until("the answer is held", async () => await heldBytes(service) >= 19e6)
    await until("the answer is given up", async () => await heldBytes(service) === 0)
    assert.isBelow((await received(socket)).length, 19e6)
  })

  test("is also ended if it is the documentation page, whose bytes all answers share", async () => {
    const page = head("GET /api/docs", {})
    const sockets = await Promise.all(Array.from({ length: 20 }, async () => {
      // Three requests on one connection: two for the page, and one that never ends. They are answered in order.
      const socket = await open(service, page, page, "GET /health HTTP/1.1\r\nhost: ")
      return socket.pause()
    }))
    assert.strictEqual(await heldBytes(service), 0)
    await until("every connection is ended", async () => {
      // A socket that does not read notices its end only when it writes.
      for (const socket of sockets) if (!socket.destroyed) socket.write("x")
      return sockets.every((socket) => socket.closed)
    })
    for (const socket of sockets) assert.isBelow(socket.bytesRead, 3.2e6)
  })
})
