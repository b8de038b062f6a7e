import { assert, describe, test } from "vitest"
import { openApp, openService } from "../../support/App.ts"
import { call, randomAddress } from "../../support/Client.ts"
import { openOpenIdProvider } from "../../support/OpenIdProvider.ts"
import { exchange, openPortal, portal, registerWithGoogle, signInAt, startUrl, toldTo } from "./GoogleSignIns.ts"

const google = await openOpenIdProvider()

const { database, service } = await openApp(google.environment)

const withoutGoogle = await openService(database)

const callbackUrl = `${service.url}/api/provider/google/callback`

const tally = (all: ReadonlyArray<string | number>) => {
  const counts: Record<string, number> = {}
  for (const one of all) counts[one] = (counts[one] ?? 0) + 1
  return counts
}

describe("From one address", () => {
  test.each([
    ["start", "go to Google", () => startUrl(service, { challenge: "c".repeat(43) }), "at Google"],
    ["callback", "come back", () => callbackUrl, "google_sign_in_over"]
  ])("the route %s lets 30 browsers in 15 minutes %s, and the others learn when to try again", async (
    _,
    __,
    url,
    otherwise
  ) => {
    const address = randomAddress()
    const arrivals = await Promise.all(Array.from({ length: 40 }, () => openPortal(address).browser.ask(url())))
    assert.deepStrictEqual(tally(arrivals.map(({ status }) => status)), { 303: 40 })
    const told = arrivals.map(({ headers }) => new URL(headers.get("location")!)).map((to) =>
      to.origin === portal ? toldTo(to) : { google_error: "at Google" }
    )
    assert.deepStrictEqual(tally(told.map(({ google_error: error }) => error!)), { [otherwise]: 30, rate_limited: 10 })
    for (const { google_error: error, retry_after: wait } of told) {
      if (error === "rate_limited") assert.match(wait!, /^[1-9]\d{0,2}$/)
    }
    assert.strictEqual((await openPortal().browser.ask(url())).status, 303)
  })

  test("30 exchanges in 15 minutes are answered, even if every code is wrong", async () => {
    const headers = { "x-forwarded-for": randomAddress() }
    const page = openPortal()
    const answers = await Promise.all(Array.from({ length: 40 }, () => exchange(service, "unknown", page, headers)))
    assert.deepStrictEqual(tally(answers.map(({ status }) => status)), { 401: 30, 429: 10 })
  })
})

describe("Without a configuration of Google", () => {
  test("the routes of Google do not exist for any request", async () => {
    const requests: ReadonlyArray<readonly [method: string, path: string, body?: unknown]> = [
      ["GET", "/start"],
      ["GET", `/start?challenge=${"c".repeat(43)}`],
      ["GET", "/callback?code=x&state=y"],
      ["GET", "/callback?state=x&state=y"],
      ["POST", "/exchange", { code: "x", verifier: "y" }],
      ["POST", "/exchange", {}],
      ["POST", "/exchange", "{"],
      ["POST", "/exchange?x=y", {}]
    ]
    for (const [method, path, body] of requests) {
      const answer = await call(withoutGoogle, method, `/api/provider/google${path}`, { body })
      assert.deepStrictEqual([answer.status, answer.json.error], [404, "not_found"], path)
      assert.isFalse(answer.headers.has("set-cookie"))
    }
  })
})

describe("The portal's cookie", () => {
  test("is set after a sign-in with Google, as after a password login, and resumes the session", async () => {
    const { id, subject } = await registerWithGoogle(service, google)
    const page = openPortal()
    const { google_code: code } = await signInAt(service, page, subject)
    const answer = await exchange(service, code, page, { origin: portal })
    const [cookie] = answer.headers.getSetCookie()
    assert.match(
      cookie!,
      /^__Host-vrss-provider=[\w.-]+; Max-Age=43(1\d\d|200); Path=\/; HttpOnly; Secure; SameSite=Strict$/
    )
    assert.strictEqual(answer.headers.get("access-control-allow-origin"), portal)
    assert.strictEqual(answer.headers.get("access-control-allow-credentials"), "true")
    const resumed = await call(service, "POST", "/api/provider/session/resume", {
      headers: { origin: portal, cookie: cookie!.split(";")[0]! }
    })
    assert.deepStrictEqual([resumed.status, resumed.json.provider.id], [200, id])
  })

  test("is not set for a page of another origin, or if the exchange of the code fails", async () => {
    const { subject } = await registerWithGoogle(service, google)
    for (const [headers, status] of [[{ origin: "https://evil.example" }, 200], [{}, 200]] as const) {
      const page = openPortal()
      const { google_code: code } = await signInAt(service, page, subject)
      const answer = await exchange(service, code, page, headers)
      assert.strictEqual(answer.status, status)
      assert.isFalse(answer.headers.has("set-cookie"))
    }
    const failed = await exchange(service, "unknown", openPortal(), { origin: portal })
    assert.strictEqual(failed.status, 401)
    assert.isFalse(failed.headers.has("set-cookie"))
  })
})
