import { once } from "node:events"
import { connect } from "node:net"
import { assert, describe, onTestFinished, test } from "vitest"
import { portalHeaders } from "../../src/pages/Headers.ts"
import { until } from "../support/Until.ts"
import { ask } from "./Ask.ts"
import { openPortal } from "./Portal.ts"

const { portal, service } = await openPortal({
  GOOGLE_CLIENT_ID: "client",
  GOOGLE_CLIENT_SECRET: "a secret of Google's",
  GOOGLE_ISSUER: "http://127.0.0.1:1"
})

const expected = portalHeaders(service.url, false)

const assertHeaders = (headers: Record<string, unknown>) => {
  for (const [name, value] of Object.entries(expected)) assert.strictEqual(headers[name], value)
}

/** Opens a connection and sends raw bytes. `all` resolves to what was received until the connection closed. */
const send = async (...parts: ReadonlyArray<string>) => {
  const socket = connect(Number(new URL(portal).port), "127.0.0.1").on("error", () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, "connect")
  for (const part of parts) socket.write(part, "latin1")
  let text = ""
  socket.setEncoding("latin1").on("data", (chunk) => text += chunk)
  const closed = new Promise<void>((done) => socket.once("close", () => done()))
  return { socket, closed, all: () => closed.then(() => text) }
}

describe("The portal's pages", () => {
  test("The configuration names the service's origin and says whether Google sign-in is turned on", async () => {
    const { body, headers, status } = await ask(portal, "/config.json")
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(JSON.parse(body.toString()), { api: service.url, google: true })
    assert.deepStrictEqual([headers["content-type"], headers["cache-control"]], ["application/json", "no-store"])
    assertHeaders(headers)
  })

  test("A path that is not the address of a page gets a 404 page with the security headers", async () => {
    const strange = ["/../package.json", "/assets/../index.html", "/assets/..%2f..%2f..%2fpackage.json",
      "/%2e%2e/package.json", "/..\\package.json", "/assets/%00", "/link%00", "/.env", "/.sha256", "//link", "/%2Flink",
      "/link/", "/LINK", "/index.html", "/link.html", "/404.html", "/assets", "/assets/", "/constructor", "/__proto__",
      "/portal.sha256", "http://elsewhere.example/link", `/${"a".repeat(8_000)}`]
    const page = (await ask(portal, "/nowhere")).body.toString()
    assert.include(page, "<h1>There is no such page</h1>")
    for (const path of strange) {
      const { body, headers, status } = await ask(portal, path)
      assert.deepStrictEqual([status, body.toString()], [404, page], path)
      assert.deepStrictEqual([headers["cache-control"], headers["etag"]], ["no-store", undefined])
      assertHeaders(headers)
    }
  })

  test("A page is sent whole even if a range is requested", async () => {
    const whole = await ask(portal, "/link")
    const part = await ask(portal, "/link", { headers: { range: "bytes=0-1" } })
    assert.deepStrictEqual([part.status, part.body], [200, whole.body])
  })

  test("HEAD gets the headers only", async () => {
    const [head, get] = await Promise.all(["HEAD", "GET"].map((method) => ask(portal, "/verify", { method })))
    assert.deepStrictEqual([head!.status, head!.body.length], [200, 0])
    assert.strictEqual(head!.headers["content-length"], `${get!.body.length}`)
  })

  test.each(["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"])("%s is refused with 405", async (method) => {
    const { headers, status } = await ask(portal, "/", { method })
    assert.deepStrictEqual([status, headers["allow"]], [405, "GET, HEAD"])
    assertHeaders(headers)
  })

  test("A request to the machine's IP address is redirected to the origin that the service admits", async () => {
    const address = portal.replace("localhost", "127.0.0.1")
    const { headers, status } = await ask(address, "/link?a=b")
    assert.deepStrictEqual([status, headers["location"]], [308, `${portal}/link?a=b`])
    assertHeaders(headers)
  })

  test("Malformed requests do not stop the server", async () => {
    const junk = ["\0\0\0\0\r\n\r\n", "GET /\u00ff\u00fe HTTP/1.1\r\nhost: x\r\n\r\n", "GET /\r\n\r\n",
      `GET / HTTP/1.1\r\nhost: x\r\nx: ${"a".repeat(40_000)}\r\n\r\n`, "CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n",
      "GET / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n"]
    for (const bytes of junk) {
      const { socket } = await send(bytes)
      socket.end()
    }
    assert.strictEqual((await ask(portal, "/")).status, 200)
  })

  test("Connections are limited, the admitted ones are served, and a thousand idle ones do not delay the shutdown", async () => {
    const idle = await Promise.all(
      Array.from({ length: 1_000 }, () => send("GET / HTTP/1.1\r\nhost: localhost\r\n").catch(() => undefined))
    )
    const open = () => idle.filter((connection) => connection?.socket.closed === false)
    await until("those beyond the bound are closed", async () => open().length <= 256)
    const { socket } = open()[0]!
    socket.write("\r\n")
    const [answer] = await once(socket, "data") as [string]
    assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/)
    assert.strictEqual((await fetch(`${service.url}/health`)).status, 200)
    assert.strictEqual(await service.stop(), 0)
    await Promise.all(idle.map((connection) => connection?.closed))
  })
})
