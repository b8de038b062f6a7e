import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { developmentSecret } from "../../../src/services/platform/VariableRules.ts"
import { openApp, openService } from "../../support/App.ts"
import { assertion as sign } from "../../support/Assertions.ts"
import { call, signInVeteran, withExchangeSecret } from "../../support/Client.ts"

const { database, service } = await openApp()

const strict = await openService(database, { REQUIRE_IDENTITY_ASSERTION: "true" })

const assertion = (
  claims: Record<string, unknown>,
  options: { readonly header?: object; readonly key?: string } = {}
) => sign(claims, { key: developmentSecret("IDENTITY_ASSERTION_SECRET"), ...options })

const audience = `${service.url}/api/oauth`

const { vaPatientId } = await signInVeteran(service)

const exchange = async (identityAssertion: unknown, at = service, sent = vaPatientId) => {
  const { json, status } = await call(at, "POST", "/api/auth/veteran/session", {
    headers: withExchangeSecret,
    body: { vaPatientId: sent, ...(identityAssertion === undefined ? {} : { identityAssertion }) }
  })
  return [status, json.error]
}

const good = { sub: vaPatientId, aud: audience }

describe("The exchange that opens a veteran's session", () => {
  test("succeeds once with an identity assertion, even if eight requests send it at the same time", async () => {
    const token = await assertion(good)
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(token)))
    assert.deepStrictEqual(answers.filter(([status]) => status === 200).length, 1)
    assert.deepStrictEqual(
      answers.filter(([status]) => status !== 200),
      Array.from({ length: 7 }, () => [401, "invalid_identity_assertion"])
    )
  })

  const now = Math.floor(Date.now() / 1000)
  test.each([
    ["for another veteran", { sub: "icn-of-another" }],
    ["for another audience", { aud: "https://elsewhere.example/api/oauth" }],
    ["for a list of audiences", { aud: [audience] }],
    ["without an issuer", { iss: undefined }],
    ["without an id", { jti: undefined }],
    ["with an empty id", { jti: "" }],
    ["without an audience", { aud: undefined }],
    ["without a subject", { sub: undefined }],
    ["without a time of issue", { iat: undefined }],
    ["without an expiry", { exp: undefined }],
    ["that has expired", { iat: now - 301, exp: now - 1 }],
    ["that lives too long", { iat: now, exp: now + 301 }],
    ["that was issued in the future", { iat: now + 600, exp: now + 700 }]
  ])("fails for an assertion %s", async (_, claims) => {
    assert.deepStrictEqual(await exchange(await assertion({ ...good, ...claims })), [401, "invalid_identity_assertion"])
  })

  test("fails for an assertion of another type, key or algorithm, and for text that is not a JWT", async () => {
    const wrong = [
      await assertion(good, { header: { typ: "JWT" } }),
      await assertion(good, { header: { alg: "HS512" } }),
      await assertion(good, { key: "another secret of more than 32 bytes, long enough" }),
      (await assertion(good)).slice(0, -2),
      "x",
      ""
    ]
    for (const token of wrong) assert.deepStrictEqual(await exchange(token), [401, "invalid_identity_assertion"])
    assert.deepStrictEqual(await exchange(7), [400, "invalid_request"])
  })

  test("needs an assertion only if the service is configured to require one", async () => {
    assert.deepStrictEqual(await exchange(undefined), [200, undefined])
    assert.deepStrictEqual(await exchange(undefined, strict), [401, "identity_assertion_required"])
    const token = await assertion({ ...good, aud: `${strict.url}/api/oauth` })
    assert.deepStrictEqual(await exchange(token, strict), [200, undefined])
    assert.deepStrictEqual(await exchange(token, strict), [401, "invalid_identity_assertion"])
  })

  test("fails for a veteran who is not registered", async () => {
    const sub = `icn-${randomUUID()}`
    assert.deepStrictEqual(await exchange(await assertion({ ...good, sub }), service, sub), [404, "veteran_not_found"])
  })
})
