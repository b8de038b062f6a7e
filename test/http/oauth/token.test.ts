import { assert, describe, test } from "vitest"
import { asAdmin, call, signInVeteran } from "../../support/Client.ts"
import { decodePart } from "../../support/Jwt.ts"
import { openJudgedApp } from "../../support/Prism.ts"
import {
  callback,
  codeForm,
  giveCode,
  isActive,
  noteMails,
  post,
  proofsOf,
  redeem,
  refresh,
  refused,
  registerClient
} from "./Grants.ts"

const { database, service } = await openJudgedApp()

const runtime = await database.connect("runtime")

const owner = await database.connect("owner")

const mailsAbout = await noteMails(owner)

const veteran = await signInVeteran(service)

const app = await registerClient(service)

const server = await registerClient(service, { confidential: true })

const token = "/api/oauth/token"

describe("An authorization code", () => {
  test("is exchanged for tokens, in an answer that no cache keeps and nothing compresses", async () => {
    const given = await giveCode(runtime, app, veteran)
    const { headers, json, status } = await post(service, token, codeForm(app, given), {
      "accept-encoding": "gzip, zstd"
    })
    assert.strictEqual(status, 200)
    const { access_token, refresh_token, ...rest } = json
    assert.deepStrictEqual(rest, {
      token_type: "Bearer",
      expires_in: 600,
      scope: "launch/patient patient/*.rs offline_access",
      patient: veteran.id
    })
    assert.match(refresh_token, /^[\w-]{88}$/)
    assert.strictEqual(headers.get("content-type"), "application/json")
    assert.strictEqual(headers.get("cache-control"), "no-store")
    assert.strictEqual(headers.get("pragma"), "no-cache")
    assert.strictEqual(headers.get("access-control-allow-origin"), "*")
    assert.isNull(headers.get("content-encoding"))
    assert.deepStrictEqual(decodePart(access_token, 0), { alg: "HS256", typ: "at+jwt" })
    const { exp, iat, jti, ...claims } = decodePart(access_token, 1)
    assert.strictEqual(exp, iat + 600)
    assert.isString(jti)
    assert.deepStrictEqual(claims, {
      iss: `${service.url}/api/oauth`,
      aud: `${service.url}/api/fhir/R4`,
      sub: veteran.id,
      client_id: app.clientId,
      gid: given.grantId,
      scope: "launch/patient patient/*.rs offline_access"
    })
  })

  test("gives no refresh token without offline_access, but still extends the grant to the time that the veteran chose", async () => {
    const given = await giveCode(runtime, app, veteran, { scope: "patient/Observation.rs" })
    const { json } = await redeem(service, app, given)
    assert.hasAllKeys(json, ["access_token", "token_type", "expires_in", "scope", "patient"])
    const { rows } = await owner.query(
      "select expires_at > now() + interval '89 days' as long from consent_grants where id = $1",
      [given.grantId]
    )
    assert.isTrue(rows[0].long)
  })

  test("used again ends the grant: its tokens stop working, and the veteran gets one mail", async () => {
    const given = await giveCode(runtime, server, veteran)
    const { json } = await redeem(service, server, given)
    assert.isTrue(await isActive(service, server, json.access_token))
    refused(await redeem(service, server, given), 400, "invalid_grant")
    assert.isFalse(await isActive(service, server, json.access_token))
    refused(await refresh(service, server, json.refresh_token), 400, "invalid_grant")
    refused(await redeem(service, server, given), 400, "invalid_grant")
    assert.deepStrictEqual(await mailsAbout(given.grantId), ["app_connected", "app_replayed"])
    assert.include(await proofsOf(owner, veteran.id), "oauth_code_replayed")
  })

  test("is valid for 60 seconds", async () => {
    const given = await giveCode(runtime, app, veteran)
    await owner.query("update oauth_codes set created_at = created_at - interval '61 seconds' where grant_id = $1", [
      given.grantId
    ])
    refused(await redeem(service, app, given), 400, "invalid_grant")
  })

  const spoilt: ReadonlyArray<
    readonly [what: string, status: number, error: string, change: Record<string, string | undefined>]
  > = [
    ["without a verifier", 400, "invalid_request", { code_verifier: undefined }],
    ["with an empty verifier", 400, "invalid_request", { code_verifier: "" }],
    ["with another verifier", 400, "invalid_grant", { code_verifier: "x".repeat(43) }],
    ["with a verifier that is too short", 400, "invalid_grant", { code_verifier: "wrong" }],
    ["with a verifier that is too long", 400, "invalid_grant", { code_verifier: "x".repeat(129) }],
    ["without a redirect URI", 400, "invalid_request", { redirect_uri: undefined }],
    ["with another redirect URI", 400, "invalid_grant", { redirect_uri: `${callback}/` }],
    ["without a client", 401, "invalid_client", { client_id: undefined }],
    ["with an unknown client", 401, "invalid_client", { client_id: "01a1fea0-0000-7000-8000-000000000000" }],
    ["with a client_id that is not a UUID", 401, "invalid_client", { client_id: "canary' or true" }],
    ["with a secret of a client that has none", 401, "invalid_client", { client_secret: "canary" }],
    ["without a grant_type", 400, "invalid_request", { grant_type: undefined }],
    ["with an unsupported grant_type", 400, "unsupported_grant_type", { grant_type: "client_credentials" }],
    ["with the grant_type of a refresh", 400, "invalid_request", { grant_type: "refresh_token" }]
  ]

  test.each(spoilt)("that is sent %s is spent, and no token is given", async (_what, status, error, change) => {
    const given = await giveCode(runtime, app, veteran)
    const form = Object.entries({ ...codeForm(app, given), ...change }).filter((pair) => pair[1] !== undefined)
    const answer = await post(service, token, form as Array<[string, string]>)
    refused(answer, status, error)
    assert.notInclude(answer.text, "canary")
    refused(await redeem(service, app, given), 400, "invalid_grant")
    const { rows } = await owner.query("select status, ended_by from consent_grants where id = $1", [given.grantId])
    assert.deepStrictEqual(rows, [{ status: "revoked", ended_by: "code_replay" }])
  })

  test("that another client presents is spent, and neither client gets a token", async () => {
    const given = await giveCode(runtime, app, veteran)
    refused(await redeem(service, server, given), 400, "invalid_grant")
    refused(await redeem(service, app, given), 400, "invalid_grant")
  })

  test("of a client that was disabled meanwhile gives no access", async () => {
    const gone = await registerClient(service)
    const given = await giveCode(runtime, gone, veteran)
    await call(service, "POST", `/api/admin/oauth-clients/${gone.clientId}/disable`, { headers: asAdmin })
    refused(await redeem(service, gone, given), 401, "invalid_client")
  })

  test("that was never issued is refused like any other invalid code", async () => {
    const given = { code: "unknown", verifier: "x".repeat(43), grantId: "" }
    const answer = await redeem(service, app, given)
    refused(answer, 400, "invalid_grant")
  })
})

describe("A refresh token", () => {
  const connect = async (client = app, scope?: string) => {
    const given = await giveCode(runtime, client, veteran, scope === undefined ? {} : { scope })
    return { ...given, ...(await redeem(service, client, given)).json }
  }

  test("is exchanged for another set of tokens", async () => {
    const { access_token, refresh_token } = await connect()
    const { headers, json, status } = await refresh(service, app, refresh_token)
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(
      [json.token_type, json.expires_in, json.scope, json.patient],
      ["Bearer", 600, "launch/patient patient/*.rs offline_access", veteran.id]
    )
    assert.notStrictEqual(json.access_token, access_token)
    assert.notStrictEqual(json.refresh_token, refresh_token)
    assert.strictEqual(headers.get("pragma"), "no-cache")
    assert.strictEqual((await refresh(service, app, json.refresh_token)).status, 200)
  })

  test("may be used for a smaller scope, which the answer states, and later for the whole granted scope", async () => {
    const { refresh_token } = await connect()
    const less = await refresh(service, app, refresh_token, { scope: "patient/Observation.rs" })
    assert.strictEqual(less.json.scope, "patient/Observation.rs")
    assert.strictEqual(decodePart(less.json.access_token, 1).scope, "patient/Observation.rs")
    const all = await refresh(service, app, less.json.refresh_token)
    assert.strictEqual(all.json.scope, "launch/patient patient/*.rs offline_access")
  })

  test.each(["patient/*.rs", "patient/Condition.rs", "patient/Observation.rs patient/Condition.r", "offline_access",
    "nonsense", "user/*.rs"])("is refused for more than was granted (%s), and stays valid", async (scope) => {
      const { refresh_token } = await connect(app, "patient/Observation.rs offline_access")
      refused(await refresh(service, app, refresh_token, { scope }), 400, "invalid_scope")
      assert.strictEqual((await refresh(service, app, refresh_token)).status, 200)
    })

  test("used again ends the grant", async () => {
    const { access_token, grantId, refresh_token } = await connect(server)
    const next = await refresh(service, server, refresh_token)
    assert.isTrue(await isActive(service, server, access_token))
    refused(await refresh(service, server, refresh_token, { scope: "patient/Observation.r" }), 400, "invalid_grant")
    assert.isFalse(await isActive(service, server, access_token))
    assert.isFalse(await isActive(service, server, next.json.access_token))
    refused(await refresh(service, server, next.json.refresh_token), 400, "invalid_grant")
    assert.deepStrictEqual(await mailsAbout(grantId), ["app_connected", "app_replayed"])
    assert.include(await proofsOf(owner, veteran.id), "oauth_refresh_replayed")
  })

  test("alone identifies a public client; a confidential client must also show its credentials", async () => {
    const alone = (refresh_token: string) =>
      post(service, "/api/oauth/token", { grant_type: "refresh_token", refresh_token })
    const first = await connect()
    const { json, status } = await alone(first.refresh_token)
    assert.deepStrictEqual([status, decodePart(json.access_token, 1).client_id], [200, app.clientId])
    refused(await alone(first.refresh_token), 400, "invalid_grant")
    refused(await refresh(service, app, json.refresh_token), 400, "invalid_grant")
    const second = await connect(server)
    refused(await alone(second.refresh_token), 401, "invalid_client")
    assert.strictEqual((await refresh(service, server, second.refresh_token)).status, 200)
  })

  test("does not work for another client", async () => {
    const { refresh_token } = await connect()
    refused(await refresh(service, server, refresh_token), 400, "invalid_grant")
    assert.strictEqual((await refresh(service, app, refresh_token)).status, 200)
  })

  test("ends when the veteran revokes the grant, or the grant expires", async () => {
    const first = await connect()
    const path = `/api/veteran/me/consent-grants/${first.grantId}/revoke`
    assert.strictEqual((await call(service, "POST", path, veteran)).status, 200)
    refused(await refresh(service, app, first.refresh_token), 400, "invalid_grant")
    const second = await connect()
    await owner.query("update consent_grants set expires_at = now() where id = $1", [second.grantId])
    refused(await refresh(service, app, second.refresh_token), 400, "invalid_grant")
  })

  test.each(["", "canary", "A".repeat(86), "A".repeat(85), `${"A".repeat(85)}B`])(
    "that was never issued is refused: %s",
    async (text) => {
      const answer = await refresh(service, app, text)
      refused(answer, 400, text === "" ? "invalid_request" : "invalid_grant")
      assert.notInclude(answer.text, "canary")
    }
  )
})
