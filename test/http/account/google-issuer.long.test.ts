import { assert, describe, test } from "vitest"
import { openApp, openService } from "../../support/App.ts"
import { asAdmin, call } from "../../support/Client.ts"
import { type Hostility, openHostileIssuer, type Token } from "../../support/HostileIssuer.ts"
import type { Service } from "../../support/Service.ts"
import { logged, until } from "../../support/Until.ts"
import { comeBack, exchange, openPortal, type Portal, portal, startUrl } from "./GoogleSignIns.ts"

const issuer = await openHostileIssuer()

const { database, service } = await openApp(issuer.environment)

/** A process that has not yet requested anything from Google. */
const early = await openService(database, issuer.environment)

await call(service, "POST", "/api/admin/providers", {
  headers: asAdmin,
  body: { email: issuer.person.email, password: "a long password", displayName: "Ada", organization: "Clinic" }
})

const toIssuer = (page: Portal, at: Pick<Service, "url"> = service) =>
  page.browser.go(startUrl(at, page), { stopAt: [`${at.url}/api/provider/google/callback`, portal] })

/** Goes to the issuer, which lets everybody pass, and returns the parameters that the portal receives. */
const signIn = async (at: Pick<Service, "url"> = service) => {
  const page = openPortal()
  const back = await toIssuer(page, at)
  const told = back.url.href.startsWith(portal)
    ? Object.fromEntries(new URLSearchParams(back.url.hash.slice(1)))
    : await comeBack(page, back.url)
  return { page, told }
}

const withClaims = (claims: Record<string, unknown>): Hostility["idToken"] => (token, sign) =>
  sign({ ...token, claims: { ...token.claims, ...claims } })

const withHeader = (header: Token["header"]): Hostility["idToken"] => (token, sign) => sign({ ...token, header })

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

const seconds = (from: number) => Math.floor(Date.now() / 1000) + from

/** Each of these ID tokens names a known provider, but is not valid for this client and this sign-in. */
const forgeries: Record<string, NonNullable<Hostility["idToken"]>> = {
  "has the algorithm none": ({ claims }) => `${part({ alg: "none" })}.${part(claims)}.`,
  "has the algorithm none, and a signature": ({ claims }) => `${part({ alg: "none" })}.${part(claims)}.c2ln`,
  "is signed with the client's secret": withHeader({ alg: "HS256" })!,
  "is signed with another key": withHeader({ alg: "RS256", kid: "other" })!,
  "is signed with another key but names the right key": async (token, sign) => {
    const [, claims, signature] = (await sign({ ...token, header: { alg: "RS256", kid: "other" } })).split(".")
    return `${part({ alg: "RS256", kid: "own" })}.${claims}.${signature}`
  },
  "was changed after it was signed": async (token, sign) => {
    const [header, , signature] = (await sign(token)).split(".")
    return `${header}.${part({ ...token.claims, sub: "somebody" })}.${signature}`
  },
  "has no signature": async (token, sign) => (await sign(token)).replace(/[^.]*$/, ""),
  "has another issuer": withClaims({ iss: "https://accounts.evil.example" })!,
  "is for another client": withClaims({ aud: "other-client" })!,
  "is for several clients": withClaims({ aud: ["test-client", "other-client"] })!,
  "was asked for by another client": withClaims({ aud: ["test-client"], azp: "other-client" })!,
  "has expired": withClaims({ exp: seconds(-120) })!,
  "has no expiry": withClaims({ exp: undefined })!,
  "has no time of issue": withClaims({ iat: undefined })!,
  "is not valid yet": withClaims({ nbf: seconds(600) })!,
  "has the nonce of another sign-in": withClaims({ nonce: "n".repeat(43) })!,
  "has no nonce": withClaims({ nonce: undefined })!,
  "has no subject": withClaims({ sub: undefined })!,
  "has an empty subject": withClaims({ sub: "" })!,
  "has a subject with a NUL character": withClaims({ sub: "a\0b" })!,
  "has a subject longer than the standard allows": withClaims({ sub: "1".repeat(256) })!,
  "is no token": () => "garbage"
}

const stories: Record<string, Hostility> = {
  "Google refuses the client": { tokenError: "invalid_client" },
  "Google sends free text instead of an error code": { tokenError: "canary words of theirs" }
}

describe("The service refuses an answer of Google", () => {
  test("only if it is invalid: with valid answers, the same issuer signs a provider in", async () => {
    issuer.is({})
    const { page, told } = await signIn()
    assert.deepStrictEqual(Object.keys(told), ["google_code"])
    assert.strictEqual((await exchange(service, told["google_code"], page)).status, 200)
  })

  test.each(Object.entries(forgeries))("if the ID token %s", async (_, idToken) => {
    issuer.is({ idToken })
    assert.deepStrictEqual((await signIn()).told, { google_error: "google_answer_invalid" })
  })

  test.each(Object.entries(stories))("if %s", async (_, hostility) => {
    issuer.is(hostility)
    assert.deepStrictEqual((await signIn()).told, { google_error: "google_answer_invalid" })
  })

  test("if it has no ID token", async () => {
    issuer.is({
      answer: (path) =>
        path === "/token" ? { status: 200, body: `{"access_token":"x","token_type":"Bearer"}` } : undefined
    })
    assert.deepStrictEqual((await signIn()).told, { google_error: "google_answer_invalid" })
  })

  test("if it is not JSON", async () => {
    issuer.is({ answer: (path) => path === "/token" ? { status: 200, body: "<html>" } : undefined })
    assert.deepStrictEqual((await signIn()).told, { google_error: "google_answer_invalid" })
  })

  test("and logs its error code for the operator, but no free text or personal data from it", async () => {
    issuer.is({ tokenError: "invalid_client" })
    await signIn()
    await logged(service, "Google sign-in: Google's answer was refused (invalid_client)")
    assert.notInclude(service.output(), "canary")
    assert.notInclude(service.output(), issuer.person.email)
    assert.notInclude(service.output(), "hostile-1")
  })
})

/** An answer that never ends. */
const endless = async function*() {
  yield "{\"a\":\""
  for (;;) yield "x".repeat(65_536)
}

describe("A failing Google", () => {
  test.each([[503, "is out of order"], [429, "has too many requests"]])(
    "is reported as unavailable when it answers %d",
    async (status) => {
      issuer.is({ answer: (asked) => asked === "/token" ? { status, body: "{}" } : undefined })
      assert.deepStrictEqual((await signIn()).told, { google_error: "google_unavailable" })
      await logged(service, `Google sign-in: Google gave no answer (${status})`)
    }
  )

  test("makes a sign-in wait for a few seconds at most", async () => {
    issuer.is({ silent: "/token" })
    assert.deepStrictEqual((await signIn()).told, { google_error: "google_unavailable" })
    await logged(service, "Google sign-in: Google gave no answer (TimeoutError)")
  })

  test("is reported as unavailable when its answer never ends: the service stops reading", async () => {
    issuer.is({ answer: (path) => path === "/token" ? { status: 200, body: endless() } : undefined })
    assert.deepStrictEqual((await signIn()).told, { google_error: "google_unavailable" })
    await logged(service, "Google sign-in: Google gave no answer (too large)")
  })

  test("delays only a few sign-ins at a time: further ones are refused without a request to Google", async () => {
    issuer.is({ silent: "/token" })
    const pages = Array.from({ length: 60 }, () => openPortal())
    const backs = await Promise.all(pages.map(async (page) => (await toIssuer(page)).url))
    const told = await Promise.all(pages.map((page, index) => comeBack(page, backs[index]!)))
    assert.deepStrictEqual(new Set(told.map(({ google_error: error }) => error)), new Set(["google_unavailable"]))
    // The service sends twenty requests at a time. On a slow machine there may be a second round.
    assert.isAtMost(issuer.asked.filter((path) => path === "/token").length, 40)
    issuer.is({})
    assert.deepStrictEqual(Object.keys((await signIn()).told), ["google_code"])
  })

  test("cannot redirect the service: its redirects are not followed", async () => {
    const elsewhere = await openHostileIssuer()
    issuer.is({ redirect: { "/token": `${elsewhere.issuer}/token` } })
    assert.deepStrictEqual((await signIn()).told, { google_error: "google_answer_invalid" })
    assert.deepStrictEqual(elsewhere.asked, [])
  })

  test("does not prevent the start of the service, and waiting sign-ins share one request to Google", async () => {
    issuer.is({ answer: () => ({ status: 500, body: "{}" }) })
    const refusals = await Promise.all(Array.from({ length: 10 }, () => signIn(early)))
    assert.deepStrictEqual(
      refusals.map(({ told }) => told),
      refusals.map(() => ({ google_error: "google_unavailable" }))
    )
    assert.isAtMost(issuer.asked.length, 3)
  })

  test.each<[what: string, change: Record<string, unknown>, code: string]>([
    ["another issuer", { issuer: "http://127.0.0.1:1" }, "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED"],
    ["no address to sign in at", { authorization_endpoint: undefined }, "OAUTH_INVALID_SERVER_METADATA"]
  ])("is not trusted when its discovery document describes %s", async (_, change) => {
    issuer.is({ discovery: (document) => ({ ...document, ...change }) })
    // The service trusts the issuer's earlier document for three seconds.
    await until(
      "it is not believed",
      async () => (await signIn(early)).told["google_error"] === "google_answer_invalid"
    )
  })

  test("is reported as unavailable while it does not serve its keys, and asked again for later sign-ins", async () => {
    issuer.is({ answer: (asked) => asked === "/jwks" ? { status: 500, body: "{}" } : undefined })
    await until("the keys are missed", async () => (await signIn(early)).told["google_error"] === "google_unavailable")
    assert.include(issuer.asked, "/jwks")
    issuer.is({})
    await until("it signs in", async () => (await signIn(early)).told["google_code"])
  })

  // The last test: it closes the issuer.
  test("is reported as unavailable when nothing listens at its address", async () => {
    issuer.is({})
    const page = openPortal()
    const { url } = await toIssuer(page)
    await issuer.close()
    assert.strictEqual((await call(service, "GET", "/health")).status, 200)
    assert.deepStrictEqual(await comeBack(page, url), { google_error: "google_unavailable" })
    await logged(service, "Google sign-in: Google gave no answer (ECONNREFUSED)")
  })
})
