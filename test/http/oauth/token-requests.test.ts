import { assert, describe, test } from "vitest"
import { call, signInVeteran } from "../../support/Client.ts"
import { openJudgedApp } from "../../support/Prism.ts"
import { basic, codeForm, giveCode, post, refused, registerClient, shown } from "./Grants.ts"

const { database, service } = await openJudgedApp()

const runtime = await database.connect("runtime")

const veteran = await signInVeteran(service)

const app = await registerClient(service)

const server = await registerClient(service, { confidential: true })

const token = "/api/oauth/token"

describe("A client at the token endpoint", () => {
  const given = () => giveCode(runtime, server, veteran)

  const withoutSecret = async (besides: Record<string, string> = {}) => {
    const { client_id: _id, client_secret: _secret, ...form } = {
      ...codeForm(server, await given()),
      client_secret: ""
    }
    return { ...form, ...besides }
  }

  test("may authenticate by HTTP Basic", async () => {
    const headers = basic(server.clientId, server.clientSecret!)
    assert.strictEqual((await post(service, token, await withoutSecret(), headers)).status, 200)
    const form = await withoutSecret({ client_id: server.clientId })
    assert.strictEqual((await post(service, token, form, headers)).status, 200)
  })

  test("that is public may also send its client_id by HTTP Basic, with an empty password", async () => {
    const { client_id: _, ...form } = codeForm(app, await giveCode(runtime, app, veteran))
    assert.strictEqual((await post(service, token, form, basic(app.clientId, ""))).status, 200)
  })

  test("must not authenticate in two ways in one request", async () => {
    const headers = basic(server.clientId, server.clientSecret!)
    refused(await post(service, token, codeForm(server, await given()), headers), 400, "invalid_request")
    refused(
      await post(service, token, await withoutSecret({ client_id: app.clientId }), headers),
      400,
      "invalid_request"
    )
  })

  test.each([
    ["no secret", {}],
    ["a wrong secret", basic(server.clientId, "canary")],
    ["an empty secret", basic(server.clientId, "")],
    ["another client's id with the secret", basic(app.clientId, server.clientSecret!)],
    ["a bearer token", { authorization: `Bearer ${server.clientSecret}` }],
    ["malformed Basic credentials", { authorization: "Basic %%%" }],
    ["Basic without a colon", { authorization: `Basic ${Buffer.from("canary").toString("base64")}` }],
    ["Basic with a broken escape", { authorization: `Basic ${Buffer.from("canary:%").toString("base64")}` }]
  ])("that shows %s is refused", async (_what, headers) => {
    const form = await withoutSecret("authorization" in headers ? {} : { client_id: server.clientId })
    const answer = await post(service, token, form, headers as Record<string, string>)
    refused(answer, 401, "invalid_client")
    assert.notInclude(answer.text, "canary")
  })
})

describe("A token request", () => {
  const names = ["grant_type", "code", "redirect_uri", "code_verifier", "client_id", "refresh_token", "scope",
    "client_secret"]

  test.each(names)("whose %s appears twice is refused", async (name) => {
    const form: Array<[string, string]> = Object.entries(codeForm(app, await giveCode(runtime, app, veteran)))
    const value = form.find(([other]) => other === name)?.[1] ?? "x"
    refused(
      await post(service, token, [...form.filter(([other]) => other !== name), [name, value], [name, value]]),
      400,
      "invalid_request"
    )
    refused(
      await post(service, token, [...form.filter(([other]) => other !== name), [name, value], [name, ""]]),
      400,
      "invalid_request"
    )
  })

  test("may have unknown and empty parameters", async () => {
    const form = Object.entries(codeForm(app, await giveCode(runtime, app, veteran)))
    const more: Array<[string, string]> = [["resource", "a"], ["resource", "b"], ["__proto__", "x"], ["scope", ""], [
      "client_secret",
      ""
    ]]
    assert.strictEqual((await post(service, token, [...form, ...more])).status, 200)
  })

  test("must have all parameters in its body, which must be a UTF-8 form of at most 8 KiB", async () => {
    const form = new URLSearchParams(codeForm(app, await giveCode(runtime, app, veteran))).toString()
    refused(await post(service, `${token}?client_id=canary`, form), 400, "invalid_request")
    refused(await post(service, token, form, { "content-type": "application/json" }), 415, "invalid_request")
    refused(await post(service, token, form, { "content-type": "text/plain" }), 415, "invalid_request")
    refused(await post(service, token, form, { "content-encoding": "gzip" }), 415, "invalid_request")
    refused(await post(service, token, `${form}&state=${"x".repeat(8192)}`), 413, "invalid_request")
    refused(await post(service, token, `${form}&state=%ff`), 400, "invalid_request")
    refused(await post(service, token, `${form}&state=%`), 400, "invalid_request")
    refused(await post(service, token, ""), 400, "invalid_request")
    const charset = { "content-type": "Application/X-WWW-Form-Urlencoded; charset=UTF-8" }
    assert.strictEqual((await post(service, token, form, charset)).status, 200)
  })

  test("by a method other than POST is refused with 405", async () => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      const answer = await call(service, method, token)
      refused(answer, 405, "invalid_request")
      assert.strictEqual(answer.headers.get("allow"), "POST")
    }
  })

  test("is answered at most 60 times a minute for one IP address", async () => {
    const headers = { "x-forwarded-for": "192.0.2.77" }
    for (let tries = 0; tries < 60; tries++) {
      refused(await post(service, token, shown(app), headers), 400, "invalid_request")
    }
    const answer = await post(service, token, shown(app), headers)
    refused(answer, 429, "temporarily_unavailable")
    assert.match(answer.headers.get("retry-after")!, /^[1-9]\d?$/)
    refused(await post(service, token, shown(app)), 400, "invalid_request")
  })
})
