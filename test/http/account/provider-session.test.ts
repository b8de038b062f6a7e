import { createHmac, randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { developmentSecret } from "../../../src/services/platform/VariableRules.ts"
import { openApp, openService } from "../../support/App.ts"
import { asAdmin, bearer, call, providerPassword, signInProvider } from "../../support/Client.ts"
import { forge } from "../../support/Forgeries.ts"
import { decodePart } from "../../support/Jwt.ts"

const secret = developmentSecret("PROVIDER_JWT_SECRET")

const { database, service } = await openApp()

const second = await openService(database)

const me = (token: string, from = service) => call(from, "GET", "/api/provider/me", { headers: bearer(token) })

const refresh = (token: string) => call(service, "POST", "/api/provider/session/refresh", { headers: bearer(token) })

const logout = (token: string) => call(service, "POST", "/api/provider/logout", { headers: bearer(token) })

const login = async (email: string) => {
  const { json } = await call(second, "POST", "/api/provider/login", { body: { email, password: providerPassword } })
  return json.accessToken as string
}

const assertEnded = async (token: string) => {
  for (const answer of [await me(token), await me(token, second), await refresh(token), await logout(token)]) {
    assert.deepStrictEqual([answer.status, answer.json.error], [401, "unauthenticated"])
  }
}

describe("A provider's session", () => {
  test("shows its provider in every process", async () => {
    const { email, id, token } = await signInProvider(service)
    for (const process of [service, second]) {
      const answer = await me(token, process)
      assert.strictEqual(answer.status, 200)
      const { createdAt: _, ...rest } = answer.json
      assert.deepStrictEqual(rest, { id, email, displayName: "Dr. Ada Gray", organization: "Gray Clinic", npi: null })
    }
  })

  test("is identified by a JWT, signed with PROVIDER_JWT_SECRET, that says nothing about the provider", async () => {
    const { id, token } = await signInProvider(service)
    const [header, claims, signature] = token.split(".")
    assert.strictEqual(createHmac("sha256", secret).update(`${header}.${claims}`).digest("base64url"), signature)
    assert.deepStrictEqual(decodePart(token, 0), { alg: "HS256", typ: "vrss-provider+jwt" })
    const { exp, iat, jti, sub, ...rest } = decodePart(token, 1)
    assert.deepStrictEqual(rest, { iss: "veteran-records-sharing", aud: "vrss:provider" })
    assert.strictEqual(exp, iat + 3600)
    assert.isString(jti)
    assert.notStrictEqual(sub, id)
  })

  test("is refreshed by a request without a body, which returns a new token for the same session", async () => {
    const { token } = await signInProvider(service)
    const refreshed = await refresh(token)
    assert.strictEqual(refreshed.status, 200)
    assert.deepStrictEqual([refreshed.json.tokenType, refreshed.json.expiresIn], ["Bearer", 3600])
    assert.notStrictEqual(refreshed.json.accessToken, token)
    assert.deepStrictEqual(refreshed.json.provider, (await me(token)).json)
    assert.strictEqual((await me(refreshed.json.accessToken)).status, 200)
    const withBody = { headers: bearer(token), body: { hours: 24 } }
    assert.strictEqual((await call(service, "POST", "/api/provider/session/refresh", withBody)).status, 400)
  })

  test("ends at logout for all its tokens, immediately in every process, while other sessions continue", async () => {
    const { email, token } = await signInProvider(service)
    const other = await login(email)
    const refreshed = (await refresh(token)).json.accessToken
    for (const known of [token, refreshed, other]) assert.strictEqual((await me(known, second)).status, 200)
    const answer = await logout(refreshed)
    assert.deepStrictEqual([answer.status, answer.text], [204, ""])
    await assertEnded(token)
    await assertEnded(refreshed)
    assert.strictEqual((await me(other, second)).status, 200)
  })

  test("ends 12 hours after the login, even if it is refreshed", async () => {
    const { email, token } = await signInProvider(service)
    const owner = await database.connect("owner")
    const session = decodePart(token, 1).sub
    const { rows: [row] } = await owner.query(
      "select extract(epoch from expires_at - created_at)::int as seconds from provider_sessions where id = $1",
      [session]
    )
    assert.strictEqual(row.seconds, 12 * 3600)
    const pass = (interval: string) =>
      owner.query("update provider_sessions set expires_at = expires_at - $2::interval where id = $1", [
        session,
        interval
      ])
    await pass("11 hours 50 minutes")
    const late = (await refresh(token)).json
    assert.isAtMost(late.expiresIn, 600)
    assert.isAbove(late.expiresIn, 500)
    assert.strictEqual(decodePart(late.accessToken, 1).exp - decodePart(late.accessToken, 1).iat, late.expiresIn)
    assert.isAtMost((await refresh(late.accessToken)).json.expiresIn, 600)
    await pass("10 minutes")
    await assertEnded(token)
    await assertEnded(late.accessToken)
    assert.strictEqual((await me(await login(email))).status, 200)
  })

  test("ends immediately in every process when its provider is disabled", async () => {
    const { email, id, token } = await signInProvider(service)
    const other = await login(email)
    assert.strictEqual((await me(token, second)).status, 200)
    await call(service, "POST", `/api/admin/providers/${id}/disable`, { headers: asAdmin })
    await assertEnded(token)
    await assertEnded(other)
  })

  test("cannot be forged: a correctly signed token is refused if it names no live session", async () => {
    const { token } = await signInProvider(service)
    assert.strictEqual((await me(await forge("provider", token, { claims: { jti: randomUUID() } }))).status, 200)
    await assertEnded(await forge("provider", token, { claims: { sub: randomUUID() } }))
  })
})
