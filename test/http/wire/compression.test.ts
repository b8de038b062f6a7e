import { Headers } from "effect/http"
import { once } from "node:events"
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http"
import { gunzipSync, zstdDecompressSync } from "node:zlib"
import { assert, describe, test } from "vitest"
import { acceptedCoding } from "../../../src/http/wire/Accept.ts"
import { openApp } from "../../support/App.ts"
import { asAdmin, call, giveGrant, signInVeteran } from "../../support/Client.ts"
import { newProvider } from "../../support/Providers.ts"
import { head, heldBytes, open } from "../../support/Sockets.ts"
import { resource, sync, syncBody, syncPath } from "../../support/Sync.ts"
import { until } from "../../support/Until.ts"

const { database, service } = await openApp()

const owner = await database.connect("owner")

interface Asked {
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Requests the raw bytes, because `fetch` would decompress them. */
const ask = async (method: string, path: string, { body, headers = {} }: Asked = {}) => {
  const sent = request(`${service.url}${path}`, {
    method,
    headers: { "x-forwarded-for": "203.0.113.5", ...(body && { "content-type": "application/json" }), ...headers }
  }).end(body)
  const [answer] = await once(sent, "response") as [IncomingMessage]
  const chunks: Array<Buffer> = []
  for await (const chunk of answer) chunks.push(chunk)
  return { status: answer.statusCode!, headers: answer.headers, bytes: Buffer.concat(chunks) }
}

const opened = ({ bytes, headers }: { readonly bytes: Buffer; readonly headers: IncomingHttpHeaders }) => {
  switch (headers["content-encoding"]) {
    case "zstd":
      return zstdDecompressSync(bytes)
    case "gzip":
      return gunzipSync(bytes)
    default:
      return bytes
  }
}

const veteran = await signInVeteran(service)

const provider = await newProvider(owner)

await giveGrant(service, veteran, provider)

const conditions = Array.from(
  { length: 200 },
  (_, index) =>
    resource("Condition", `c${index}`).replace("}", `,"code":{"text":"Lateral epicondylitis, right elbow"}}`)
)

await sync(service, veteran, { Condition: "complete" }, { Condition: conditions })

const entries = "/api/veteran/me/self-reported-entries"

const write = (text: string, headers: Record<string, string> = {}) =>
  ask("POST", entries, {
    headers: { ...veteran.headers, ...headers },
    body: JSON.stringify({ category: "note", text })
  })

const record = "/api/veteran/me/health-record?limit=200"

const both = "gzip, deflate, br, zstd"

test.each<[accepted: string, coding: string | undefined]>([
  ["", undefined],
  ["zstd", "zstd"],
  ["gzip", "gzip"],
  ["GZIP", "gzip"],
  ["gzip;q=1.0, zstd;q=1.0", "zstd"],
  ["gzip;q=1, zstd;q=0.9", "gzip"],
  ["gzip;q=0.001", "gzip"],
  ["zstd;q=0", undefined],
  ["*", "gzip"],
  ["br, *", "gzip"],
  ["*;q=0.5, ZSTD", "zstd"],
  ["zstd;q=0, *", "gzip"],
  ["gzip;q=0, *", undefined],
  ["gzip;q=0, zstd;q=0.1, *;q=0", "zstd"],
  ["identity;q=0, *", "gzip"],
  ["identity;q=0, gzip;q=0, *", undefined],
  ["*;q=0", undefined],
  ["*;q=0, gzip", "gzip"],
  ["identity", undefined],
  ["identity;q=0", undefined],
  ["identity;q=1, gzip;q=0.5", undefined],
  ["identity;q=0.1, gzip;q=0.5", "gzip"],
  ["br, deflate, compress", undefined],
  ["gzip;q=x", undefined],
  ["gzipped, xzstd, zstd-", undefined],
  [",,;;==,q=1", undefined]
])("For the accept-encoding %s an answer is to have the content-encoding %s", (accepted, coding) => {
  assert.strictEqual(acceptedCoding({ headers: Headers.fromInput({ "accept-encoding": accepted }) }), coding)
})

describe("An answer over 4 kB", async () => {
  const plain = await ask("GET", record, veteran)
  assert.strictEqual(plain.headers["content-encoding"], undefined)
  assert.isAbove(plain.bytes.length, 20_000)

  test.each<[accepted: string | undefined, coding: string | undefined]>([
    [undefined, undefined],
    ["gzip, deflate, br, zstd", "zstd"],
    ["zstd;q=0, gzip", "gzip"],
    ["gzip;q=0, zstd;q=0", undefined]
  ])("for the accept-encoding %s has the content-encoding %s", async (accepted, coding) => {
    const headers = { ...veteran.headers, ...(accepted !== undefined && { "accept-encoding": accepted }) }
    const answer = await ask("GET", record, { headers })
    assert.strictEqual(answer.status, 200)
    assert.strictEqual(answer.headers["content-encoding"], coding)
    assert.strictEqual(answer.headers["content-length"], `${answer.bytes.length}`)
    assert.strictEqual(answer.headers["transfer-encoding"], undefined)
    assert.strictEqual(answer.headers["content-type"], "application/json")
    assert.strictEqual(answer.headers["vary"], "Accept-Encoding, Origin")
    assert.strictEqual(answer.headers["cache-control"], "no-store")
    assert.isTrue(opened(answer).equals(plain.bytes))
    if (coding !== undefined) assert.isBelow(answer.bytes.length, plain.bytes.length / 5)
    const described = await ask("HEAD", record, { headers })
    assert.strictEqual(described.bytes.length, 0)
    assert.strictEqual(described.headers["content-encoding"], coding)
    assert.strictEqual(described.headers["vary"], "Accept-Encoding, Origin")
    // HEAD compresses nothing. If GET would, HEAD states neither a length nor a transfer-encoding.
    const length = coding === undefined ? `${plain.bytes.length}` : undefined
    assert.strictEqual(described.headers["content-length"], length)
    assert.strictEqual(described.headers["transfer-encoding"], undefined)
  })

  test("is compressed on every kind of route that can return one", async () => {
    for (let count = 0; count < 12; count++) await write(`${count} ${"Slept well, walked for an hour. ".repeat(12)}`)
    for (let count = 0; count < 10; count++) {
      const { id } = await giveGrant(service, veteran, provider)
      await call(service, "POST", `/api/veteran/me/consent-grants/${id}/revoke`, veteran)
    }
    const id = veteran.id
    const note = { "accept-encoding": both, ...provider.headers }
    for (
      const [path, headers] of [
        [`/api/provider/patients/${id}/record`, provider.headers],
        [entries, veteran.headers],
        ["/api/veteran/me/disclosures", veteran.headers],
        ["/api/veteran/me/disclosures", { ...veteran.headers, accept: "text/csv" }],
        ["/api/admin/metrics", asAdmin],
        ["/api/openapi.json", {}],
        ["/api/docs", {}]
      ] as const
    ) {
      const plain = await ask("GET", path, { headers })
      const answer = await ask("GET", path, { headers: { ...headers, "accept-encoding": both } })
      assert.deepStrictEqual([path, answer.headers["content-encoding"]], [path, "zstd"])
      assert.strictEqual(answer.headers["content-length"], `${answer.bytes.length}`)
      assert.include(answer.headers["vary"]!.toLowerCase(), "accept-encoding")
      assert.strictEqual(answer.headers["content-type"], plain.headers["content-type"])
      if (path !== "/api/admin/metrics") assert.isTrue(opened(answer).equals(plain.bytes))
    }
    const grant = await ask("POST", "/api/veteran/me/consent-grants", {
      headers: { ...veteran.headers, "accept-encoding": both },
      body: JSON.stringify({
        providerId: provider.id,
        resourceTypes: Array.from(
          { length: 200 },
          (_, index) => `MedicationRequest${String.fromCharCode(65 + index / 26, 97 + index % 26)}`
        ),
        sensitiveCategories: [],
        includeSelfReported: true,
        includeDocuments: true,
        purpose: "treatment",
        expiresAt: new Date(Date.now() + 3_600_000).toISOString()
      })
    })
    assert.deepStrictEqual([grant.status, grant.headers["content-encoding"]], [201, "zstd"])
    const written = await write("Slept well. ".repeat(500), { "accept-encoding": "gzip" })
    assert.deepStrictEqual([written.status, written.headers["content-encoding"]], [201, "gzip"])
    assert.strictEqual(JSON.parse(opened(written).toString()).text, "Slept well. ".repeat(500))
    const path = `/api/provider/patients/${id}/notes`
    const noted = await ask("POST", path, { headers: note, body: JSON.stringify({ text: "Rest. ".repeat(1000) }) })
    assert.deepStrictEqual([noted.status, noted.headers["content-encoding"]], [201, "zstd"])
    const types = Array.from({ length: 120 }, (_, index) => `Type${String.fromCharCode(65 + index % 26)}${index}`)
    const statuses = Object.fromEntries(
      types.map((type) => [type.replace(/\d/g, (digit) => "abcdefghij"[+digit]!), "empty"])
    )
    const synced = await ask("POST", syncPath, {
      headers: { ...(await signInVeteran(service)).headers, "accept-encoding": both },
      body: syncBody(statuses)
    })
    assert.deepStrictEqual([synced.status, synced.headers["content-encoding"]], [200, "zstd"])
    assert.isNotEmpty(JSON.parse(opened(synced).toString()))
  })

  test("is compressed without delay even if accept-encoding is as long as a header may be", async () => {
    for (
      const accepted of [`${"x,".repeat(4000)}gzip`, `gzip;${"q=1;".repeat(2000)}`, `${"*;q=0,".repeat(1300)}gzip`]
    ) {
      const answer = await ask("GET", record, { headers: { ...veteran.headers, "accept-encoding": accepted } })
      assert.strictEqual(answer.headers["content-encoding"], "gzip")
    }
  })
})

/** Reads the head of a zstd frame (RFC 8878, 3.1.1.1) whose content length has two or four bytes. */
const headOf = (frame: Buffer) => {
  const isOneSegment = (frame[4]! & 0x20) !== 0
  const window = isOneSegment ? 0 : (1 << 10 + (frame[5]! >> 3)) * (1 + (frame[5]! & 7) / 8)
  const lengthAt = isOneSegment ? 5 : 6
  const contentLength = frame[4]! >> 6 === 1 ? frame.readUInt16LE(lengthAt) + 256 : frame.readUInt32LE(lengthAt)
  return { contentLength, window }
}

describe("A resource that is stored compressed", () => {
  const study = (index: number, times: number) =>
    resource("ImagingStudy", `i${index}`).replace(
      "}",
      `,"description":"${`${index} CT of the chest. `.repeat(times)}"}`
    )

  const findings = Array.from({ length: 100 }, (_, index) => resource("Observation", `o${index}`))

  test.each([["a page", 12, 900], ["a page of 5 MB", 1, 250_000]])(
    "is part of %s, which every reader decompresses to the same text",
    async (_, count, times) => {
      const reader = await signInVeteran(service)
      await sync(service, reader, { ImagingStudy: "complete", Observation: "complete" }, {
        ImagingStudy: Array.from({ length: count }, (_, index) => study(index, times)),
        Observation: findings
      })
      await giveGrant(service, reader, provider)
      for (
        const [path, headers] of [
          ["/api/veteran/me/health-record?limit=1000", reader.headers],
          [`/api/provider/patients/${reader.id}/record`, provider.headers]
        ] as const
      ) {
        const plain = await ask("GET", path, { headers })
        assert.strictEqual(plain.headers["content-encoding"], undefined)
        assert.include(plain.bytes.toString(), study(count - 1, times))
        const coded = { ...headers, "accept-encoding": "gzip;q=0.5, zstd" }
        const answer = await ask("GET", path, { headers: coded })
        assert.deepStrictEqual(
          [answer.status, answer.headers["content-encoding"], answer.headers["content-length"], answer.headers["vary"]],
          [200, "zstd", `${answer.bytes.length}`, "Accept-Encoding, Origin"]
        )
        assert.isBelow(answer.bytes.length, plain.bytes.length / 20)
        assert.isTrue(opened(answer).equals(plain.bytes))
        // There is one frame, and its window is one that every client supports (RFC 9659).
        assert.strictEqual(answer.bytes.toString("latin1").split("\x28\xb5\x2f\xfd").length - 1, 1)
        const { contentLength, window } = headOf(answer.bytes)
        assert.strictEqual(contentLength, plain.bytes.length)
        assert.isAtMost(window, 8 * 1024 * 1024)
        assert.strictEqual(await (await fetch(service.url + path, { headers: coded })).text(), plain.bytes.toString())
        const gzip = await ask("GET", path, { headers: { ...headers, "accept-encoding": "gzip, zstd;q=0.9" } })
        assert.strictEqual(gzip.headers["content-encoding"], "gzip")
        assert.strictEqual(gzip.headers["content-length"], `${gzip.bytes.length}`)
        assert.isTrue(opened(gzip).equals(plain.bytes))
      }
    }
  )
})

describe("Large pages", async () => {
  const reader = await signInVeteran(service)
  const text = "Persistent cough, worse at night. ".repeat(40)
  // A page has at most a thousand items.
  const resources = Array.from(
    { length: 1000 },
    (_, index) => resource("Observation", `o${index}`).replace("}", `,"note":[{"text":"${index} ${text}"}]}`)
  )
  await sync(service, reader, { Observation: "complete" }, { Observation: resources })

  test("arrive complete and compressed at parallel clients, free their memory, and are counted", async () => {
    const path = "/api/veteran/me/health-record?limit=1000"
    const plain = await ask("GET", path, reader)
    const headers = { ...reader.headers, "accept-encoding": both }
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask("GET", path, { headers })))
    for (const answer of answers) {
      if (answer.status === 503) continue
      assert.isTrue(opened(answer).equals(plain.bytes))
    }
    assert.isAbove(answers.filter(({ headers }) => headers["content-encoding"] === "zstd").length, 0)
    await until("nothing is held", async () => await heldBytes(service) === 0)
    const { text } = await call(service, "GET", "/api/admin/metrics", { headers: asAdmin })
    assert.isAbove(Number(/^http_answers_compressed_total\{coding="zstd"\} (\d+)/m.exec(text)![1]), 0)
  })

  test("free their memory if their client hangs up at any moment", async () => {
    const read = head("GET /api/veteran/me/health-record?limit=1000", {
      ...reader.headers,
      "accept-encoding": "gzip",
      "x-forwarded-for": "203.0.113.6"
    })
    for (let wait = 0; wait < 120; wait += 12) {
      const socket = await open(service, read, wait % 24 === 0 ? read : "")
      await new Promise((done) => setTimeout(done, wait))
      socket.resetAndDestroy()
    }
    await until("nothing is held", async () => await heldBytes(service) === 0)
    assert.strictEqual((await ask("GET", record, veteran)).status, 200)
  })
})
