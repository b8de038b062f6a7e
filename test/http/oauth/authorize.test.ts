import { randomBytes } from "node:crypto"
import { assert, describe, test } from "vitest"
import { call, setCookieOf } from "../../support/Client.ts"
import { openJudgedApp } from "../../support/Prism.ts"
import { ask, begin, form, parametersOf, registerApp, toldTo } from "./Asking.ts"

const { database, service } = await openJudgedApp()
const owner = await database.connect("owner")
const app = await registerApp(owner)
const iss = `${service.url}/api/oauth`
const state = "a state, with & marks"
const fhirBase = `${service.url}/api/fhir/R4`

const sent = (changes: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.entries({ ...parametersOf(app), ...changes }).filter(([, value]) => value !== undefined)
  ) as Record<string, string>

const post = (body: string | Uint8Array, headers = {}) =>
  call(service, "POST", "/api/oauth/authorize", { headers: { "content-type": form, ...headers }, body })

describe("The page that asks for the e-mail", () => {
  test("is served by GET and by POST, with a cookie for this browser and protective headers", async () => {
    const got = await ask(service, sent({}))
    const posted = await post(`${new URLSearchParams(sent({}))}`)
    assert.strictEqual(posted.status, 303)
    const page = posted.headers.get("location")!
    assert.match(page, /^\/api\/oauth\/authorize\/page\?step=email&request=[\w-]+$/)
    for (const { headers } of [got, posted]) {
      assert.match(
        headers.get("set-cookie")!,
        /^vrss-authorize=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/
      )
    }
    const shown = await call(service, "GET", page, { headers: { cookie: setCookieOf(posted) } })
    for (const { headers, status, text } of [got, shown]) {
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
      assert.strictEqual(headers.get("cache-control"), "no-store")
      assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
      assert.match(
        headers.get("content-security-policy")!,
        /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; form-action 'self' https:\/\/heart\.example; base-uri 'none'; frame-ancestors 'none'$/
      )
      assert.include(text, "Heart Diary asks to read your records")
      assert.notInclude(text, "<script")
    }
  })

  test("is served also with unknown parameters, and with the FHIR base as audience", async () => {
    const targets = { aud: fhirBase, resource: fhirBase, prompt: "consent", nonce: "n" }
    assert.strictEqual((await ask(service, sent(targets))).status, 200)
  })

  test("keeps the browser's cookie, so that two tabs both work", async () => {
    const { cookie } = await begin(service, app)
    const again = await ask(service, sent({}), cookie)
    assert.include(again.headers.get("set-cookie"), cookie)
  })

  test("shows the app's name as text, even if the name contains HTML", async () => {
    const hostile = await registerApp(owner, {
      name: "<script>alert(1)</script>\"'&",
      redirectUri: "com.heart.diary:/cb",
      privacyUrl: "https://heart.example/\"><b>"
    })
    const { headers, text } = await ask(service, parametersOf(hostile))
    assert.include(headers.get("content-security-policy"), "form-action 'self' com.heart.diary:;")
    assert.include(text, "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;")
    assert.notInclude(text, "<script")
    assert.notInclude(text, "<b>")
  })
})

describe("A request without a known app or redirect URI shows an error page, with no redirect or echoed input:", () => {
  const nobody = "00000000-0000-7000-8000-000000000000"
  test.each([
    ["no client", { client_id: undefined }],
    ["an unknown client", { client_id: nobody }],
    ["a client_id that is not a UUID", { client_id: "x'or 1=1" }],
    ["no redirect URI", { redirect_uri: undefined }],
    ["another redirect URI", { redirect_uri: "https://evil.example/cb" }],
    ["a redirect URI with a slash added", { redirect_uri: `${app.redirectUri}/` }],
    ["a redirect URI with a query added", { redirect_uri: `${app.redirectUri}?x` }],
    ["a redirect URI with its scheme in upper case", { redirect_uri: "HTTPS://heart.example/cb" }]
  ])("%s", async (_, changes) => {
    const { headers, status, text } = await ask(service, sent({ ...changes, state: "echo-me" }))
    assert.deepStrictEqual([status, headers.get("location"), headers.get("set-cookie")], [400, null, null])
    assert.include(text, "<h1>We do not know this app</h1>")
    for (const value of ["echo-me", "evil.example", nobody, "1=1"]) assert.notInclude(text, value)
  })

  test("a disabled client, a repeated client_id and a repeated redirect_uri", async () => {
    const disabled = await registerApp(owner)
    await owner.query("update oauth_clients set disabled_at = now() where id = $1", [disabled.id])
    const all = `${new URLSearchParams(sent({}))}`
    for (
      const query of [
        `${new URLSearchParams(parametersOf(disabled))}`,
        `${all}&client_id=${app.id}`,
        `${all}&redirect_uri=${encodeURIComponent(app.redirectUri)}`
      ]
    ) {
      const { headers, status } = await ask(service, query)
      assert.deepStrictEqual([status, headers.get("location")], [400, null])
    }
  })

  test("a body or query that cannot be parsed, is too large or has the wrong media type", async () => {
    const all = `${new URLSearchParams(sent({}))}`
    const answers = [
      await call(service, "GET", `/api/oauth/authorize?${all}&x=%ff`),
      await call(service, "GET", `/api/oauth/authorize?${all}&x=%2`),
      await post(Buffer.from([...Buffer.from(`${all}&x=`), 0xff])),
      await post(`${all}&x=${"y".repeat(8192)}`),
      await post(JSON.stringify(sent({})), { "content-type": "application/json" })
    ]
    assert.deepStrictEqual(answers.map(({ status }) => status), [400, 400, 400, 413, 415])
    for (const { headers, text } of answers) {
      assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
      assert.include(text, "<h1>This request cannot be read</h1>")
    }
  })
})

describe("A known app receives", () => {
  test.each<[string, string, Record<string, string | undefined>]>([
    ["invalid_request", "no response_type", { response_type: undefined }],
    ["invalid_request", "no code_challenge", { code_challenge: undefined }],
    ["invalid_request", "a short code_challenge", { code_challenge: "x".repeat(42) }],
    ["invalid_request", "a code_challenge in base64", { code_challenge: "+".repeat(43) }],
    ["invalid_request", "no code_challenge_method", { code_challenge_method: undefined }],
    ["invalid_request", "the plain method", { code_challenge_method: "plain" }],
    ["unsupported_response_type", "the response_type token", { response_type: "token" }],
    ["unsupported_response_type", "two response types", { response_type: "code id_token" }],
    ["invalid_scope", "no scope", { scope: undefined }],
    ["invalid_scope", "a scope outside the grammar", { scope: "patient/*.rs everything" }],
    ["invalid_scope", "an unknown type", { scope: "patient/Zebra.rs" }],
    ["invalid_scope", "a scope that reads nothing", { scope: "openid fhirUser launch/patient offline_access" }],
    ["invalid_target", "another server", { aud: "https://elsewhere.example/R4" }],
    ["invalid_target", "another resource", { aud: fhirBase, resource: `${fhirBase}/Patient` }]
  ])("%s for %s", async (error, _, changes) => {
    assert.deepStrictEqual(toldTo(app, await ask(service, sent(changes))), { error, state, iss })
  })

  test.each([undefined, "", "x".repeat(1001), "line\nbreak", "\u00e9"])(
    "invalid_request for the state %j, which is not sent back",
    async (state) => {
      assert.deepStrictEqual(toldTo(app, await ask(service, sent({ state }))), { error: "invalid_request", iss })
    }
  )

  test("invalid_request for any repeated parameter", async () => {
    for (const name of ["response_type", "scope", "code_challenge", "code_challenge_method"]) {
      const query = `${new URLSearchParams(sent({}))}&${name}=${encodeURIComponent(sent({})[name]!)}`
      assert.deepStrictEqual(toldTo(app, await ask(service, query)), { error: "invalid_request", state, iss }, name)
    }
    for (const name of ["aud", "resource"]) {
      const query = `${new URLSearchParams(sent({ [name]: fhirBase }))}&${name}=${encodeURIComponent(fhirBase)}`
      assert.deepStrictEqual(toldTo(app, await ask(service, query)), { error: "invalid_request", state, iss }, name)
    }
  })

  test("an error with its state of 1,000 characters unchanged, also at a redirect URI with a query", async () => {
    const withQuery = await registerApp(owner, { redirectUri: "https://heart.example/cb?tenant=a%20b" })
    const long = randomBytes(500).toString("hex")
    const { headers } = await ask(service, { ...parametersOf(withQuery), state: long, scope: "x" })
    assert.strictEqual(
      headers.get("location"),
      `https://heart.example/cb?tenant=a%20b&error=invalid_scope&state=${long}&iss=${encodeURIComponent(iss)}`
    )
  })
})

test("A requested scope is narrowed to what the service offers and the app registered, and keeps its spelling", async () => {
  const narrow = await registerApp(owner, { scopes: ["patient/Observation.rs", "patient/Goal.r"] })
  const { cookie } = await begin(service, narrow, {
    scope: "openid patient/Goal.r offline_access patient/Observation.read patient/*.rs patient/Observation.cruds"
  })
  assert.isNotEmpty(cookie)
  const { rows } = await owner.query("select scope from oauth_requests where client_id = $1", [narrow.id])
  assert.deepStrictEqual(rows, [{ scope: "patient/Goal.r patient/Observation.read patient/Observation.rs" }])
})
