import { readdirSync, readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { asAdmin, call, signInVeteran, withExchangeSecret } from "../../support/Client.ts"
import { newProvider } from "../../support/Providers.ts"

const { database, service } = await openApp()

const owner = await database.connect("owner")

const veteran = await signInVeteran(service)

const provider = await newProvider(owner)

const folder = new URL("../../fixtures/malformed-json/", import.meta.url)

const read = (name: string) => readFileSync(new URL(name, folder))

interface Sample {
  readonly name: string
  readonly rfc8259: "reject" | "accept" | "either"
  readonly bytes: Uint8Array<ArrayBuffer>
}

const samples: ReadonlyArray<Sample> = [
  ...JSON.parse(gunzipSync(read("jsontestsuite.json.gz")).toString()).map(({ base64, ...sample }: any) => ({
    ...sample,
    bytes: new Uint8Array(Buffer.from(base64, "base64"))
  })),
  ...readdirSync(folder).filter((name) => name.endsWith(".json.txt")).map((name) => ({
    name,
    rfc8259: "reject" as const,
    bytes: new Uint8Array(read(name))
  }))
]

const id = "01a1fea0-0000-7000-8000-000000000000"

const routes: ReadonlyArray<{
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly limit: number
  readonly bodiless?: boolean
  /** HL7 has unknown members ignored, so only what is missing is told. */
  readonly ignoring?: boolean
}> = [
  { method: "POST", path: "/api/auth/veteran/session", headers: withExchangeSecret, limit: 4096 },
  { method: "POST", path: "/api/provider/login", headers: {}, limit: 4096 },
  { method: "POST", path: "/api/waitlist", headers: {}, limit: 4096 },
  { method: "POST", path: "/api/shl/never-made", headers: {}, limit: 4096, ignoring: true },
  { method: "POST", path: "/api/admin/veterans", headers: asAdmin, limit: 65_536 },
  { method: "POST", path: "/api/veteran/me/consent-grants", headers: veteran.headers, limit: 65_536 },
  {
    method: "PATCH",
    path: `/api/veteran/me/self-reported-entries/${id}`,
    headers: veteran.headers,
    limit: 65_536
  },
  { method: "POST", path: `/api/provider/patients/${id}/notes`, headers: provider.headers, limit: 65_536 },
  {
    method: "POST",
    path: `/api/veteran/me/consent-grants/${id}/revoke`,
    headers: veteran.headers,
    limit: 65_536,
    bodiless: true
  },
  {
    method: "POST",
    path: "/api/veteran/me/health-record/sync",
    headers: veteran.headers,
    limit: 64 * 1024 * 1024
  }
]

describe.each(routes)("$method $path", ({ bodiless, headers, ignoring, limit, method, path }) => {
  const at = routes.findIndex((route) => route.path === path)

  let asked = 0

  const ask = async (body: Uint8Array | string) => {
    // The sync's limit of six a minute is not part of this test.
    if (path.endsWith("/sync") && asked++ % 6 === 0) await owner.query("delete from rate_limit_spendings")
    return call(service, method, path, { headers, body })
  }

  test("answers invalid_json to every body that is not JSON, and never to valid JSON", async () => {
    // A sync has its own parser and meets all samples. The other routes share one, and each meets a sixth of them.
    const met = samples.filter((_, index) => path.endsWith("/sync") || (index + at) % 6 === 0)
    for (const { bytes, name, rfc8259 } of met) {
      const answer = await ask(bytes)
      const { error } = answer.json
      if (bytes.length > limit) assert.strictEqual(error, "payload_too_large", name)
      else if (bytes.length === 0 && bodiless === true) assert.strictEqual(error, "not_found", name)
      else if (rfc8259 === "reject") assert.strictEqual(`${answer.status} ${error}`, "400 invalid_json", name)
      else if (rfc8259 === "accept") assert.notStrictEqual(error, "invalid_json", name)
      assert.isBelow(answer.status, 500, name)
    }
  })

  test("refuses as invalid_json a body that is not UTF-8 or begins with a byte order mark", async () => {
    const bodies = [
      Buffer.from("\ufeff{}"),
      Buffer.from("{}", "utf16le"),
      Buffer.from("{\"a\":\"\xff\"}", "latin1"),
      "\0",
      " "
    ]
    for (const body of bodies) {
      assert.strictEqual((await ask(new Uint8Array(Buffer.from(body)))).json.error, "invalid_json")
    }
  })

  test("refuses deep nesting with an ordinary error, without a crash", async () => {
    for (const depth of [65, 1900, 3000, 32_000, 100_000]) {
      for (const [open, close] of [["[", "]"], ["{\"a\":", "}"]] as const) {
        const body = `${open.repeat(depth)}${open === "[" ? "" : "1"}${close.repeat(depth)}`
        const answer = await ask(body)
        assert.strictEqual(
          answer.json.error,
          body.length > limit ? "payload_too_large" : "invalid_request",
          `${depth} ${open}`
        )
        const unclosed = await ask(body.slice(0, -1))
        assert.strictEqual(
          unclosed.json.error,
          body.length - 1 > limit ? "payload_too_large" : "invalid_json",
          `${depth} ${open}`
        )
      }
    }
  })

  test("refuses an unknown member, even one called __proto__", async () => {
    for (const member of ["unknown", "__proto__", "constructor", "toString"]) {
      const answer = await ask(`{"${member}":{"isAdmin":true}}`)
      assert.strictEqual(answer.status, 400)
      assert.strictEqual(answer.json.error, "invalid_request")
      if (bodiless !== true && ignoring !== true) {
        assert.deepInclude(answer.json.issues, { path: [member], message: "Expected no excess property" })
      }
    }
  })

  test("refuses valid JSON of another shape as invalid_request", async () => {
    for (const body of ["null", "1", "\"text\"", "[]", "true", "[{}]"]) {
      const answer = await ask(body)
      assert.strictEqual(`${answer.status} ${answer.json.error}`, "400 invalid_request", body)
    }
  })
})

describe("A body", () => {
  test("is required if the route takes one, and without it the answer is invalid_json", async () => {
    for (const { bodiless, headers, method, path } of routes) {
      const answer = await call(service, method, path, { headers })
      assert.strictEqual(answer.json.error, bodiless === true ? "not_found" : "invalid_json", path)
    }
  })

  test("is invalid_json if a sync has a syntax error right after a resource", async () => {
    const resource = JSON.stringify({ resourceType: "Condition", id: "a" })
    for (const slip of ["0", ".0", "e0", ".5", " 0", ":", ";", "]", "}", "\"", "{}", ",", ",,"]) {
      await owner.query("delete from rate_limit_spendings")
      const body =
        `{"fhirResourceFetchStatuses":{"Condition":"complete"},"resources":{"Condition":[${resource}${slip}]}}`
      const answer = await call(service, "POST", "/api/veteran/me/health-record/sync", {
        headers: veteran.headers,
        body
      })
      assert.strictEqual(`${answer.status} ${answer.json.error}`, "400 invalid_json", slip)
    }
  })

  test("may be nested 64 deep", async () => {
    const body = `{"vaPatientId":${"[".repeat(63)}${"]".repeat(63)}}`
    const answer = await call(service, "POST", "/api/auth/veteran/session", { headers: withExchangeSecret, body })
    assert.deepStrictEqual(answer.json.issues, [{ path: ["vaPatientId"], message: "Expected string" }])
  })

  test("may contain brackets in its strings, which do not count as nesting", async () => {
    const body = { category: "note", text: `${"[{".repeat(100)}\\"${"[".repeat(100)}` }
    const answer = await call(service, "POST", "/api/veteran/me/self-reported-entries", {
      headers: veteran.headers,
      body
    })
    assert.strictEqual(answer.status, 201)
    assert.strictEqual(answer.json.text, body.text)
  })

  test("keeps only the last of two members with the same name, as JSON.parse does", async () => {
    const body = `{"vaPatientId":"nobody","vaPatientId":"${veteran.vaPatientId}"}`
    const answer = await call(service, "POST", "/api/auth/veteran/session", { headers: withExchangeSecret, body })
    assert.strictEqual(answer.status, 200)
  })

  const entry = { category: "note", text: "x" }
  const registration = { vaPatientId: "x", callSign: "x", email: "x@example.org" }
  const provider = { email: "x@example.org", password: "long enough", displayName: "x", organization: "x" }
  test.each<[string, Record<string, unknown>, string]>([
    ["/api/auth/veteran/session", { vaPatientId: "x" }, "vaPatientId"],
    ["/api/admin/veterans", registration, "vaPatientId"],
    ["/api/admin/veterans", registration, "callSign"],
    ["/api/admin/veterans", registration, "email"],
    ["/api/admin/providers", provider, "displayName"],
    ["/api/admin/providers", provider, "organization"],
    ["/api/admin/providers", provider, "password"],
    ["/api/admin/providers", provider, "email"],
    ["/api/waitlist", { email: "x@example.org" }, "email"],
    ["/api/veteran/me/self-reported-entries", entry, "text"],
    ["/api/veteran/me/consent-grants", { providerId: id }, "purpose"]
  ])("is refused on %s (%j) with NUL or a lone surrogate in %s", async (path, fields, name) => {
    const headers = { ...asAdmin, ...withExchangeSecret, ...veteran.headers }
    for (const escaped of ["\\u0000", "\\ud800", "\\udc00", "\\ude00\\ud83d"]) {
      const body = JSON.stringify({ ...fields, [name]: "MARK" }).replace("MARK", `a${escaped}b`)
      const answer = await call(service, "POST", path, { headers, body })
      assert.strictEqual(`${answer.status} ${answer.json.error}`, "400 invalid_request", escaped)
      assert.include(answer.json.issues.map((issue: any) => issue.path[0]), name)
    }
  })

  test("keeps every character except NUL and lone surrogates unchanged", async () => {
    const text = "\u0001\t\n\r \u007f\u0085 \ufeff \u202e \uffff \u{10ffff} é é 🙂 ' \" \\ ; -- <b> ${x} %00"
    const answer = await call(service, "POST", "/api/veteran/me/self-reported-entries", {
      headers: veteran.headers,
      body: { ...entry, text }
    })
    assert.strictEqual(answer.json.text, text)
  })
})
