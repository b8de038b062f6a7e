import { assert, describe, test } from "vitest"
import { asAdmin, call, signInVeteran } from "../../support/Client.ts"
import { decodePart } from "../../support/Jwt.ts"
import { spendPermits } from "../../support/Permits.ts"
import { openJudgedApp } from "../../support/Prism.ts"
import { newProvider } from "../../support/Providers.ts"
import { basic, giveCode, isActive, post, proofsOf, redeem, refresh, refused, registerClient, shown } from "./Grants.ts"

const { database, service } = await openJudgedApp()

const runtime = await database.connect("runtime")

const owner = await database.connect("owner")

const veteran = await signInVeteran(service)

const provider = await newProvider(owner)

const server = await registerClient(service, { confidential: true })

const other = await registerClient(service, { confidential: true })

const app = await registerClient(service)

const connect = async (client = server) => {
  const given = await giveCode(runtime, client, veteran)
  return { ...given, ...(await redeem(service, client, given)).json }
}

const revoke = (client: typeof app, token: string, besides: Record<string, string> = {}) =>
  post(service, "/api/oauth/revoke", { token, ...shown(client), ...besides })

const introspect = (client: typeof app, token: string) =>
  post(service, "/api/oauth/introspect", { token, ...shown(client) })

const isGiven = async (grantId: string) => {
  const { rows } = await owner.query("select status, ended_by from consent_grants where id = $1", [grantId])
  return rows[0]
}

describe("An app that revokes its token", () => {
  test.each(["access_token", "refresh_token"])("ends the whole grant, by its %s", async (kind) => {
    const connected = await connect()
    const answer = await revoke(server, connected[kind], { token_type_hint: "canary" })
    assert.deepStrictEqual([answer.status, answer.text], [200, ""])
    assert.strictEqual(answer.headers.get("access-control-allow-origin"), "*")
    assert.isFalse(await isActive(service, server, connected.access_token))
    refused(await refresh(service, server, connected.refresh_token), 400, "invalid_grant")
    assert.deepStrictEqual(await isGiven(connected.grantId), { status: "revoked", ended_by: "app" })
    assert.strictEqual((await revoke(server, connected[kind])).status, 200)
    const kinds = await proofsOf(owner, veteran.id)
    assert.strictEqual(kinds.at(-1), "oauth_access_revoked")
  })

  test("cannot end another app's grant, and gets the same answer as for its own", async () => {
    const connected = await connect()
    for (const text of [connected.access_token, connected.refresh_token, "canary", "A".repeat(86), veteran.token]) {
      for (const client of [other, app]) {
        const answer = await revoke(client, text)
        assert.deepStrictEqual([answer.status, answer.text], [200, ""])
      }
    }
    assert.isTrue(await isActive(service, server, connected.access_token))
  })

  test("must authenticate itself and send a token, by POST", async () => {
    const connected = await connect()
    const path = "/api/oauth/revoke"
    const token = connected.access_token
    refused(await post(service, path, { token, client_id: server.clientId }), 401, "invalid_client")
    refused(await post(service, path, { token, ...shown(server), client_secret: "x" }), 401, "invalid_client")
    refused(await post(service, path, { token }), 401, "invalid_client")
    refused(await post(service, path, shown(server)), 400, "invalid_request")
    refused(
      await post(service, path, [["token", token], ["token", token], ...Object.entries(shown(server))]),
      400,
      "invalid_request"
    )
    refused(await call(service, "GET", path), 405, "invalid_request")
    assert.isTrue(await isActive(service, server, token))
  })
})

describe("A confidential client that introspects a token", () => {
  test("sees the claims of an access token that it holds", async () => {
    const { access_token } = await connect()
    const { exp, iat } = decodePart(access_token, 1)
    const { headers, json, status } = await post(
      service,
      "/api/oauth/introspect",
      { token: access_token, token_type_hint: "access_token" },
      basic(server.clientId, server.clientSecret!)
    )
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(json, {
      active: true,
      scope: "launch/patient patient/*.rs offline_access",
      client_id: server.clientId,
      exp,
      iat,
      iss: `${service.url}/api/oauth`,
      sub: veteran.id,
      aud: `${service.url}/api/fhir/R4`,
      token_type: "Bearer",
      patient: veteran.id
    })
    assert.strictEqual(headers.get("cache-control"), "no-store")
    assert.isNull(headers.get("access-control-allow-origin"))
  })

  test("gets only active: false for any text but its own valid access token", async () => {
    const own = await connect()
    const [head, claims, signature] = own.access_token.split(".")
    const changed = Buffer.from(JSON.stringify({ ...decodePart(own.access_token, 1), sub: provider.id })).toString(
      "base64url"
    )
    const ended = await connect()
    await owner.query("update consent_grants set expires_at = now() where id = $1", [ended.grantId])
    const others = await connect(other)
    const texts = [
      "canary",
      own.refresh_token,
      `${head}.${changed}.${signature}`,
      `${head}.${claims}.`,
      ended.access_token,
      others.access_token,
      veteran.token,
      provider.token
    ]
    for (const text of texts) {
      const { json, status } = await introspect(server, text)
      assert.deepStrictEqual([status, json], [200, { active: false }])
    }
    assert.isTrue(await isActive(service, server, own.access_token))
  })

  test("is refused once the operator has disabled it, and so is a refresh of its token", async () => {
    const gone = await registerClient(service, { confidential: true })
    const connected = await connect(gone)
    await call(service, "POST", `/api/admin/oauth-clients/${gone.clientId}/disable`, { headers: asAdmin })
    refused(await introspect(gone, connected.access_token), 401, "invalid_client")
    refused(await refresh(service, gone, connected.refresh_token), 401, "invalid_client")
  })

  test("must authenticate itself, and a public client is refused", async () => {
    const { access_token: token } = await connect(app)
    const path = "/api/oauth/introspect"
    refused(await introspect(app, token), 401, "invalid_client")
    refused(await post(service, path, { token }), 401, "invalid_client")
    refused(await post(service, path, { token, client_id: server.clientId, client_secret: "x" }), 401, "invalid_client")
    refused(await post(service, path, shown(server)), 400, "invalid_request")
    refused(await call(service, "GET", path), 405, "invalid_request")
  })

  test("may send 600 introspections a minute, from any address", async () => {
    const client = await registerClient(service, { confidential: true })
    assert.strictEqual((await introspect(client, "x")).status, 200)
    await spendPermits(owner, 594)
    const answers = await Promise.all(Array.from({ length: 10 }, () => introspect(client, "x")))
    assert.strictEqual(answers.filter(({ status }) => status === 200).length, 5)
    const answer = await introspect(client, "x")
    refused(answer, 429, "temporarily_unavailable")
    assert.match(answer.headers.get("retry-after")!, /^[1-9]\d?$/)
    assert.strictEqual((await introspect(other, "x")).status, 200)
  })
})
