import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { type Answer, asAdmin, call } from "../../support/Client.ts"

const { service } = await openApp()

const get = (path: string) => call(service, "GET", `/api/admin${path}`, { headers: asAdmin })

const post = (path: string, body?: unknown) =>
  call(service, "POST", `/api/admin${path}`, { headers: asAdmin, ...(body === undefined ? {} : { body }) })

const assertError = ({ json, status }: Answer, expected: readonly [number, string]) =>
  assert.deepStrictEqual([status, json.error], [...expected])

const newVeteran = () => ({ vaPatientId: `icn-${randomUUID()}`, callSign: "Eagle", email: "eagle@example.org" })

const newProvider = () => ({
  email: `Provider-${randomUUID()}@Clinic.example`,
  password: "correct horse battery staple",
  displayName: "Dr. Ada Gray",
  organization: "Gray Clinic"
})

/** Reads every item of a list in pages of `limit`. */
const pages = async (path: string, limit: number) => {
  const items: Array<any> = []
  for (let cursor: string | null = ""; cursor !== null;) {
    const { json } = await get(`${path}?limit=${limit}${cursor === "" ? "" : `&cursor=${cursor}`}`)
    assert.isAtMost(json.items.length, limit)
    items.push(...json.items)
    cursor = json.nextCursor
  }
  return items
}

describe("Veterans", () => {
  test("are registered, and the answer repeats what was sent", async () => {
    const veteran = newVeteran()
    const answer = await post("/veterans", veteran)
    assert.strictEqual(answer.status, 201)
    const { createdAt, id, ...rest } = answer.json
    assert.deepStrictEqual(rest, { ...veteran, fhirSyncManifest: {} })
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    assert.strictEqual(new Date(createdAt).toISOString(), createdAt)
  })

  test("are registered once for each vaPatientId, also in parallel, while an e-mail may be shared", async () => {
    const veteran = newVeteran()
    const answers = await Promise.all(Array.from({ length: 5 }, () => post("/veterans", veteran)))
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409])
    assertError(await post("/veterans", { ...veteran, callSign: "Hawk" }), [409, "conflict"])
    assert.strictEqual((await post("/veterans", newVeteran())).status, 201)
  })

  test.each([
    [{ vaPatientId: "" }, "vaPatientId"],
    [{ vaPatientId: "x".repeat(129) }, "vaPatientId"],
    [{ vaPatientId: "a\0" }, "vaPatientId"],
    [{ vaPatientId: undefined }, "vaPatientId"],
    [{ callSign: "  " }, "callSign"],
    [{ email: "nobody" }, "email"],
    [{ email: "a@b.example\r\nBcc: c@d.example" }, "email"],
    [{ id: randomUUID() }, "id"]
  ])("are not registered with %j", async (wrong, name) => {
    const answer = await post("/veterans", { ...newVeteran(), ...wrong })
    assertError(answer, [400, "invalid_request"])
    assert.deepStrictEqual(answer.json.issues.map(({ path }: any) => path), [[name]])
  })

  test("are listed in pages, each once", async () => {
    const registered = [await post("/veterans", newVeteran()), await post("/veterans", newVeteran())].map(({ json }) =>
      json
    )
    const listed = await pages("/veterans", 3)
    for (const veteran of registered) assert.deepStrictEqual(listed.filter(({ id }) => id === veteran.id), [veteran])
    assert.strictEqual(new Set(listed.map(({ id }) => id)).size, listed.length)
  })
})

describe("Providers", () => {
  test("are registered, and the answer contains nothing of the password", async () => {
    const { password, ...provider } = newProvider()
    const answer = await post("/providers", { password, ...provider, npi: "1234567893" })
    assert.strictEqual(answer.status, 201)
    const { createdAt, id, ...rest } = answer.json
    assert.deepStrictEqual(rest, { ...provider, npi: "1234567893", disabledAt: null })
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    assert.strictEqual(new Date(createdAt).toISOString(), createdAt)
    assert.strictEqual((await post("/providers", { ...newProvider(), npi: null })).json.npi, null)
  })

  test("are registered once for each e-mail in any letter case, even when they are disabled", async () => {
    const provider = newProvider()
    const { json } = await post("/providers", provider)
    for (const email of [provider.email, provider.email.toLowerCase(), provider.email.toUpperCase()]) {
      assertError(await post("/providers", { ...provider, email }), [409, "conflict"])
    }
    await post(`/providers/${json.id}/disable`)
    assertError(await post("/providers", provider), [409, "conflict"])
  })

  test.each([
    [{ npi: "1234567890" }, "npi"],
    [{ npi: "123456789" }, "npi"],
    [{ npi: "12345678933" }, "npi"],
    [{ npi: 1234567893 }, "npi"],
    [{ npi: "１２３４５６７８９３" }, "npi"],
    [{ password: "1234567" }, "password"],
    [{ password: "x".repeat(257) }, "password"],
    [{ password: "12345678\0" }, "password"],
    [{ email: "a b@clinic.example" }, "email"],
    [{ email: "İ@clinic.example" }, "email"],
    [{ displayName: "" }, "displayName"],
    [{ displayName: "x".repeat(201) }, "displayName"],
    [{ organization: undefined }, "organization"],
    [{ disabledAt: null }, "disabledAt"]
  ])("are not registered with %j", async (wrong, name) => {
    const answer = await post("/providers", { ...newProvider(), ...wrong })
    assertError(answer, [400, "invalid_request"])
    assert.deepStrictEqual(answer.json.issues.map(({ path }: any) => path), [[name]])
  })

  test("are listed in pages, each once, including disabled ones", async () => {
    const { json: kept } = await post("/providers", newProvider())
    const { json: disabled } = await post("/providers", newProvider())
    const { json: after } = await post(`/providers/${disabled.id}/disable`)
    const listed = await pages("/providers", 2)
    assert.deepStrictEqual(listed.filter(({ id }) => id === kept.id), [kept])
    assert.deepStrictEqual(listed.filter(({ id }) => id === disabled.id), [after])
    assert.strictEqual(new Set(listed.map(({ id }) => id)).size, listed.length)
    assert.notInclude(JSON.stringify(listed), "argon2")
  })

  test("are disabled once, and a second request gets the same answer", async () => {
    const { json } = await post("/providers", newProvider())
    const first = await post(`/providers/${json.id}/disable`)
    assert.strictEqual(first.status, 200)
    const { disabledAt, ...rest } = first.json
    assert.strictEqual(new Date(disabledAt).toISOString(), disabledAt)
    assert.deepStrictEqual({ ...rest, disabledAt: null }, json)
    const again = await post(`/providers/${json.id.toUpperCase()}/disable`)
    assert.deepStrictEqual([again.status, again.json], [200, first.json])
  })

  test("cannot be disabled if they are unknown", async () => {
    assertError(await post(`/providers/${randomUUID()}/disable`), [404, "not_found"])
    assertError(await post("/providers/1/disable"), [400, "invalid_request"])
  })
})
