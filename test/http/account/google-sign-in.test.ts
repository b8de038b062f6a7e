import { randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { openApp, openService } from "../../support/App.ts"
import { asAdmin, bearer, call, randomAddress } from "../../support/Client.ts"
import { openOpenIdProvider } from "../../support/OpenIdProvider.ts"
import { tally } from "../../support/Tally.ts"
import { logged, until } from "../../support/Until.ts"
import {
  comeBack,
  cookieName,
  exchange,
  openPortal,
  portal,
  registerWithGoogle,
  signInAt,
  startUrl,
  toCallback,
  toldTo
} from "./GoogleSignIns.ts"

const google = await openOpenIdProvider()

const { database, service } = await openApp(google.environment)

const second = await openService(database, { ...google.environment, OAUTH_ISSUER: service.url })

const owner = await database.connect("owner")

const subjectOf = async (id: string) => {
  const { rows } = await owner.query("select google_subject from providers where id = $1", [id])
  return rows[0].google_subject as string | null
}

const assertOver = ({ json, status }: Awaited<ReturnType<typeof exchange>>) =>
  assert.deepStrictEqual([status, json.error], [401, "google_code_invalid"])

/** Signs in completely and returns the answer with the session. */
const signedIn = async (subject: string, headers: Record<string, string> = {}) => {
  const page = openPortal()
  const { google_code: code } = await signInAt(service, page, subject)
  return exchange(service, code, page, headers)
}

describe("A provider who signs in with Google", () => {
  test("goes to Google, comes back with a one-time code, and exchanges it for a session", async () => {
    const provider = await registerWithGoogle(service, google)
    const page = openPortal()
    const { google_code: code, ...rest } = await signInAt(service, page, provider.subject)
    assert.deepStrictEqual(rest, {})
    assert.match(code!, /^[\w-]{43}$/)
    const answer = await exchange(service, code, page)
    assert.strictEqual(answer.status, 200)
    const { accessToken, ...others } = answer.json
    const { createdAt, ...shown } = others.provider
    assert.strictEqual(new Date(createdAt).toISOString(), createdAt)
    assert.deepStrictEqual({ ...others, provider: shown }, {
      tokenType: "Bearer",
      expiresIn: 3600,
      provider: {
        id: provider.id,
        email: provider.email,
        displayName: "Dr. Ada Gray",
        organization: "Gray Clinic",
        npi: null
      }
    })
    assert.strictEqual(answer.headers.get("cache-control"), "no-store")
    const me = await call(service, "GET", "/api/provider/me", { headers: bearer(accessToken) })
    assert.deepStrictEqual([me.status, me.json.id], [200, provider.id])
    assert.strictEqual(await subjectOf(provider.id), provider.subject)
    // The session lasts as long as one of a password.
    const { rows } = await owner.query(
      "select extract(epoch from expires_at - created_at)::int as seconds from provider_sessions where provider_id = $1",
      [provider.id]
    )
    assert.deepStrictEqual(rows, [{ seconds: 43_200 }])
  })

  test("is sent to Google's account chooser with PKCE, state, nonce and only the scopes openid and email", async () => {
    const page = openPortal()
    const { headers, status } = await page.browser.ask(startUrl(service, page))
    assert.strictEqual(status, 303)
    const url = new URL(headers.get("location")!)
    const { code_challenge: challenge, nonce, state, ...others } = Object.fromEntries(url.searchParams)
    assert.strictEqual(`${url.origin}${url.pathname}`, `${google.issuer}/auth`)
    assert.deepStrictEqual(others, {
      client_id: "test-client",
      redirect_uri: `${service.url}/api/provider/google/callback`,
      response_type: "code",
      scope: "openid email",
      prompt: "select_account",
      code_challenge_method: "S256"
    })
    for (const text of [challenge, nonce, state]) assert.match(text!, /^[\w-]{43}$/)
    // The portal's own challenge is not sent to Google.
    assert.strictEqual(new Set([challenge, nonce, state, page.challenge]).size, 4)
    assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
    assert.strictEqual(headers.get("cache-control"), "no-store")
  })

  test("gets a __Host- cookie with SameSite=Lax for the sign-in, and the callback clears it", async () => {
    const provider = await registerWithGoogle(service, google)
    const page = openPortal()
    const { headers } = await page.browser.ask(startUrl(service, page))
    const [set] = headers.getSetCookie()
    assert.match(
      set!,
      /^__Host-vrss-google=[\w-]{43}\.[\w-]{43}\.\d{10}\.[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/
    )
    const state = new URL(headers.get("location")!).searchParams.get("state")!
    assert.notInclude(set!, state)
    const back = await page.browser.ask(await toCallback(service, page, provider.subject))
    assert.match(
      back.headers.getSetCookie()[0]!,
      /^__Host-vrss-google=; Max-Age=0; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/
    )
    assert.isFalse(page.browser.cookies(service.url).has(cookieName))
  })

  test("is found if Google gives the e-mail in upper case, also at the next sign-in and through another process", async () => {
    const provider = await registerWithGoogle(service, google)
    google.accounts.set(provider.subject, { subject: provider.subject, email: provider.email.toUpperCase() })
    const sessions = [await signedIn(provider.subject), await signedIn(provider.subject)]
    assert.deepStrictEqual(sessions.map(({ json }) => json.provider.id), [provider.id, provider.id])
    const page = openPortal()
    const { google_code: code } = await signInAt(service, page, provider.subject)
    assert.strictEqual((await exchange(second, code, page)).status, 200)
  })

  test("is never redirected to another site by a parameter of the URL", async () => {
    const page = openPortal()
    for (const extra of ["&redirect_uri=https://evil.example", "&portal=https://evil.example", "&challenge=x", ""]) {
      const url = `${service.url}/api/provider/google/callback?code=x&state=y&next=https://evil.example${extra}`
      assert.deepStrictEqual(await comeBack(page, url), { google_error: "google_sign_in_over" })
    }
    const start = `${startUrl(service, page)}&next=https://evil.example`
    assert.deepStrictEqual(await comeBack(page, start), { google_error: "google_sign_in_over" })
  })
})

describe("The portal receives a specific error code", () => {
  test("when the person cancels at Google", async () => {
    await registerWithGoogle(service, google)
    assert.deepStrictEqual(await signInAt(service, openPortal(), ""), { google_error: "google_cancelled" })
  })

  test("when the account does not belong to a provider", async () => {
    const others = [
      { subject: "stranger", email: "stranger@clinic.example" },
      // PostgreSQL's `lower` does not turn the Kelvin sign into a k, and `%` is not a wildcard here.
      { subject: "kelvin", email: "\u212Aelvin@clinic.example" },
      { subject: "wildcard", email: "%@clinic.example" },
      { subject: "empty", email: "" }
    ]
    await call(service, "POST", "/api/admin/providers", {
      headers: asAdmin,
      body: { email: "kelvin@clinic.example", password: "a long password", displayName: "K", organization: "K" }
    })
    for (const account of others) {
      google.accounts.set(account.subject, account)
      const told = await signInAt(service, openPortal(), account.subject)
      assert.deepStrictEqual(told, { google_error: "google_account_unknown" }, account.subject)
    }
  })

  test.each([false, undefined, null, "true", 1])(
    "when Google has not verified the e-mail (%s), for known and unknown e-mails alike, or sends none",
    async (verified) => {
      const unverified = { google_error: "google_email_unverified" }
      const { email, id, subject } = await registerWithGoogle(service, google)
      for (const address of [email, "stranger@clinic.example"]) {
        google.accounts.set(subject, { subject, email: address, verified: verified ?? null })
        assert.deepStrictEqual(await signInAt(service, openPortal(), subject), unverified)
      }
      google.accounts.set(subject, { subject })
      assert.deepStrictEqual(await signInAt(service, openPortal(), subject), unverified)
      assert.isNull(await subjectOf(id))
    }
  )

  test("when the provider is disabled", async () => {
    const { id, subject } = await registerWithGoogle(service, google)
    await call(service, "POST", `/api/admin/providers/${id}/disable`, { headers: asAdmin })
    assert.deepStrictEqual(await signInAt(service, openPortal(), subject), { google_error: "provider_disabled" })
    assert.isNull(await subjectOf(id))
  })

  test("when the provider's e-mail belongs to another Google account than at the first sign-in", async () => {
    const { email, id, subject } = await registerWithGoogle(service, google)
    assert.strictEqual((await signedIn(subject)).status, 200)
    google.accounts.set("successor", { subject: "successor", email })
    assert.deepStrictEqual(await signInAt(service, openPortal(), "successor"), {
      google_error: "google_account_changed"
    })
    assert.strictEqual(await subjectOf(id), subject)
    assert.strictEqual((await signedIn(subject)).status, 200)
  })

  test("when the e-mail of the Google account changes, to an unknown one or to another provider's", async () => {
    const first = await registerWithGoogle(service, google)
    const second = await registerWithGoogle(service, google)
    assert.strictEqual((await signedIn(first.subject)).status, 200)
    google.accounts.set(first.subject, { subject: first.subject, email: "moved@clinic.example" })
    assert.deepStrictEqual(await signInAt(service, openPortal(), first.subject), {
      google_error: "google_account_unknown"
    })
    google.accounts.set(first.subject, { subject: first.subject, email: second.email })
    assert.deepStrictEqual(await signInAt(service, openPortal(), first.subject), {
      google_error: "google_account_changed"
    })
    assert.isNull(await subjectOf(second.id))
    assert.strictEqual((await signedIn(second.subject)).status, 200)
  })

  test("when two Google accounts first sign in at the same time: only one becomes the provider's", async () => {
    const { email, id, subject } = await registerWithGoogle(service, google)
    google.accounts.set(`${subject}-2`, { subject: `${subject}-2`, email })
    const told = await Promise.all(
      [subject, `${subject}-2`].map((account) => signInAt(service, openPortal(), account))
    )
    assert.lengthOf(told.filter(({ google_code: code }) => code !== undefined), 1)
    assert.lengthOf(told.filter(({ google_error: error }) => error === "google_account_changed"), 1)
    const winner = told[0]!["google_code"] === undefined ? `${subject}-2` : subject
    assert.strictEqual(await subjectOf(id), winner)
  })

  test.each(["", "?challenge=", "?challenge=short", `?challenge=${"x".repeat(44)}`, "?challenge=x&challenge=y",
    "?x=y"])(
      "when the page sends no valid challenge (%s)",
      async (query) => {
        const told = await comeBack(openPortal(), `${service.url}/api/provider/google/start${query}`)
        assert.deepStrictEqual(told, { google_error: "google_sign_in_over" })
      }
    )
})

describe("The redirect back from Google", () => {
  const over = { google_error: "google_sign_in_over" }

  test("works once, and fails if it is repeated, with or without its cookie", async () => {
    const { subject } = await registerWithGoogle(service, google)
    const page = openPortal()
    const back = await toCallback(service, page, subject)
    const kept = page.browser.cookies(service.url).get(cookieName)!
    const told = await comeBack(page, back)
    assert.deepStrictEqual(Object.keys(told), ["google_code"])
    assert.deepStrictEqual(await comeBack(page, back), over)
    page.browser.cookies(service.url).set(cookieName, kept)
    // Google refuses a code that was used before.
    assert.deepStrictEqual(await comeBack(page, back), { google_error: "google_answer_invalid" })
    assert.strictEqual((await exchange(service, told["google_code"], page)).status, 200)
  })

  test("works once for a sign-in, even if two tabs return with different codes from Google", async () => {
    const { subject } = await registerWithGoogle(service, google)
    const page = openPortal()
    const { headers } = await page.browser.ask(startUrl(service, page))
    const kept = page.browser.cookies(service.url).get(cookieName)!
    const atGoogle = headers.get("location")!
    const told = await Promise.all([1, 2].map(async () => {
      const tab = openPortal()
      tab.browser.cookies(service.url).set(cookieName, kept)
      const { url } = await tab.browser.go(atGoogle, { stopAt: [portal] })
      const back = await tab.browser.go(url, { form: { account: subject }, stopAt: [`${service.url}/`] })
      return comeBack(tab, back.url)
    }))
    assert.sameDeepMembers(told.map((one) => one["google_error"] ?? "accepted"), ["accepted", "google_sign_in_over"])
  })

  test("does not work in another browser: an attacker's link signs nobody in as the attacker", async () => {
    const { subject } = await registerWithGoogle(service, google)
    const stranger = openPortal()
    const lure = await toCallback(service, stranger, subject)
    assert.deepStrictEqual(await comeBack(openPortal(), lure), over)
    // A victim who is already on the way to Google keeps their own sign-in.
    const victim = openPortal()
    const own = await toCallback(service, victim, subject)
    assert.deepStrictEqual(await comeBack(victim, lure), over)
    assert.deepStrictEqual(Object.keys(await comeBack(victim, own)), ["google_code"])
  })

  test("works only with its own state, cookie and code", async () => {
    const { subject } = await registerWithGoogle(service, google)
    const page = openPortal()
    const back = await toCallback(service, page, subject)
    const cookies = page.browser.cookies(service.url)
    const cookie = cookies.get(cookieName)!
    const changed = (name: string, value: string) => {
      const url = new URL(back)
      url.searchParams.set(name, value)
      return url
    }
    const withoutState = new URL(back)
    withoutState.searchParams.delete("state")
    const state = back.searchParams.get("state")!
    for (
      const url of [withoutState, changed("state", ""), changed("state", `${state}x`), changed("state", "x".repeat(43)),
        new URL(`${back}&state=${state}`), new URL(`${back}&code=other`)]
    ) {
      assert.deepStrictEqual(await comeBack(page, url), over, url.search)
    }
    const [seed, challenge, end, seal] = cookie.split(".")
    const attacker = openPortal()
    for (
      const forged of ["", "x", `${cookie}x`, [seed, attacker.challenge, end, seal].join("."),
        [seed, challenge, `${Number(end) + 1}`, seal].join("."), [seed, challenge, end, seed].join("."),
        [seed, challenge, end, ""].join("."), `${cookie}; ${cookieName}=${cookie}`.replace(seal!, "x".repeat(43))]
    ) {
      cookies.set(cookieName, forged)
      assert.deepStrictEqual(await comeBack(page, back), over, forged)
    }
    cookies.set(cookieName, cookie)
    assert.deepStrictEqual(Object.keys(await comeBack(page, back)), ["google_code"])
  })

  test("fails if it carries an error, no code, an unknown code or another issuer, and clears the cookie", async () => {
    const page = openPortal()
    const answers: ReadonlyArray<readonly [query: string, error: string]> = [
      ["error=access_denied", "google_cancelled"],
      ["error=temporarily_unavailable", "google_unavailable"],
      ["error=server_error", "google_unavailable"],
      ["error=invalid_scope&error_description=%3Cscript%3E", "google_answer_invalid"],
      ["error=%3Cscript%3E", "google_answer_invalid"],
      ["", "google_answer_invalid"],
      ["code=", "google_answer_invalid"],
      ["code=unknown", "google_answer_invalid"],
      ["response=a.b.c", "google_answer_invalid"],
      ["code=unknown&iss=https://accounts.evil.example", "google_answer_invalid"]
    ]
    for (const [query, error] of answers) {
      const { headers } = await page.browser.ask(startUrl(service, page))
      const state = new URL(headers.get("location")!).searchParams.get("state")!
      const iss = query.includes("iss=") ? "" : `&iss=${google.issuer}`
      const back = `${service.url}/api/provider/google/callback?${query}&state=${state}${iss}`
      assert.deepStrictEqual(await comeBack(page, back), { google_error: error }, query)
      assert.isFalse(page.browser.cookies(service.url).has(cookieName))
    }
  })
})

describe("POST /api/provider/google/exchange", () => {
  test("accepts a code only once, also when many requests arrive at the same time", async () => {
    const { subject } = await registerWithGoogle(service, google)
    const page = openPortal()
    const { google_code: code } = await signInAt(service, page, subject)
    const answers = await Promise.all(Array.from({ length: 12 }, () => exchange(service, code, page)))
    assert.lengthOf(answers.filter(({ status }) => status === 200), 1)
    answers.filter(({ status }) => status !== 200).forEach(assertOver)
    assertOver(await exchange(service, code, page))
  })

  test("accepts a code only with its page's verifier; attempts with another verifier do not use it up", async () => {
    const { subject } = await registerWithGoogle(service, google)
    const page = openPortal()
    const { google_code: code } = await signInAt(service, page, subject)
    for (const verifier of [openPortal().verifier, page.challenge, "x", `${page.verifier} `, page.verifier.slice(1)]) {
      assertOver(await exchange(service, code, { verifier }))
    }
    assertOver(await exchange(service, `${code}x`, page))
    assert.strictEqual((await exchange(service, code, page)).status, 200)
  })

  test("accepts a code for 60 seconds", async () => {
    const { id, subject } = await registerWithGoogle(service, google)
    for (const [age, status] of [[61, 401], [50, 200]] as const) {
      const page = openPortal()
      const { google_code: code } = await signInAt(service, page, subject)
      await owner.query(
        "update google_sign_ins set created_at = created_at - make_interval(secs => $2) where provider_id = $1 and used_at is null",
        [id, age]
      )
      assert.strictEqual((await exchange(service, code, page)).status, status)
    }
  })

  test("refuses a provider who was disabled after the code was issued", async () => {
    const { id, subject } = await registerWithGoogle(service, google)
    const page = openPortal()
    const { google_code: code } = await signInAt(service, page, subject)
    await call(service, "POST", `/api/admin/providers/${id}/disable`, { headers: asAdmin })
    const answer = await exchange(service, code, page)
    assert.deepStrictEqual([answer.status, answer.json.error], [403, "provider_disabled"])
    assertOver(await exchange(service, code, page))
  })

  test.each([{}, { code: "x" }, { verifier: "x" }, { code: "", verifier: "x" }, {
    code: "x".repeat(201),
    verifier: "x"
  }, {
    code: "x",
    verifier: "x",
    email: "a@b.example"
  }, { code: ["x"], verifier: "x" }])("refuses the malformed request %j", async (body) => {
    const answer = await call(service, "POST", "/api/provider/google/exchange", { body })
    assert.deepStrictEqual([answer.status, answer.json.error], [400, "invalid_request"])
  })
})

test("The portal's cookie is set for the portal's pages after a sign-in, and resumes the session", async () => {
  const { id, subject } = await registerWithGoogle(service, google)
  const answer = await signedIn(subject, { origin: portal })
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
  const others = [
    [await signedIn(subject, { origin: "https://evil.example" }), 200],
    [await signedIn(subject), 200],
    [await exchange(service, "unknown", openPortal(), { origin: portal }), 401]
  ] as const
  for (const [{ headers, status }, expected] of others) {
    assert.strictEqual(status, expected)
    assert.isFalse(headers.has("set-cookie"))
  }
})

describe("From one address", () => {
  test.each([
    ["start", "go to Google", () => startUrl(service, { challenge: "c".repeat(43) }), "at Google"],
    ["callback", "come back", () => `${service.url}/api/provider/google/callback`, "google_sign_in_over"]
  ])("the route %s lets 30 browsers in 15 minutes %s, and the others learn when to try again", async (
    _,
    __,
    url,
    otherwise
  ) => {
    const address = randomAddress()
    const arrivals = await Promise.all(Array.from({ length: 40 }, () => openPortal(address).browser.ask(url())))
    assert.deepStrictEqual(tally(arrivals), { 303: 40 })
    const told = arrivals.map(({ headers }) => new URL(headers.get("location")!)).map((to) =>
      to.origin === portal ? toldTo(to) : { google_error: "at Google" }
    )
    const limited = told.filter(({ google_error: error }) => error === "rate_limited")
    assert.lengthOf(limited, 10)
    assert.lengthOf(told.filter(({ google_error: error }) => error === otherwise), 30)
    for (const { retry_after: wait } of limited) assert.match(wait!, /^[1-9]\d{0,2}$/)
    assert.strictEqual((await openPortal().browser.ask(url())).status, 303)
  })

  test("30 exchanges in 15 minutes are answered, even if every code is wrong", async () => {
    const headers = { "x-forwarded-for": randomAddress() }
    const page = openPortal()
    const answers = await Promise.all(Array.from({ length: 40 }, () => exchange(service, "unknown", page, headers)))
    assert.deepStrictEqual(tally(answers), { 401: 30, 429: 10 })
  })
})

test("Without a configuration of Google, its routes do not exist for any request", async () => {
  const { service: without } = await openApp()
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
    const answer = await call(without, method, `/api/provider/google${path}`, { body })
    assert.deepStrictEqual([answer.status, answer.json.error], [404, "not_found"], path)
    assert.isFalse(answer.headers.has("set-cookie"))
  }
})

test("An internal error sends the browser back to the portal, and the log contains no personal data", async () => {
  const { email, subject } = await registerWithGoogle(service, google)
  const page = openPortal()
  const back = await toCallback(service, page, subject)
  await owner.query("alter table google_sign_ins rename to google_sign_ins_away")
  const answer = await page.browser.ask(back)
  const exchanged = await exchange(service, "x", page)
  await owner.query("alter table google_sign_ins_away rename to google_sign_ins")
  assert.strictEqual(answer.headers.get("location"), `${portal}/#google_error=internal_error`)
  assert.deepStrictEqual([exchanged.status, exchanged.json.error], [500, "internal_error"])
  const requestId = answer.headers.get("x-request-id")!
  const line = await until(
    "the failure is logged",
    async () =>
      service.output().split("\n").find((line) => line.includes("Google sign-in: failed") && line.includes(requestId))
  )
  assert.include(line, "42P01")
  for (const word of [email, subject, back.searchParams.get("code")!]) assert.notInclude(service.output(), word)
})

test("If two tabs in one browser begin a sign-in, only the later one can finish", async () => {
  const { subject } = await registerWithGoogle(service, google)
  const [first, second] = [openPortal(), openPortal()]
  const tabs = { ...second, browser: first.browser }
  const back = await toCallback(service, first, subject)
  const later = await toCallback(service, tabs, subject)
  assert.deepStrictEqual(await comeBack(first, back), { google_error: "google_sign_in_over" })
  const { google_code: code } = await comeBack(tabs, later)
  assert.strictEqual((await exchange(service, code, second)).status, 200)
})

test("Neither the log nor the table google_sign_ins contains codes, tokens, seeds or the e-mail", async () => {
  const { email, id, subject } = await registerWithGoogle(service, google)
  const page = openPortal()
  const back = await toCallback(service, page, subject)
  const cookie = page.browser.cookies(service.url).get(cookieName)!
  const { google_code: code } = await comeBack(page, back)
  const session = await exchange(service, code, page)
  const secrets = [code, page.verifier, session.json.accessToken, back.searchParams.get("code"),
    back.searchParams.get("state"), cookie, cookie.split(".")[0]]
  await logged(service, session.headers.get("x-request-id")!)
  const log = service.output()
  assert.include(log, "\"route\":\"/api/provider/google/callback\"")
  for (const secret of [...secrets, page.challenge, email, subject]) assert.notInclude(log, secret!)
  const { rows } = await owner.query("select * from google_sign_ins where provider_id = $1", [id])
  assert.lengthOf(rows, 1)
  const stored = Object.values(rows[0]).map((value) =>
    Buffer.isBuffer(value) ? value.toString("base64url") : `${value}`
  )
  for (const secret of secrets) assert.notInclude(stored.join(" "), secret!)
})

test("A provider's changed e-mail address forgets the account of Google that was found by the old one", async () => {
  const provider = await registerWithGoogle(service, google)
  assert.strictEqual((await signedIn(provider.subject)).status, 200)
  const waiting = openPortal()
  const { google_code: unused } = await signInAt(service, waiting, provider.subject)
  const email = `ada.${randomUUID()}@new-clinic.example`
  const path = `/api/admin/providers/${provider.id}`
  assert.strictEqual((await call(service, "PATCH", path, { headers: asAdmin, body: { email } })).json.email, email)
  assert.strictEqual((await exchange(service, unused, waiting)).json.error, "google_code_invalid")
  assert.deepStrictEqual(await signInAt(service, openPortal(), provider.subject), {
    google_error: "google_account_unknown"
  })
  const subject = `google-${randomUUID()}`
  google.accounts.set(subject, { subject, email })
  assert.strictEqual((await signedIn(subject)).json.provider.id, provider.id)
})
