import { createHmac, randomBytes, randomUUID } from "node:crypto"
import { assert, describe, test } from "vitest"
import { developmentSecret } from "../../../src/services/platform/VariableRules.ts"
import { openApp, openService } from "../../support/App.ts"
import {
  type Answer,
  asAdmin,
  bearer,
  call,
  portalCookie,
  portalOrigin,
  providerPassword,
  registerProvider,
  setCookieOf,
  signInAtPortal,
  signInProvider,
  signInVeteran,
  told
} from "../../support/Client.ts"
import { forge } from "../../support/Forgeries.ts"
import { decodePart } from "../../support/Jwt.ts"
import { spendPermits } from "../../support/Permits.ts"

const staging = "https://staging.portal.example.org:8443"

/** The worker's service, which knows only the default origin. */
const { database, service: second } = await openApp()

const service = await openService(database, { PROVIDER_PORTAL_ORIGINS: `${portalOrigin}, ${staging}` })

const owner = await database.connect("owner")

const resume = (headers: Record<string, string>, from = service) =>
  call(from, "POST", "/api/provider/session/resume", { headers })

const refresh = (headers: Record<string, string>) => call(service, "POST", "/api/provider/session/refresh", { headers })

const logout = (headers: Record<string, string>) => call(service, "POST", "/api/provider/logout", { headers })

const me = (token: string, from = service) => call(from, "GET", "/api/provider/me", { headers: bearer(token) })

/** Signs in at the other process. */
const login = async (email: string) => {
  const { json } = await call(second, "POST", "/api/provider/login", { body: { email, password: providerPassword } })
  return json.accessToken as string
}

const assertEnded = async (token: string) => {
  const headers = bearer(token)
  for (const answer of [await me(token), await me(token, second), await refresh(headers), await logout(headers)]) {
    assert.deepStrictEqual(told(answer), [401, "unauthenticated"])
  }
}

const atPortal = async () => {
  const { email, id } = await registerProvider(service)
  return { email, id, ...await signInAtPortal(service, email) }
}

const assertResumed = async (answer: Answer, providerId: string) => {
  assert.strictEqual(answer.status, 200)
  const { accessToken, expiresIn, provider, tokenType, ...rest } = answer.json
  assert.deepStrictEqual([tokenType, expiresIn, provider.id, rest], ["Bearer", 3600, providerId, {}])
  assert.deepStrictEqual((await me(accessToken)).json, provider)
}

const assertRefused = (answer: Answer, status = 401, code = "unauthenticated") => {
  assert.deepStrictEqual([answer.status, answer.json.error], [status, code])
  assert.deepStrictEqual(answer.headers.getSetCookie(), [])
}

/** The value and the attributes of the only cookie that an answer sets. */
const cookieSet = ({ headers }: Answer) => {
  const [cookie = "", ...others] = headers.getSetCookie()
  assert.deepStrictEqual(others, [])
  const [, value = "", attributes = ""] = /^__Host-vrss-provider=([^;]*); (.*)$/.exec(cookie)!
  return { value, attributes: attributes.split("; ").sort() }
}

const pass = (token: string, interval: string) =>
  owner.query("update provider_sessions set expires_at = expires_at - $2::interval where id = $1", [
    decodePart(token, 1).sub,
    interval
  ])

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
    assert.strictEqual(
      createHmac("sha256", developmentSecret("PROVIDER_JWT_SECRET")).update(`${header}.${claims}`).digest("base64url"),
      signature
    )
    assert.deepStrictEqual(decodePart(token, 0), { alg: "HS256", typ: "vrss-provider+jwt" })
    const { exp, iat, jti, sub, ...rest } = decodePart(token, 1)
    assert.deepStrictEqual(rest, { iss: "veteran-records-sharing", aud: "vrss:provider" })
    assert.strictEqual(exp, iat + 3600)
    assert.isString(jti)
    assert.notStrictEqual(sub, id)
  })

  test("is refreshed by a request without a body, which returns a new token for the same session", async () => {
    const { token } = await signInProvider(service)
    const refreshed = await refresh(bearer(token))
    assert.strictEqual(refreshed.status, 200)
    assert.deepStrictEqual([refreshed.json.tokenType, refreshed.json.expiresIn], ["Bearer", 3600])
    assert.notStrictEqual(refreshed.json.accessToken, token)
    assert.deepStrictEqual(refreshed.json.provider, (await me(token)).json)
    assert.strictEqual((await me(refreshed.json.accessToken)).status, 200)
    const withBody = { headers: bearer(token), body: { hours: 24 } }
    assert.strictEqual((await call(service, "POST", "/api/provider/session/refresh", withBody)).status, 400)
  })

  test("ends at logout, however often another session of the provider asked for one", async () => {
    const { email, headers } = await signInProvider(service)
    const { token } = await signInAtPortal(service, email)
    const logoutUnclearly = () => call(service, "POST", "/api/provider/logout?x=1", { headers })
    assert.strictEqual((await logoutUnclearly()).status, 400)
    await spendPermits(owner, 599)
    assert.strictEqual((await logoutUnclearly()).status, 429)
    assert.strictEqual((await logout(bearer(token))).status, 204)
  })

  test("ends at logout for all its tokens, immediately in every process, while other sessions continue", async () => {
    const { email, token } = await signInProvider(service)
    const other = await login(email)
    const refreshed = (await refresh(bearer(token))).json.accessToken
    for (const known of [token, refreshed, other]) assert.strictEqual((await me(known, second)).status, 200)
    const answer = await logout(bearer(refreshed))
    assert.deepStrictEqual([answer.status, answer.text], [204, ""])
    await assertEnded(token)
    await assertEnded(refreshed)
    assert.strictEqual((await me(other, second)).status, 200)
  })

  test("ends 12 hours after the login, even if it is refreshed", async () => {
    const { email, token } = await signInProvider(service)
    const { rows: [row] } = await owner.query(
      "select extract(epoch from expires_at - created_at)::int as seconds from provider_sessions where id = $1",
      [decodePart(token, 1).sub]
    )
    assert.strictEqual(row.seconds, 12 * 3600)
    await pass(token, "11 hours 50 minutes")
    const late = (await refresh(bearer(token))).json
    assert.isAtMost(late.expiresIn, 600)
    assert.isAbove(late.expiresIn, 500)
    assert.strictEqual(decodePart(late.accessToken, 1).exp - decodePart(late.accessToken, 1).iat, late.expiresIn)
    assert.isAtMost((await refresh(bearer(late.accessToken))).json.expiresIn, 600)
    await pass(token, "10 minutes")
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

describe("A reload of the portal", () => {
  test("continues the session in every process with the cookie alone, and returns a new token", async () => {
    const { id, resume: sent, token } = await atPortal()
    for (const process of [service, second]) {
      const answer = await resume(sent, process)
      await assertResumed(answer, id)
      assert.strictEqual(decodePart(answer.json.accessToken, 1).sub, decodePart(token, 1).sub)
      assert.notStrictEqual(answer.json.accessToken, token)
      assert.strictEqual(answer.headers.get("cache-control"), "no-store")
      assert.deepStrictEqual(answer.headers.getSetCookie(), [])
    }
  })

  test("continues the session from each origin of the portal, even beside other cookies", async () => {
    const { cookie, email, id } = await atPortal()
    await assertResumed(await resume({ origin: staging, cookie: `a=b; ${cookie};c="d"` }), id)
    await assertResumed(await resume((await signInAtPortal(service, email, staging)).resume), id)
  })

  test("continues the session in parallel windows, which stay signed in after parallel refreshes", async () => {
    const { headers, id, resume: sent } = await atPortal()
    const windows = await Promise.all([resume(sent), resume(sent), resume(sent)])
    await Promise.all(windows.map((window) => assertResumed(window, id)))
    // The browser lost the cookie. Each window then gets a new one, and the browser may keep either.
    const { cookie: _, ...lost } = headers
    const refreshed = await Promise.all([refresh(lost), refresh(lost)])
    assert.notStrictEqual(setCookieOf(refreshed[0]), setCookieOf(refreshed[1]))
    for (const answer of refreshed) {
      await assertResumed(await resume({ origin: portalOrigin, cookie: setCookieOf(answer) }), id)
    }
    await assertResumed(await resume(sent), id)
  })

  test("gives a token only for the rest of the session's 12 hours, and is refused after they end", async () => {
    const { resume: sent, token } = await atPortal()
    await pass(token, "11 hours 50 minutes")
    const { json } = await resume(sent)
    assert.isAtMost(json.expiresIn, 600)
    assert.isAbove(json.expiresIn, 500)
    await pass(token, "10 minutes")
    assertRefused(await resume(sent))
  })
})

describe("The portal's cookie", async () => {
  /** A session that no test ends. */
  const known = await atPortal()

  const attributes = ["HttpOnly", "Path=/", "SameSite=Strict", "Secure"]

  test("is set by a login from the portal, only for this host, not for scripts, for 12 hours", async () => {
    const { answer, token } = await atPortal()
    const { attributes: [first, maxAge, ...rest], value } = cookieSet(answer)
    assert.deepStrictEqual([first, ...rest], attributes)
    const [, seconds] = /^Max-Age=(\d+)$/.exec(maxAge!)!
    assert.isAtMost(Number(seconds), 43_200)
    assert.isAbove(Number(seconds), 43_100)
    assert.match(value, /^[0-9a-f-]{36}\.[\w-]{43}$/)
    assert.notInclude(answer.text, value.split(".")[1]!)
    // The cookie is neither an access token nor a part of one.
    assert.strictEqual((await me(value)).status, 401)
    assert.notInclude(token, value.split(".")[1]!)
  })

  const foreign = [
    undefined,
    "null",
    "https://portal.example.org",
    "http://localhost:8082",
    "http://localhost",
    "http://localhost:8081/",
    "http://localhost:8081.",
    "http://localhost.:8081",
    "HTTP://localhost:8081",
    "http://LOCALHOST:8081",
    `${portalOrigin}, ${staging}`,
    staging.replace(":8443", "")
  ]
  test.each(foreign)("is neither set, nor read, nor cleared for the origin %s", async (origin) => {
    const { email, resume: sent, token } = known
    const elsewhere: Record<string, string> = origin === undefined ? {} : { origin }
    const body = { email, password: "correct horse battery staple" }
    const login = await call(service, "POST", "/api/provider/login", { headers: elsewhere, body })
    assert.strictEqual(login.status, 200)
    assert.deepStrictEqual(login.headers.getSetCookie(), [])
    const refreshed = await refresh({ ...bearer(token), ...elsewhere })
    assert.strictEqual(refreshed.status, 200)
    assert.deepStrictEqual(refreshed.headers.getSetCookie(), [])
    assertRefused(await resume({ ...elsewhere, cookie: sent.cookie }), 403, "forbidden")
    assertRefused(await resume(elsewhere))
    const out = await logout({ ...bearer(login.json.accessToken), ...elsewhere })
    assert.strictEqual(out.status, 204)
    assert.deepStrictEqual(out.headers.getSetCookie(), [])
  })

  test("is not set by a login that fails", async () => {
    const { email } = await registerProvider(service)
    const headers = { origin: portalOrigin }
    assertRefused(
      await call(service, "POST", "/api/provider/login", { headers, body: { email, password: "wrong password" } }),
      401,
      "invalid_credentials"
    )
  })

  test("keeps its value when a refresh sets it again, and gets the remaining time as Max-Age", async () => {
    const { cookie, headers, token } = await atPortal()
    await pass(token, "11 hours")
    const answer = await refresh(headers)
    assert.strictEqual(setCookieOf(answer), cookie)
    const { attributes: [, maxAge] } = cookieSet(answer)
    assert.match(maxAge!, /^Max-Age=35\d\d$/)
  })

  test("is replaced by a refresh of another session only if the cookie's session has ended", async () => {
    const [first, other] = [await atPortal(), await atPortal()]
    const mixed = { ...first.headers, cookie: other.cookie }
    const kept = await refresh(mixed)
    assert.strictEqual(kept.json.provider.id, first.id)
    assert.deepStrictEqual(kept.headers.getSetCookie(), [])
    await assertResumed(await resume(other.resume), other.id)
    await logout(bearer(other.token))
    const replaced = { origin: portalOrigin, cookie: setCookieOf(await refresh(mixed)) }
    await assertResumed(await resume(replaced), first.id)
  })

  test("is valid if it is one of the session's four newest", async () => {
    const { headers: { cookie: first, ...lost }, id, resume: sent } = await atPortal()
    const given = [sent.cookie]
    for (let count = 0; count < 4; count++) given.unshift(setCookieOf(await refresh(lost)))
    const resumed = await Promise.all(given.map((cookie) => resume({ origin: portalOrigin, cookie })))
    assert.deepStrictEqual(resumed.map(({ status }) => status), [200, 200, 200, 200, 401])
    await assertResumed(resumed[0]!, id)
    assert.strictEqual(given[4], first)
  })

  test("is stored only as a hash", async () => {
    const { cookie, token } = await atPortal()
    const secret = cookie.split(".")[1]!
    const { rows: [row] } = await owner.query("select * from provider_sessions where id = $1", [
      decodePart(token, 1).sub
    ])
    assert.lengthOf(row.resume_hashes, 1)
    assert.lengthOf(row.resume_hashes[0], 32)
    const bytes = Buffer.from(secret, "base64url")
    assert.lengthOf(bytes, 32)
    for (const stored of [JSON.stringify(row), row.resume_hashes[0].toString("base64url")]) {
      assert.notInclude(stored, secret)
    }
    assert.isFalse(row.resume_hashes[0].equals(bytes))
    assert.notInclude(service.output(), secret)
    // A person who reads the database cannot use the stored hash as a cookie.
    const hash = row.resume_hashes[0].toString("base64url")
    assertRefused(await resume({ origin: portalOrigin, cookie: `${portalCookie}=${row.id}.${hash}` }))
  })

  test("has no effect on any other route", async () => {
    const { resume: sent } = await atPortal()
    for (
      const [method, path] of [["GET", "/me"], ["POST", "/logout"], ["POST", "/session/refresh"], [
        "GET",
        "/patients"
      ]] as const
    ) {
      assertRefused(await call(service, method, `/api/provider${path}`, { headers: sent }))
    }
  })

  test("resumes only its own session, even if a token of another session is sent with it", async () => {
    const [first, other] = [await atPortal(), await atPortal()]
    await assertResumed(await resume({ ...other.resume, ...bearer(first.token) }), other.id)
    const veteran = await signInVeteran(service)
    assertRefused(await resume({ origin: portalOrigin, ...veteran.headers }))
  })
})

describe("A forged request to resume a session is refused", () => {
  const forged = async () => {
    const { cookie, token } = await atPortal()
    const other = await atPortal()
    const value = cookie.slice(portalCookie.length + 1)
    const [session, secret] = value.split(".") as [string, string]
    const pairs = (values: ReadonlyArray<string>) => values.map((text) => `${portalCookie}=${text}`)
    return [
      "",
      "=",
      ...pairs([
        "",
        ".",
        "null",
        token,
        session,
        secret,
        `${session}.`,
        `.${secret}`,
        `${session}.${randomBytes(32).toString("base64url")}`,
        `${other.cookie.slice(portalCookie.length + 1).split(".")[0]}.${secret}`,
        `${session}.${secret}=`,
        `${session}.${secret}.`,
        `${session}.${secret}%20`,
        `"${value}"`,
        `${session}' or true --.${secret}`,
        "x".repeat(8000)
      ]),
      // A browser never has two cookies of this name: it accepts `__Host-` cookies only from this host, over HTTPS and
      // with the path `/`.
      `${cookie}; ${cookie}`,
      `${cookie}; ${other.cookie}`,
      `${cookie}; ${portalCookie}=`,
      cookie.replace(portalCookie, "vrss-provider"),
      cookie.replace(portalCookie, portalCookie.toUpperCase()),
      cookie.replace(portalCookie, `x${portalCookie}`),
      cookie.replace("=", "%3D")
    ]
  }

  test("with every form of the cookie that a forger may try", async () => {
    for (const cookie of await forged()) assertRefused(await resume({ origin: portalOrigin, cookie }))
  })

  test("with 431 when its cookie is larger than headers may be", async () => {
    const answer = await resume({ origin: portalOrigin, cookie: `${portalCookie}=${"x".repeat(20_000)}` })
    assert.strictEqual(answer.status, 431)
  })

  test("with 400 when it has the cookie in a body, even if the cookie is valid", async () => {
    const { resume: sent } = await atPortal()
    const answer = await call(service, "POST", "/api/provider/session/resume", {
      headers: sent,
      body: { cookie: sent.cookie }
    })
    assert.deepStrictEqual([answer.status, answer.json.error], [400, "invalid_request"])
  })
})

describe("An ended session", () => {
  test("is not resumed: logout ends it and clears the cookie", async () => {
    const { headers, resume: sent } = await atPortal()
    const answer = await logout(headers)
    assert.strictEqual(answer.status, 204)
    const { attributes, value } = cookieSet(answer)
    assert.strictEqual(value, "")
    assert.deepStrictEqual(attributes, [
      "Expires=Thu, 01 Jan 1970 00:00:00 GMT",
      "HttpOnly",
      "Max-Age=0",
      "Path=/",
      "SameSite=Strict",
      "Secure"
    ])
    assertRefused(await resume(sent))
    assertRefused(await resume(sent, second))
  })

  test("is not resumed once logout has answered, and tokens from resumes during the logout are refused", async () => {
    for (let round = 0; round < 5; round++) {
      const { headers, resume: sent } = await atPortal()
      const during = Array.from({ length: 8 }, (_, index) => resume(sent, index % 2 === 0 ? service : second))
      assert.strictEqual((await logout(headers)).status, 204)
      const after = await Promise.all(Array.from({ length: 8 }, () => resume(sent)))
      for (const answer of after) assertRefused(answer)
      for (const { json, status } of await Promise.all(during)) {
        if (status === 200) assert.strictEqual((await me(json.accessToken)).status, 401)
      }
    }
  })

  test("is not resumed when its provider is disabled, even if the cookie is sent again and again", async () => {
    const { id, resume: sent } = await atPortal()
    await assertResumed(await resume(sent), id)
    await call(service, "POST", `/api/admin/providers/${id}/disable`, { headers: asAdmin })
    for (const process of [service, second, service]) assertRefused(await resume(sent, process))
  })
})

test("One address may resume 300 times a minute, and then learns how long to wait", async () => {
  const headers = { origin: portalOrigin, "x-forwarded-for": "203.0.113.77" }
  const statuses = new Map<number, number>()
  assert.strictEqual((await resume(headers)).status, 401)
  await spendPermits(owner, 290)
  for (const { status } of await Promise.all(Array.from({ length: 20 }, () => resume(headers)))) {
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  assert.deepStrictEqual([...statuses].sort(), [[401, 9], [429, 11]])
  const limited = await resume(headers)
  assert.match(limited.headers.get("retry-after")!, /^\d+$/)
  assert.strictEqual(limited.headers.get("access-control-allow-origin"), portalOrigin)
  assert.strictEqual(limited.headers.get("access-control-allow-credentials"), "true")
})
