import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { request } from "node:http"
import { connect } from "node:net"
import { gzipSync, zstdCompressSync } from "node:zlib"
import { assert, describe, test } from "vitest"
import { openOwnApp } from "../../support/App.ts"
import { asAdmin, call, randomAddress, signInVeteran } from "../../support/Client.ts"
import { exchange, parseAnswer, send } from "../../support/Raw.ts"

const { service } = await openOwnApp()

let veteran = await signInVeteran(service)

const json = { "content-type": "application/json" }

const login = "/api/provider/login"

const syncPath = "/api/veteran/me/health-record/sync"

const mebibyte = 1024 * 1024

const syncBody = JSON.stringify({ fhirResourceFetchStatuses: { Condition: "empty" } })

/** Each sync is for another veteran, because one veteran may sync six times a minute. */
const sync = async (body: Uint8Array | string, headers: Record<string, string>) => {
  veteran = await signInVeteran(service)
  return send(service, "POST", syncPath, { headers: { ...json, ...veteran.headers, ...headers }, body })
}

const credentials = (length: number) => JSON.stringify({ email: "a@example.org", password: "x" }).padEnd(length)

describe("A body's size", () => {
  test("is limited to exactly 4 KiB on login, whether or not the client declares it", async () => {
    for (const headers of [{ "content-length": "4096" }, { "transfer-encoding": "chunked" }]) {
      const answer = await send(service, "POST", login, { headers: { ...json, ...headers }, body: credentials(4096) })
      assert.strictEqual(answer.status, 401)
    }
    for (const headers of [{ "content-length": "4097" }, { "transfer-encoding": "chunked" }]) {
      const answer = await send(service, "POST", login, { headers: { ...json, ...headers }, body: credentials(4097) })
      assert.strictEqual(answer.status, 413)
      assert.strictEqual(answer.json.error, "payload_too_large")
    }
  })

  test.each<[string, string, () => Record<string, string>, number]>([
    ["POST", "/api/auth/veteran/session", () => ({ "x-veteran-session-exchange": "test exchange secret" }), 4096],
    ["POST", "/api/waitlist", () => ({}), 4096],
    ["POST", "/api/admin/veterans", () => asAdmin, 65_536],
    ["POST", "/api/admin/providers", () => asAdmin, 65_536],
    ["POST", "/api/veteran/me/consent-grants", () => veteran.headers, 65_536],
    ["POST", "/api/veteran/me/self-reported-entries", () => veteran.headers, 65_536]
  ])("is limited on %s %s to an exact number of bytes", async (method, path, headers, limit) => {
    const atLimit = await call(service, method, path, { headers: headers(), body: "{}".padEnd(limit) })
    assert.strictEqual(atLimit.json.error, "invalid_request")
    const over = await call(service, method, path, { headers: headers(), body: "{}".padEnd(limit + 1) })
    assert.strictEqual(`${over.status} ${over.json.error}`, "413 payload_too_large")
  })

  test("is refused before the body is sent, and the connection is closed", async () => {
    const head =
      `POST ${login} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99999999\r\n\r\n`
    const answer = parseAnswer(await exchange(service, head))
    assert.strictEqual(answer.status, 413)
    assert.strictEqual(answer.headers.get("connection"), "close")
  })

  test("is refused as too large even while the client keeps sending", async () => {
    const answer = await call(service, "POST", login, { body: "x".repeat(5 * mebibyte) })
    assert.strictEqual(answer.status, 413)
  })

  test("is limited on the sync to 64 MiB after decompression", async () => {
    const body = (size: number) => Buffer.from(syncBody.padEnd(size))
    const whole = await sync(gzipSync(body(64 * mebibyte)), { "content-encoding": "gzip" })
    assert.strictEqual(whole.status, 200)
    const over = await sync(zstdCompressSync(body(64 * mebibyte + 1)), { "content-encoding": "zstd" })
    assert.strictEqual(over.status, 413)
  })

  test("is limited on the sync to 100,000 resources, in all its types together", async () => {
    const body = (...counts: ReadonlyArray<number>) => {
      const lists = counts.map((count, index) => `"T${"ab"[index]}":[${Array.from({ length: count }, () => 1)}]`)
      return Buffer.from(`{"fhirResourceFetchStatuses":{},"resources":{${lists}}}`)
    }
    const over = await sync(body(60_000, 40_001), {})
    assert.deepStrictEqual([over.status, over.json.error, over.json.message], [
      413,
      "payload_too_large",
      "A sync takes at most 100,000 resources: send some of the types in another one."
    ])
    // These are counted, read and refused as no resources.
    assert.strictEqual((await sync(body(60_000, 40_000), {})).status, 400)
  })

  test("is refused if it decompresses to 4 GiB (a zip bomb), and memory grows by less than 256 MiB", async () => {
    const block = Buffer.alloc(64 * mebibyte, " ")
    const most = await peakMemory()
    for (const [encoding, compress] of [["gzip", gzipSync], ["zstd", zstdCompressSync]] as const) {
      // Several gzip members or zstd frames in a row are valid. These decompress to 4 GiB.
      const bomb = Buffer.concat(Array.from({ length: 64 }).fill(compress(block)) as Array<Buffer>)
      const answer = await sync(bomb, { "content-encoding": encoding })
      assert.strictEqual(`${answer.status} ${answer.json.error}`, "413 payload_too_large")
    }
    assert.isBelow(await peakMemory() - most, 256 * mebibyte)
  })
})

/** Reads the most memory that the service's process ever used (`VmHWM`, proc(5)). */
const peakMemory = async () => {
  const status = await readFile(`/proc/${service.process.pid}/status`, "utf8")
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) * 1024
}

describe("A body's media type", () => {
  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
    "application/fhir+json", "application/jsonp", "application/json-seq", "xapplication/json",
    "application/json, text/plain", "*/*", "json", "application/json; charset=utf-16",
    "application/json; charset=iso-8859-1", "application/json; charset=", ""])(
      "is refused as unsupported when it is %s",
      async (type) => {
        const answer = await send(service, "POST", login, { headers: { "content-type": type }, body: credentials(0) })
        assert.strictEqual(`${answer.status} ${answer.json.error}`, "415 unsupported_media_type")
      }
    )

  test.each(["application/json", "Application/JSON", "application/json; charset=utf-8",
    "application/json;charset=UTF-8", "application/json; charset=\"utf-8\"", "application/json ; charset=utf8"])(
      "is accepted when it is %s",
      async (type) => {
        const answer = await send(service, "POST", login, { headers: { "content-type": type }, body: credentials(0) })
        assert.strictEqual(answer.json.error, "invalid_credentials")
      }
    )
})

describe("A body's encoding", () => {
  const encoded = (encoding: string, body: Uint8Array | string = "{}") =>
    send(service, "POST", login, { headers: { ...json, "content-encoding": encoding }, body })

  test("may be gzip or zstd only on the sync", async () => {
    for (const [encoding, compress] of [["gzip", gzipSync], ["zstd", zstdCompressSync]] as const) {
      assert.strictEqual((await sync(compress(syncBody), { "content-encoding": encoding })).status, 200)
      const answer = await encoded(encoding, compress("{}"))
      assert.strictEqual(`${answer.status} ${answer.json.error}`, "415 unsupported_media_type")
    }
    assert.strictEqual((await encoded("identity")).json.error, "invalid_request")
  })

  test.each(["br", "deflate", "gzip, gzip", "gzip, identity", "x-gzip", "compress", ""])(
    "is accepted by no route when it is %j",
    async (encoding) => {
      for (const answer of [await encoded(encoding), await sync(syncBody, { "content-encoding": encoding })]) {
        assert.strictEqual(`${answer.status} ${answer.json.error}`, "415 unsupported_media_type")
      }
    }
  )

  test("leads to invalid_json if the compressed data is broken", async () => {
    const noise = Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7919) % 251))
    for (const [encoding, compress] of [["gzip", gzipSync], ["zstd", zstdCompressSync]] as const) {
      const whole = compress(`{"x":"${noise.toString("base64")}"}`)
      const flipped = Buffer.from(whole)
      flipped[whole.length >> 1]! ^= 0xff
      const broken = [
        whole.subarray(0, -1),
        whole.subarray(0, whole.length >> 1),
        whole.subarray(0, 5),
        flipped,
        Buffer.from(syncBody)
      ]
      for (const [index, body] of broken.entries()) {
        const answer = await sync(body, { "content-encoding": encoding })
        assert.strictEqual(`${answer.status} ${answer.json.error}`, "400 invalid_json", `${encoding} ${index}`)
      }
      const nothing = await sync(compress(""), { "content-encoding": encoding })
      assert.strictEqual(`${nothing.status} ${nothing.json.error}`, "400 invalid_json")
    }
  })
})

describe("A client that sends an Expect header", () => {
  const expecting = async (headers: Record<string, string | number>, body: string) => {
    const sent = request({
      host: "localhost",
      port: new URL(service.url).port,
      method: "POST",
      path: login,
      headers: { ...json, ...headers, expect: "100-continue", "x-forwarded-for": randomAddress() }
    })
    let told = false
    sent.on("continue", () => {
      told = true
      sent.end(body)
    })
    sent.flushHeaders()
    const [response] = await once(sent, "response")
    sent.destroy()
    return { told, status: response.statusCode }
  }

  test("is told to continue if it expects 100-continue, and then answered", async () => {
    const body = credentials(0)
    assert.deepStrictEqual(await expecting({ "content-length": body.length }, body), { told: true, status: 401 })
  })

  test("is refused before it sends a body whose length or media type is not accepted", async () => {
    assert.deepStrictEqual(await expecting({ "content-length": 5000 }, ""), { told: false, status: 413 })
    assert.deepStrictEqual(await expecting({ "content-length": 5, "content-type": "text/plain" }, ""), {
      told: false,
      status: 415
    })
  })

  test("is answered normally when it expects anything other than 100-continue", async () => {
    const answer = await send(service, "POST", login, { headers: { ...json, expect: "200-ok" }, body: credentials(0) })
    assert.strictEqual(answer.json.error, "invalid_credentials")
  })
})

describe("A client that hangs up in the middle of a body", () => {
  test("does not prevent the service from answering others or from stopping", async () => {
    const { headers } = await signInVeteran(service)
    const authorized = `authorization: ${headers.authorization}\r\n`
    const heads = [
      `POST ${login} HTTP/1.1\r\n`,
      `POST ${syncPath} HTTP/1.1\r\n${authorized}`,
      `POST ${syncPath} HTTP/1.1\r\n${authorized}content-encoding: gzip\r\n`
    ]
    for (const head of heads) {
      for (
        const body of [
          "content-length: 1000\r\n\r\n{",
          "transfer-encoding: chunked\r\n\r\n1\r\n{\r\n",
          "transfer-encoding: chunked\r\n\r\nno chunk\r\n"
        ]
      ) {
        const socket = connect(Number(new URL(service.url).port), "localhost")
        socket.on("error", () => {}).write(`${head}host: x\r\ncontent-type: application/json\r\n${body}`)
        await once(socket, "connect")
        socket.resetAndDestroy()
      }
    }
    assert.strictEqual((await call(service, "POST", login, { body: credentials(0) })).status, 401)
    assert.strictEqual(await service.stop(), 0)
  })
})
