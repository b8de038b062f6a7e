import { ConfigProvider, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { AccessTokens } from "../../../src/services/account/session/AccessTokens.ts"
import { Crypto } from "../../../src/services/platform/Crypto.ts"
import { Settings } from "../../../src/services/platform/Settings.ts"
import { openApp } from "../../support/App.ts"
import { asAdmin, bearer, call, signInVeteran, withExchangeSecret } from "../../support/Client.ts"
import { decodePart } from "../../support/Jwt.ts"
import { exchangeSecret, startService } from "../../support/Service.ts"

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

  test.each([
    ["{", "invalid_json"],
    ["", "invalid_json"],
    [new Uint8Array([0x22, 0xff, 0x22]), "invalid_json"],
    [{}, "invalid_request"],
    [[], "invalid_request"],
    [{ vaPatientId: 1 }, "invalid_request"],
    [{ vaPatientId: "" }, "invalid_request"],
    [{ vaPatientId: "a\0b" }, "invalid_request"],
    [`{"vaPatientId":"\\ud800"}`, "invalid_request"],
    [{ vaPatientId: "x".repeat(129) }, "invalid_request"],
    [{ vaPatientId: "x", role: "admin" }, "invalid_request"]
  ])("answers 400 for the body %j", async (body, error) => {
    const answer = await call(service, "POST", path, { headers: withExchangeSecret, body })
    assert.deepStrictEqual([answer.status, answer.json.error], [400, error])
  })

  test("answers 413 for a body of more than 4 KiB", async () => {
    const body = `{"vaPatientId":"x"}${" ".repeat(4096)}`
    const answer = await call(service, "POST", path, { headers: withExchangeSecret, body })
    assert.deepStrictEqual([answer.status, answer.json.error], [413, "payload_too_large"])
  })

  // The settings read an empty secret as a missing one.
  test("answers 503 when the secret is configured as an empty text", async () => {
    const other = await startService(database, { VETERAN_SESSION_EXCHANGE_SECRET: "" })
    try {
      for (const headers of [withExchangeSecret, {}, { "x-veteran-session-exchange": "" }]) {
        const answer = await call(other, "POST", path, { headers: { ...headers }, body: { vaPatientId: "x" } })
        assert.deepStrictEqual([answer.status, answer.json.error], [503, "session_exchange_not_configured"])
      }
      assert.strictEqual((await call(other, "GET", "/api/ready")).status, 200)
    } finally {
      await other.stop()
    }
  })
})

describe("A veteran's token", () => {
  const me = (headers: Record<string, string>) => call(service, "GET", "/api/veteran/me", { headers })
  const assertUnauthenticated = async (headers: Record<string, string>) => {
    const answer = await me(headers)
    assert.deepStrictEqual([answer.status, answer.json.error], [401, "unauthenticated"])
  }

  test("is required: the legacy headers alone give no access", async () => {
    const { id } = await register()
    await assertUnauthenticated({})
    await assertUnauthenticated({ "x-user-id": id, "x-user-type": "veteran", "x-veteran-id": id })
  })

  test("alone identifies the veteran, even if legacy headers name somebody else", async () => {
    const [veteran, other] = [await signInVeteran(service), await register()]
    const answer = await me({
      ...veteran.headers,
      "x-user-id": other.id,
      "x-user-type": "veteran",
      "x-veteran-id": other.id
    })
    assert.deepStrictEqual([answer.status, answer.json.id], [200, veteran.id])
  })

  test("is refused when any part of it is changed, or when it is sent under another scheme", async () => {
    const { token } = await signInVeteran(service)
    const [header, claims, signature] = token.split(".") as [string, string, string]
    const other = Buffer.from(JSON.stringify({ ...decodePart(token, 1), sub: randomUUID() })).toString("base64url")
    const none = Buffer.from(JSON.stringify({ alg: "none", typ: "vrss-veteran+jwt" })).toString("base64url")
    for (
      const changed of [
        `${header}.${other}.${signature}`,
        `${none}.${claims}.`,
        `${header}.${claims}.${"A".repeat(43)}`
      ]
    ) {
      await assertUnauthenticated(bearer(changed))
    }
    for (const authorization of ["Bearer", "Bearer ", `Basic ${token}`, token, `Bearer ${token} ${token}`]) {
      await assertUnauthenticated({ authorization })
    }
  })

  test("is refused once it has expired", async () => {
    const { id } = await signInVeteran(service)
    const issue = (lifetime: number) =>
      AccessTokens.use((tokens) => tokens.issue("veteran", id, lifetime)).pipe(
        Effect.provide(AccessTokens.layer.pipe(
          Layer.provide(Crypto.layer),
          Layer.provide(Settings.layer),
          Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ APP_ENV: "test" })))
        )),
        Effect.runPromise
      )
    assert.strictEqual((await me(bearer(await issue(60)))).status, 200)
    await assertUnauthenticated(bearer(await issue(0)))
    await assertUnauthenticated(bearer(await issue(-3600)))
  })
})
