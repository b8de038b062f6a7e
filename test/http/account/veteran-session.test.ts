import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { openApp, openService } from "../../support/App.ts"
import { asAdmin, bearer, call, signInVeteran, told, withExchangeSecret } from "../../support/Client.ts"
import { decodePart } from "../../support/Jwt.ts"
import { exchangeSecret } from "../../support/Service.ts"

const path = "/api/auth/veteran/session"

const { database, service } = await openApp()

const register = async () => {
  const vaPatientId = `icn-${randomUUID()}`
  const body = { vaPatientId, callSign: "Eagle", email: "eagle@example.org" }
  const registered = await call(service, "POST", "/api/admin/veterans", { headers: asAdmin, body })
  return { id: registered.json.id as string, vaPatientId }
}

describe("POST /api/auth/veteran/session", () => {
  test("answers 200 with the veteran's id and a token that is valid for 15 minutes", async () => {
    const { id, vaPatientId } = await register()
    const answer = await call(service, "POST", path, { headers: withExchangeSecret, body: { vaPatientId } })
    assert.strictEqual(answer.status, 200)
    const { accessToken, ...rest } = answer.json
    assert.deepStrictEqual(rest, { tokenType: "Bearer", expiresIn: 900, veteran: { id, callSign: "Eagle" } })
    assert.strictEqual(answer.headers.get("cache-control"), "no-store")
    const me = await call(service, "GET", "/api/veteran/me", { headers: bearer(accessToken) })
    assert.strictEqual(me.status, 200)
  })

  test("issues a JWT with exactly the header and claims of the contract", async () => {
    const { id, vaPatientId } = await register()
    const exchanged = async () =>
      (await call(service, "POST", path, { headers: withExchangeSecret, body: { vaPatientId } })).json.accessToken
    const token = await exchanged()
    assert.deepStrictEqual(decodePart(token, 0), { alg: "HS256", typ: "vrss-veteran+jwt" })
    const { exp, iat, jti, ...claims } = decodePart(token, 1)
    assert.deepStrictEqual(claims, { iss: "veteran-records-sharing", aud: "vrss:veteran", sub: id })
    assert.strictEqual(exp, iat + 900)
    assert.isBelow(Math.abs(iat - Date.now() / 1000), 120)
    assert.match(jti, /^[0-9a-f-]{36}$/)
    assert.notStrictEqual(decodePart(await exchanged(), 1).jti, jti)
  })

  test.each([
    ["missing", undefined],
    ["empty", ""],
    ["wrong", "wrong"],
    ["cut", exchangeSecret.slice(0, -1)],
    ["longer", `${exchangeSecret}x`],
    ["in another letter case", exchangeSecret.toUpperCase()]
  ])("answers 401 before it looks at the body if the secret is %s", async (_, secret) => {
    const { vaPatientId } = await register()
    const headers = secret === undefined ? {} : { "x-veteran-session-exchange": secret }
    const bodies = [{ vaPatientId }, "{", "", { vaPatientId: 1 }, `"${"x".repeat(5000)}"`, { vaPatientId: "nobody" }]
    for (const body of bodies) {
      const answer = await call(service, "POST", path, { headers, body })
      assert.strictEqual(answer.status, 401)
      const { requestId, ...rest } = answer.json
      assert.strictEqual(requestId, answer.headers.get("x-request-id"))
      assert.deepStrictEqual(rest, {
        error: "invalid_exchange_secret",
        message: "The header 'x-veteran-session-exchange' is missing or wrong."
      })
    }
  })

  test("answers 404 for a veteran who is not registered", async () => {
    const { vaPatientId } = await register()
    for (const unknown of ["nobody", vaPatientId.toUpperCase(), `${vaPatientId} `, "%", "' or 1=1 --"]) {
      const answer = await call(service, "POST", path, { headers: withExchangeSecret, body: { vaPatientId: unknown } })
      assert.deepStrictEqual([answer.status, answer.json.error], [404, "veteran_not_found"])
    }
  })

  test.each([{ vaPatientId: 1 }, { vaPatientId: "" }, { vaPatientId: "x".repeat(129) }, {
    vaPatientId: "x",
    role: "a"
  }])(
    "answers 400 for the body %j",
    async (body) => {
      const answer = await call(service, "POST", path, { headers: withExchangeSecret, body })
      assert.deepStrictEqual(told(answer), [400, "invalid_request"])
    }
  )

  // The settings read an empty secret as a missing one.
  test("answers 503 when the secret is configured as an empty text", async () => {
    const other = await openService(database, { VETERAN_SESSION_EXCHANGE_SECRET: "" })
    for (const headers of [withExchangeSecret, {}, { "x-veteran-session-exchange": "" }]) {
      const answer = await call(other, "POST", path, { headers: { ...headers }, body: { vaPatientId: "x" } })
      assert.deepStrictEqual(told(answer), [503, "session_exchange_not_configured"])
    }
    assert.strictEqual((await call(other, "GET", "/api/ready")).status, 200)
  })
})

describe("A veteran's token", () => {
  const me = (headers: Record<string, string>) => call(service, "GET", "/api/veteran/me", { headers })

  test("alone identifies the veteran, even if legacy headers name somebody else", async () => {
    const [veteran, other] = [await signInVeteran(service), await register()]
    const legacy = { "x-user-id": other.id, "x-user-type": "veteran", "x-veteran-id": other.id }
    const answer = await me({ ...veteran.headers, ...legacy })
    assert.deepStrictEqual([answer.status, answer.json.id], [200, veteran.id])
    assert.deepStrictEqual(told(await me(legacy)), [401, "unauthenticated"])
  })

  // Changed tokens are tested in test/services/account/session/AccessTokens.test.ts.
  test("is refused when its signature is changed, or when it is sent under another scheme", async () => {
    const { token } = await signInVeteran(service)
    const changed = token.replace(/[^.]*$/, "A".repeat(43))
    for (const authorization of [`Bearer ${changed}`, "Bearer", `Basic ${token}`, token, `Bearer ${token} ${token}`]) {
      assert.deepStrictEqual(told(await me({ authorization })), [401, "unauthenticated"], authorization)
    }
  })
})
