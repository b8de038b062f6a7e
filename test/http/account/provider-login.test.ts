import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { openApp } from "../../support/App.ts"
import { type Answer, asAdmin, call, ownHeaders, providerPassword, signInProvider, told } from "../../support/Client.ts"

const path = "/api/provider/login"

const { database, service } = await openApp()

const login = (body: unknown) => call(service, "POST", path, { body })

const unknownEmail = () => `${randomUUID()}@nowhere.example`

const withoutId = ({ headers, json, status }: Answer) => {
  const { requestId, ...body } = json
  return { status, body, requestIdBytes: requestId.length, headers: Object.fromEntries(ownHeaders({ headers })) }
}

describe("POST /api/provider/login", () => {
  test("answers 200 with the provider and a token that is valid for an hour", async () => {
    const { email, id } = await signInProvider(service)
    for (const spelling of [email, email.toUpperCase()]) {
      const answer = await login({ email: spelling, password: providerPassword })
      assert.strictEqual(answer.status, 200)
      const { accessToken, provider: { createdAt, ...provider }, ...rest } = answer.json
      assert.deepStrictEqual(rest, { tokenType: "Bearer", expiresIn: 3600 })
      assert.deepStrictEqual(provider, {
        id,
        email,
        displayName: "Dr. Ada Gray",
        organization: "Gray Clinic",
        npi: null
      })
      assert.strictEqual(new Date(createdAt).toISOString(), createdAt)
      assert.match(accessToken, /^[\w-]+\.[\w-]+\.[\w-]+$/)
      assert.strictEqual(answer.headers.get("cache-control"), "no-store")
      assert.notInclude(Buffer.from(accessToken.split(".")[1], "base64url").toString(), "clinic.example")
    }
  })

  test("gives byte-identical answers for an unknown e-mail, a wrong password and a disabled provider", async () => {
    const { email } = await signInProvider(service)
    const disabled = await signInProvider(service)
    await call(service, "POST", `/api/admin/providers/${disabled.id}/disable`, { headers: asAdmin })
    const wrong = await login({ email, password: "wrong" })
    assert.deepStrictEqual([wrong.status, wrong.json.error], [401, "invalid_credentials"])
    const others = [
      await login({ email: unknownEmail(), password: "wrong" }),
      await login({ email: unknownEmail(), password: providerPassword }),
      await login({ email: disabled.email, password: providerPassword }),
      await login({ email, password: "" }),
      await login({ email, password: `${providerPassword} ` }),
      await login({ email, password: providerPassword.toUpperCase() }),
      await login({ email: `${email} `, password: providerPassword }),
      await login({ email: "", password: "" }),
      await login({ email: "' or 1=1 --", password: "x" }),
      await login({ email: `${email}\0`, password: providerPassword }),
      await login(`{"email":"\\ud800","password":"\\udc00"}`)
    ]
    for (const other of others) {
      assert.deepStrictEqual(withoutId(other), withoutId(wrong))
      assert.strictEqual(other.text.replace(other.json.requestId, ""), wrong.text.replace(wrong.json.requestId, ""))
    }
  })

  test.each([
    { email: ["a@b.example"], password: "x" },
    { email: "a@b.example", password: 5 },
    { email: "a@b.example", password: "x", remember: true },
    { email: `${"a".repeat(311)}@b.example`, password: "x" },
    { email: "a@b.example", password: "x".repeat(1025) }
  ])("answers 400 for the body %j, and repeats nothing of it", async (body) => {
    const answer = await login(body)
    assert.deepStrictEqual(told(answer), [400, "invalid_request"])
    assert.notInclude(answer.text, "@b.example")
  })

  test("accepts the longest password that can be registered, in any characters", async () => {
    const email = unknownEmail()
    const password = "🐎".repeat(128)
    const body = { email, password, displayName: "Dr. Long", organization: "Gray Clinic" }
    assert.strictEqual((await call(service, "POST", "/api/admin/providers", { headers: asAdmin, body })).status, 201)
    assert.strictEqual((await login({ email, password })).status, 200)
    assert.strictEqual((await login({ email, password: `${password}x` })).status, 401)
    assert.strictEqual((await login({ email, password: password.slice(2) })).status, 401)
  })

  test("stores passwords as argon2id in PHC form, and nothing of them in clear", async () => {
    const { id } = await signInProvider(service)
    const owner = await database.connect("owner")
    const { rows: [row] } = await owner.query("select to_jsonb(p) as provider from providers p where id = $1", [id])
    assert.match(row.provider.password_hash, /^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/)
    assert.notInclude(JSON.stringify(row), providerPassword)
  })
})
