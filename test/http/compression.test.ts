import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http"
import { gunzipSync, zstdDecompressSync } from "node:zlib"
import { assert, describe, test } from "vitest"
import { openApp } from "../support/App.ts"
import {
  asAdmin,
  call,
  giveGrant,
  portalOrigin,
  providerPassword,
  signInAtPortal,
  signInProvider,
  signInVeteran,
  withExchangeSecret
} from "../support/Client.ts"
import { head, heldBytes, open } from "../support/Sockets.ts"
import { resource, sync, syncBody, syncPath } from "../support/Sync.ts"
import { until } from "../support/Until.ts"
import { mailsOf } from "./link/Links.ts"
import { sign } from "./release/Releases.ts"

const { service } = await openApp()

interface Asked {
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Asks as the bytes go over the wire: `fetch` would open what is compressed. */
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

const provider = await signInProvider(service)

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

describe("An answer over 4 kB", () => {
  test.each<[accepted: string | undefined, coding: string | undefined]>([
    [undefined, undefined],
    ["", undefined],
    ["zstd", "zstd"],
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["gzip, deflate, br, zstd", "zstd"],
    ["gzip;q=1.0, zstd;q=1.0", "zstd"],
    ["gzip;q=1, zstd;q=0.9", "gzip"],
    ["gzip;q=0.001", "gzip"],
    ["zstd;q=0", undefined],
    ["zstd;q=0, gzip", "gzip"],
    ["gzip;q=0, zstd;q=0", undefined],
    ["*", "zstd"],
    ["zstd;q=0, *", "gzip"],
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
  ])("to who accepts %s is coded %s", async (accepted, coding) => {
    const plain = await ask("GET", record, veteran)
    assert.strictEqual(plain.headers["content-encoding"], undefined)
    assert.isAbove(plain.bytes.length, 20_000)
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
    // What only the compression would tell is not told: neither a wrong length, nor that none is needed.
    const length = coding === undefined ? `${plain.bytes.length}` : undefined
    assert.strictEqual(described.headers["content-length"], length)
    assert.strictEqual(described.headers["transfer-encoding"], undefined)
  })

  test("is compressed on every kind of route with one", async () => {
    for (let count = 0; count < 12; count++) await write(`${count} ${"Slept well, walked for an hour. ".repeat(12)}`)
    for (let count = 0; count < 10; count++) {
      const { id } = await giveGrant(service, veteran, await signInProvider(service))
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
    assert.strictEqual(Object.keys(JSON.parse(opened(synced).toString())).length > 0, true)
  })

  test("is coded though what a client accepts fill the largest header, and keeps nobody waiting", async () => {
    for (
      const accepted of [`${"x,".repeat(4000)}gzip`, `gzip;${"q=1;".repeat(2000)}`, `${"*;q=0,".repeat(1300)}gzip`]
    ) {
      const answer = await ask("GET", record, { headers: { ...veteran.headers, "accept-encoding": accepted } })
      assert.strictEqual(answer.headers["content-encoding"], "gzip")
    }
  })
})

describe("A resource that is stored compressed", () => {
  const study = (index: number) =>
    resource("ImagingStudy", `i${index}`).replace("}", `,"description":"${`${index} CT of the chest. `.repeat(900)}"}`)

  const findings = Array.from({ length: 100 }, (_, index) => resource("Observation", `o${index}`))

  const own = async () => {
    const reader = await signInVeteran(service)
    await sync(service, reader, { ImagingStudy: "complete", Observation: "complete" }, {
      ImagingStudy: Array.from({ length: 12 }, (_, index) => study(index)),
      Observation: findings
    })
    await giveGrant(service, reader, provider)
    return [
      ["/api/veteran/me/health-record?limit=1000", reader.headers],
      [`/api/provider/patients/${reader.id}/record`, provider.headers]
    ] as const
  }

  test("is passed on as it is to who takes zstd, and every reader has the same text", async () => {
    for (const [path, headers] of await own()) {
      const plain = await ask("GET", path, { headers })
      assert.strictEqual(plain.headers["content-encoding"], undefined)
      assert.include(plain.bytes.toString(), study(7))
      const coded = { ...headers, "accept-encoding": "gzip;q=0.5, zstd" }
      const answer = await ask("GET", path, { headers: coded })
      assert.deepStrictEqual(
        [answer.status, answer.headers["content-encoding"], answer.headers["content-length"], answer.headers["vary"]],
        [200, "zstd", `${answer.bytes.length}`, "Accept-Encoding, Origin"]
      )
      assert.isBelow(answer.bytes.length, plain.bytes.length / 20)
      assert.isTrue(opened(answer).equals(plain.bytes))
      // One frame for each study, one between each two, and those about them.
      const frames = answer.bytes.toString("latin1").split("\x28\xb5\x2f\xfd").length - 1
      assert.isAtLeast(frames, 2 * 12)
      assert.strictEqual(await (await fetch(service.url + path, { headers: coded })).text(), plain.bytes.toString())
      const zstd = spawnSync("zstd", ["-dc"], { input: answer.bytes, maxBuffer: 2 ** 26 })
      if (zstd.error === undefined) assert.isTrue(zstd.stdout.equals(plain.bytes))
      const gzip = await ask("GET", path, { headers: { ...headers, "accept-encoding": "gzip, zstd;q=0.9" } })
      assert.strictEqual(gzip.headers["content-encoding"], "gzip")
      assert.isTrue(opened(gzip).equals(plain.bytes))
      const described = await ask("HEAD", path, { headers: coded })
      assert.deepStrictEqual(
        [described.headers["content-encoding"], described.headers["content-length"], described.bytes.length],
        ["zstd", undefined, 0]
      )
    }
  })

  test("says that who takes no zstd gets it otherwise, however short it has become", async () => {
    const [[, headers]] = await own()
    const path = "/api/veteran/me/health-record?resourceType=ImagingStudy&limit=1"
    const answer = await ask("GET", path, { headers: { ...headers, "accept-encoding": "zstd" } })
    assert.isBelow(answer.bytes.length, 4096)
    assert.isAbove(opened(answer).length, 4096)
    assert.deepStrictEqual([answer.headers["content-encoding"], answer.headers["vary"]], ["zstd",
      "Accept-Encoding, Origin"])
  })
})

describe("What is not compressed", () => {
  test("are answers up to 4 kB", async () => {
    const short = await write("Slept well. ".repeat(300), { "accept-encoding": both })
    assert.isAbove(short.bytes.length, 3600)
    assert.isAtMost(short.bytes.length, 4096)
    assert.strictEqual(short.headers["content-encoding"], undefined)
    assert.strictEqual(short.headers["content-length"], `${short.bytes.length}`)
    for (const path of ["/health", "/nothing", "/api/veteran/me", "/api/veteran/me/consent-grants?x=y"]) {
      const answer = await ask("GET", path, { headers: { ...veteran.headers, "accept-encoding": both } })
      assert.strictEqual(answer.headers["content-encoding"], undefined, path)
    }
  })

  test("are files, compressed already or not", async () => {
    const form = new FormData()
    form.set("file", new File(["Dear colleague. ".repeat(1000)], "letter.txt"))
    const uploaded = await fetch(`${service.url}/api/veteran/me/documents`, { method: "POST", ...veteran, body: form })
    const letter = await uploaded.json() as { id: string }
    const release = (await sign(service, veteran)).json.document
    for (
      const [path, type] of [
        [`${letter.id}/content`, "text/plain; charset=utf-8"],
        [`${release.id}/content`, "application/pdf"],
        [`${release.id}/record`, "application/fhir+json"]
      ] as const
    ) {
      const headers = { ...veteran.headers, "accept-encoding": both }
      const answer = await ask("GET", `/api/veteran/me/documents/${path}`, { headers })
      assert.deepStrictEqual([answer.status, answer.headers["content-type"]], [200, type])
      assert.isAbove(answer.bytes.length, 4096)
      assert.strictEqual(answer.headers["content-encoding"], undefined)
      assert.strictEqual(answer.headers["content-length"], `${answer.bytes.length}`)
    }
  })

  test("is what holds a token, a code or a link, however long", async () => {
    const coded = { "accept-encoding": both }
    const release = (await sign(service, veteran)).json.document
    const json = (value: unknown) => JSON.stringify(value)
    const made = await ask("POST", "/api/veteran/me/secure-links", {
      headers: { ...veteran.headers, ...coded },
      body: json({ documentId: release.id, recipientName: "Jane Gray", recipientEmail: "jane@clinic.example" })
    })
    assert.strictEqual(made.status, 201)
    assert.isAbove(made.bytes.length, 8192)
    const token = JSON.parse(made.bytes.toString()).url.split("#")[1]
    const challenge = await ask("POST", "/api/secure-links/otp", { headers: coded, body: json({ token }) })
    const [mail] = (await mailsOf(service)).slice(-1)
    const code = /^Your code is (\d{4} \d{4})$/m.exec(mail!.text)![1]
    const { challengeId } = JSON.parse(challenge.bytes.toString())
    const portal = await signInAtPortal(service, provider.email)
    const answers = [
      made,
      await ask("POST", "/api/secure-links/open", { headers: coded, body: json({ token }) }),
      challenge,
      await ask("POST", "/api/secure-links/otp/verify", { headers: coded, body: json({ token, challengeId, code }) }),
      await ask("POST", "/api/provider/login", {
        headers: { ...coded, origin: portalOrigin },
        body: json({ email: provider.email, password: providerPassword })
      }),
      await ask("POST", "/api/provider/session/refresh", { headers: { ...coded, ...portal.headers } }),
      await ask("POST", "/api/provider/session/resume", { headers: { ...coded, ...portal.resume } }),
      await ask("POST", "/api/auth/veteran/session", {
        headers: { ...coded, ...withExchangeSecret },
        body: json({ vaPatientId: veteran.vaPatientId })
      })
    ]
    for (const answer of answers) {
      assert.isBelow(answer.status, 300)
      assert.strictEqual(answer.headers["content-encoding"], undefined)
      assert.strictEqual(answer.headers["vary"], "Origin")
    }
  })
})

/** Names of members whose values open something. */
const secrets = ["accessToken", "token", "viewSession", "url", "qrSvg", "password", "secret", "cookie"]

test("No route whose answers are compressed answers a secret, as the contract names its members", async () => {
  const { json: { components, paths } } = await call(service, "GET", "/api/openapi.json")
  const membersOf = (schema: any, seen = new Set<string>()): ReadonlyArray<string> => {
    if (typeof schema !== "object" || schema === null) return []
    const name = schema.$ref?.split("/").at(-1)
    if (name !== undefined) return seen.has(name) ? [] : membersOf(components.schemas[name], seen.add(name))
    return [
      ...Object.keys(schema.properties ?? {}),
      ...Object.values(schema).flatMap((inner) => membersOf(inner, seen))
    ]
  }
  const answering: Array<string> = []
  for (const [path, methods] of Object.entries<any>(paths)) {
    for (const [method, { responses }] of Object.entries<any>(methods)) {
      const good = Object.entries(responses).filter(([status]) => status.startsWith("2"))
      const members = good.flatMap(([, response]) => membersOf(response))
      if (members.some((member) => secrets.includes(member))) answering.push(`${method} ${path}`)
    }
  }
  // Each of them is asked above, or is compressed by no annotation: none is a GET.
  assert.deepStrictEqual(answering.sort(), [
    "post /api/auth/veteran/session",
    "post /api/provider/google/exchange",
    "post /api/provider/login",
    "post /api/provider/session/refresh",
    "post /api/provider/session/resume",
    "post /api/secure-links/otp/verify",
    "post /api/veteran/{veteranId}/secure-links"
  ])
})

describe("Large pages", () => {
  const page = async () => {
    const reader = await signInVeteran(service)
    const text = "Persistent cough, worse at night. ".repeat(40)
    const resources = Array.from(
      { length: 2600 },
      (_, index) => resource("Observation", `o${index}`).replace("}", `,"note":[{"text":"${index} ${text}"}]}`)
    )
    await sync(service, reader, { Observation: "complete" }, { Observation: resources })
    return reader
  }

  test("come whole and small to many at once, hold no memory afterwards, and are counted", async () => {
    const reader = await page()
    const path = "/api/veteran/me/health-record?limit=1000"
    const plain = await ask("GET", path, reader)
    const headers = { ...reader.headers, "accept-encoding": both }
    const answers = await Promise.all(Array.from({ length: 24 }, () => ask("GET", path, { headers })))
    for (const answer of answers) {
      if (answer.status === 503) continue
      assert.isTrue(opened(answer).equals(plain.bytes))
    }
    assert.isAbove(answers.filter(({ headers }) => headers["content-encoding"] === "zstd").length, 0)
    await until("nothing is held", async () => await heldBytes(service) === 0)
    const { text } = await call(service, "GET", "/api/admin/metrics", { headers: asAdmin })
    assert.isAbove(Number(/^http_answers_compressed_total\{coding="zstd"\} (\d+)/m.exec(text)![1]), 0)
  })

  test("leave nothing held when their client hangs up, whenever that is", async () => {
    const reader = await page()
    const read = head("GET /api/veteran/me/health-record?limit=1000", {
      ...reader.headers,
      "accept-encoding": "gzip",
      "x-forwarded-for": "203.0.113.6"
    })
    for (let wait = 0; wait < 120; wait += 6) {
      const socket = await open(service, read, wait % 4 === 0 ? read : "")
      await new Promise((done) => setTimeout(done, wait))
      socket.resetAndDestroy()
    }
    await until("nothing is held", async () => await heldBytes(service) === 0)
    assert.strictEqual((await ask("GET", record, veteran)).status, 200)
  })
})
