import { HttpApi } from "effect/http-api"
import { assert, describe, test } from "vitest"
import { Api } from "../../../src/http/Api.ts"
import { openApp } from "../../support/App.ts"
import { newAuthenticator } from "../../support/Authenticator.ts"
import {
  asAdmin,
  asDrainer,
  bearer,
  call,
  giveGrant,
  signIn,
  signInProvider,
  signInVeteran,
  withExchangeSecret
} from "../../support/Client.ts"
import { forge, forgeries } from "../../support/Forgeries.ts"
import { nobody } from "../../support/Formats.ts"
import { googleOutOfReach } from "../../support/OpenIdProvider.ts"
import { vaOutOfReach } from "../../support/VaIssuer.ts"
import { giveCode, redeem, registerClient } from "../oauth/Grants.ts"

type Kind = "public" | "exchange" | "veteran" | "provider" | "admin" | "drainer" | "app"

type Headers = Record<string, string>

type Route = readonly [kind: Kind, status: number, body?: unknown]

const passkeyAnswer = newAuthenticator({ origin: "x" }).get("x", "x")

/** For each route, the kind of its caller, and the status that this caller gets for this body. */
const routes: Record<string, Route> = {
  "GET /health": ["public", 200],
  "GET /api/ready": ["public", 200],
  "POST /api/waitlist": ["public", 202, { email: "someone@example.org" }],
  "POST /api/provider/login": ["public", 401, { email: "nobody@example.org", password: "wrong password" }],
  "POST /api/provider/password/forgot": ["public", 202, { email: "nobody@example.org" }],
  "POST /api/provider/password/set": ["public", 410, { token: "unknown", password: "a long password" }],
  // The request lacks the portal's cookie and origin (provider-session.test.ts).
  "POST /api/provider/session/resume": ["public", 401],
  // These redirect to the portal, which tells the person what is wrong.
  "GET /api/provider/google/start": ["public", 303],
  "GET /api/provider/google/callback": ["public", 303],
  "POST /api/provider/google/exchange": ["public", 401, { code: "unknown", verifier: "unknown" }],
  "POST /api/secure-links/open": ["public", 404, { token: "unknown" }],
  "POST /api/secure-links/otp": ["public", 404, { token: "unknown" }],
  "POST /api/secure-links/otp/verify": ["public", 404, { token: "unknown", challengeId: nobody, code: "12345678" }],
  "POST /api/secure-links/view": ["public", 410, { viewSession: "unknown" }],
  "POST /api/secure-links/status": ["public", 410, { viewSession: "unknown" }],
  "POST /api/shl/:manifestId": ["public", 404, { recipient: "Gray Clinic" }],
  "GET /api/shl/:manifestId/files/:ticket": ["public", 404],
  "POST /api/releases/verify": ["public", 200, { documentId: nobody, sha256: "0".repeat(64) }],
  "GET /api/proofs/checkpoint": ["public", 200],
  "GET /api/proofs/key": ["public", 200],
  "GET /api/proofs/consistency": ["public", 400],
  "POST /api/internal/proofs/drain": ["drainer", 200],
  "POST /api/auth/veteran/app/challenge": ["public", 200, {}],
  // These requests have no proof of a device's key (app-sign-in.test.ts).
  "POST /api/auth/veteran/app/session": ["public", 401, { idToken: "x", challenge: "x", vaPatientId: "x" }],
  "POST /api/auth/veteran/app/pairing": ["public", 401, { pairingId: nobody, code: "12345678" }],
  "POST /api/auth/veteran/app/passkey": ["public", 401, passkeyAnswer],
  "POST /api/auth/veteran/app/renew": ["public", 401, { sessionId: nobody }],
  "POST /api/auth/veteran/session": ["exchange", 404, { vaPatientId: "unknown" }],
  "GET /api/veteran/:veteranId": ["veteran", 200],
  "GET /api/veteran/:veteranId/sessions": ["veteran", 200],
  "POST /api/veteran/:veteranId/sessions/:sessionId/end": ["veteran", 404],
  "POST /api/veteran/:veteranId/sessions/current/end": ["veteran", 204],
  // A token of the session exchange has no session, which could be confirmed.
  "POST /api/veteran/:veteranId/sessions/current/confirm": ["veteran", 403, { idToken: "x", challenge: "x" }],
  "GET /api/veteran/:veteranId/passkeys": ["veteran", 200],
  "POST /api/veteran/:veteranId/passkeys/challenge": ["veteran", 200, {}],
  "POST /api/veteran/:veteranId/passkeys": ["veteran", 403, newAuthenticator({ origin: "x" }).create("x")],
  "POST /api/veteran/:veteranId/passkeys/:passkeyId/remove": ["veteran", 404],
  "GET /api/veteran/:veteranId/identities": ["veteran", 200],
  "POST /api/veteran/:veteranId/email": ["veteran", 403, { email: "new@example.org" }],
  "POST /api/veteran/:veteranId/email/verify": ["veteran", 401, {
    challengeId: "00000000-0000-7000-8000-000000000000",
    code: "12345678"
  }],
  "GET /api/veteran/:veteranId/notices": ["veteran", 200],
  "PUT /api/veteran/:veteranId/notices": ["veteran", 200, {}],
  "POST /api/veteran/:veteranId/exports": ["veteran", 403],
  "POST /api/veteran/:veteranId/deletion": ["veteran", 403, { confirm: "x" }],
  "GET /api/veteran/:veteranId/deletion": ["veteran", 404],
  "POST /api/veteran/:veteranId/deletion/cancel": ["veteran", 204],
  "POST /api/veteran/:veteranId/identities": ["veteran", 403, { idToken: "x", challenge: "x" }],
  "POST /api/veteran/:veteranId/identities/:identityId/remove": ["veteran", 403],
  "GET /api/veteran/:veteranId/provider-notes": ["veteran", 200],
  "GET /api/veteran/:veteranId/provider-directory": ["veteran", 400],
  "POST /api/veteran/:veteranId/health-record/sync": ["veteran", 200, { fhirResourceFetchStatuses: {}, resources: {} }],
  "GET /api/veteran/:veteranId/health-record": ["veteran", 200],
  "GET /api/veteran/:veteranId/health-record/manifest": ["veteran", 200],
  "GET /api/veteran/:veteranId/alerts": ["veteran", 200],
  "GET /api/veteran/:veteranId/self-reported-entries": ["veteran", 200],
  "POST /api/veteran/:veteranId/self-reported-entries": ["veteran", 201, { category: "note", text: "x" }],
  "PATCH /api/veteran/:veteranId/self-reported-entries/:entryId": ["veteran", 404, { text: "x" }],
  "DELETE /api/veteran/:veteranId/self-reported-entries/:entryId": ["veteran", 404],
  "GET /api/veteran/:veteranId/consent-grants": ["veteran", 200],
  "POST /api/veteran/:veteranId/consent-grants": ["veteran", 400, {}],
  "POST /api/veteran/:veteranId/consent-grants/:grantId/revoke": ["veteran", 404],
  "GET /api/veteran/:veteranId/sharing": ["veteran", 200],
  "POST /api/veteran/:veteranId/sharing/:kind/:id/stop": ["veteran", 404],
  "GET /api/veteran/:veteranId/documents": ["veteran", 200],
  // This body is not a multipart body.
  "POST /api/veteran/:veteranId/documents": ["veteran", 415, {}],
  "GET /api/veteran/:veteranId/documents/:documentId": ["veteran", 404],
  "GET /api/veteran/:veteranId/documents/:documentId/content": ["veteran", 404],
  "GET /api/veteran/:veteranId/documents/:documentId/ccda": ["veteran", 404],
  "GET /api/veteran/:veteranId/documents/:documentId/record": ["veteran", 404],
  "DELETE /api/veteran/:veteranId/documents/:documentId": ["veteran", 404],
  "GET /api/veteran/:veteranId/disclosures": ["veteran", 200],
  "GET /api/veteran/:veteranId/disclosures/:disclosureId/proof": ["veteran", 404],
  "GET /api/veteran/:veteranId/disclosures/fhir": ["veteran", 200],
  "GET /api/veteran/:veteranId/consent-grants/:grantId/fhir": ["veteran", 404],
  "GET /api/veteran/:veteranId/roi/:documentId/fhir": ["veteran", 404],
  "GET /api/veteran/:veteranId/roi/readiness": ["veteran", 200],
  "POST /api/veteran/:veteranId/roi": ["veteran", 400, {}],
  "POST /api/veteran/:veteranId/roi/preview": ["veteran", 400, {}],
  "POST /api/veteran/:veteranId/roi/:documentId/revoke": ["veteran", 404],
  "GET /api/veteran/:veteranId/secure-links": ["veteran", 200],
  "POST /api/veteran/:veteranId/secure-links": ["veteran", 400, {}],
  "POST /api/veteran/:veteranId/secure-links/:linkId/revoke": ["veteran", 404],
  "POST /api/veteran/:veteranId/secure-links/:linkId/code": ["veteran", 404],
  "GET /api/provider/me": ["provider", 200],
  "POST /api/provider/session/refresh": ["provider", 200],
  "POST /api/provider/password": ["provider", 401, { password: "wrong", newPassword: "a long password" }],
  "POST /api/provider/invitations": ["provider", 201, {}],
  "GET /api/provider/invitations": ["provider", 200],
  "POST /api/provider/invitations/:invitationId/revoke": ["provider", 404],
  "POST /api/provider/logout": ["provider", 204],
  "GET /api/provider/patients": ["provider", 200],
  "GET /api/provider/patients/:veteranId/record": ["provider", 200],
  "GET /api/provider/patients/:veteranId/record/changes": ["provider", 200],
  "POST /api/provider/patients/:veteranId/record/saved": ["provider", 204],
  "GET /api/provider/patients/:veteranId/notes": ["provider", 200],
  "POST /api/provider/patients/:veteranId/notes": ["provider", 201, { text: "x" }],
  "GET /api/provider/patients/:veteranId/documents/:documentId/content": ["provider", 404],
  "POST /api/admin/veterans": ["admin", 400, {}],
  "GET /api/admin/veterans": ["admin", 200],
  "PATCH /api/admin/veterans/:id": ["admin", 404, {}],
  "POST /api/admin/veterans/:id/pairing-code": ["admin", 404],
  "GET /api/admin/veterans/:id/identities": ["admin", 404],
  "POST /api/admin/veterans/:id/export": ["admin", 404, { reason: "ticket 1" }],
  "POST /api/admin/veterans/:id/end-access": ["admin", 404],
  "POST /api/admin/veterans/:id/deletion": ["admin", 404, { reason: "ticket 1" }],
  "GET /api/admin/veterans/:id/deletion": ["admin", 404],
  "POST /api/admin/veterans/:id/deletion/cancel": ["admin", 404],
  "POST /api/admin/veterans/:id/identities/:identityId/remove": ["admin", 404],
  "POST /api/admin/providers": ["admin", 400, {}],
  "GET /api/admin/providers": ["admin", 200],
  "PATCH /api/admin/providers/:providerId": ["admin", 404, {}],
  "POST /api/admin/providers/:providerId/disable": ["admin", 404],
  "POST /api/admin/providers/:providerId/enable": ["admin", 404],
  "POST /api/admin/providers/:providerId/password-link": ["admin", 404],
  "GET /api/admin/waitlist": ["admin", 200],
  "DELETE /api/admin/waitlist/:signupId": ["admin", 404],
  "GET /api/admin/acts": ["admin", 200],
  "GET /api/admin/metrics": ["admin", 200],
  "POST /api/admin/oauth-clients": ["admin", 400, {}],
  "GET /api/admin/oauth-clients": ["admin", 200],
  "POST /api/admin/oauth-clients/:clientId/disable": ["admin", 404],
  "POST /api/admin/oauth-clients/:clientId/rotate-secret": ["admin", 404],
  "GET /.well-known/oauth-authorization-server/api/oauth": ["public", 200],
  "GET /api/oauth/.well-known/oauth-authorization-server": ["public", 200],
  "GET /api/fhir/R4/.well-known/smart-configuration": ["public", 200],
  "GET /.well-known/oauth-protected-resource/api/fhir/R4": ["public", 200],
  "GET /api/fhir/R4/brands": ["public", 200],
  // These bodies are not forms. Client authentication is tested in test/http/oauth.
  "POST /api/oauth/token": ["public", 415, {}],
  "POST /api/oauth/revoke": ["public", 415, {}],
  "POST /api/oauth/introspect": ["public", 415, {}],
  // Pages for people, bound to a browser (test/http/oauth/authorize.test.ts, consent.test.ts).
  "GET /api/oauth/authorize": ["public", 400],
  "POST /api/oauth/authorize": ["public", 415, {}],
  "GET /api/oauth/authorize/page": ["public", 403],
  "POST /api/oauth/authorize/email": ["public", 415, {}],
  "POST /api/oauth/authorize/code": ["public", 415, {}],
  "POST /api/oauth/authorize/decision": ["public", 415, {}],
  "GET /api/fhir/R4/metadata": ["public", 200],
  "GET /api/fhir/R4/:resourceType": ["app", 200],
  "POST /api/fhir/R4/:resourceType/_search": ["app", 415, {}],
  "GET /api/fhir/R4/:resourceType/:id": ["app", 404],
  "GET /api/fhir/R4/Patient/:id/$everything": ["app", 404],
  "GET /api/fhir/R4/Patient/:id/:resourceType": ["app", 200],
  "POST /api/fhir/R4/Patient/:id/$everything": ["app", 404, { resourceType: "Parameters" }],
  // The last: they end the grants and the tokens that the routes above need.
  "POST /api/veteran/:veteranId/sharing/stop-all": ["veteran", 200, {}],
  "POST /api/veteran/:veteranId/sessions/end-all": ["veteran", 204]
}

const { database, service } = await openApp({ ...googleOutOfReach, ...vaOutOfReach })

const veteran = await signInVeteran(service)

const other = await signInVeteran(service)

const provider = await signInProvider(service)

await giveGrant(service, veteran, provider)

const client = await registerClient(service)

const code = await giveCode(await database.connect("runtime"), client, veteran)

const connected = await redeem(service, client, code)

const app: Headers = bearer(connected.json.access_token)

const loggedOut = await signInProvider(service)

await call(service, "POST", "/api/provider/logout", { headers: loggedOut.headers })

const disabled = await signInProvider(service)

await call(service, "POST", `/api/admin/providers/${disabled.id}/disable`, { headers: asAdmin })

const tokens = [
  ...(await forgeries("veteran", veteran.token)).map(([what, token]) => [`a veteran's token ${what}`, token] as const),
  ...(await forgeries("provider", provider.token)).map(([what, token]) =>
    [`a provider's token ${what}`, token] as const
  ),
  ["a provider's token after logout", loggedOut.token] as const,
  ["a disabled provider's token", disabled.token] as const
]

/** Headers that give no access. */
const worthless: ReadonlyArray<readonly [what: string, headers: Headers]> = [
  ["nothing", {}],
  ["an empty header", { authorization: "" }],
  ["an empty token", { authorization: "Bearer " }],
  ["garbage", bearer("garbage")],
  ["three parts of garbage", bearer("a.b.c")],
  ["a long token", bearer(`${"a".repeat(5000)}.b.c`)],
  ["the legacy headers", { "x-user-id": veteran.id, "x-user-type": "veteran", "x-veteran-id": veteran.id }],
  ["a provider's legacy headers", { "x-user-id": provider.id, "x-user-type": "provider" }],
  ["the exchange secret as a token", bearer(withExchangeSecret["x-veteran-session-exchange"])],
  ["the administrator's secret as a token", bearer(asAdmin["x-internal-admin-secret"])],
  ["a wrong administrator's secret", { "x-internal-admin-secret": "wrong" }],
  ["a wrong drainer's secret", { "x-proof-drainer-secret": "wrong" }],
  ["a wrong exchange secret", { "x-veteran-session-exchange": "wrong" }],
  ["the veteran's id as a token", bearer(veteran.id)],
  ["a token under another scheme", { authorization: `Digest ${veteran.token}` }],
  ["a token in a cookie", { cookie: `token=${veteran.token}; authorization=${provider.token}` }],
  ...tokens.map(([what, token]) => [what, bearer(token)] as const)
]

const pathOf = (route: string) =>
  route.split(" ")[1]!.replace(":veteranId", veteran.id).replace(":resourceType", "Observation").replace(
    ":kind",
    "link"
  ).replace(
    /:(clientId|disclosureId|documentId|entryId|grantId|id|identityId|invitationId|linkId|passkeyId|providerId|sessionId|signupId)\b/g,
    nobody
  )

const ask = async (route: string, headers: Headers, path = pathOf(route)) => {
  const [kind, , body] = routes[route]!
  // Each request has a fresh address and e-mail, so that no rate limit interferes.
  const own = JSON.stringify(body)?.replace("nobody@", `${Math.random()}@`)
  const answer = await call(service, route.split(" ")[0]!, path, {
    headers,
    ...(own === undefined ? {} : { body: own })
  })
  return [kind, answer.status, answer.json?.error] as const
}

/** The headers of each kind of caller. */
const rightful: Record<Exclude<Kind, "public">, Headers> = {
  exchange: withExchangeSecret,
  veteran: veteran.headers,
  provider: provider.headers,
  admin: asAdmin,
  drainer: asDrainer,
  app
}

/** Callers without the right to a route get these answers. */
const refused: Record<Exclude<Kind, "public">, readonly [number, string | undefined]> = {
  exchange: [401, "invalid_exchange_secret"],
  veteran: [401, "unauthenticated"],
  provider: [401, "unauthenticated"],
  admin: [401, "unauthenticated"],
  drainer: [401, "unauthenticated"],
  // An OperationOutcome has no member `error`.
  app: [401, undefined]
}

test("The table of this test lists exactly the routes of the service", () => {
  const existing: Array<string> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => existing.push(`${endpoint.method} ${endpoint.path.replace(/(?<=.)\/$/, "")}`)
  })
  assert.deepStrictEqual(Object.keys(routes).sort(), existing.sort())
})

test("The service accepts a token that this test signs, so a changed token fails because of its change", async () => {
  for (
    const [kind, { token }, route] of [["veteran", veteran, "GET /api/veteran/:veteranId"], [
      "provider",
      provider,
      "GET /api/provider/me"
    ]] as const
  ) {
    assert.strictEqual((await ask(route, bearer(await forge(kind, token))))[1], 200)
    const soon = Math.floor(Date.now() / 1000) + 60
    assert.strictEqual((await ask(route, bearer(await forge(kind, token, { claims: { exp: soon } }))))[1], 200)
  }
})

for (const [at, [route, [kind, status]]] of Object.entries(routes).entries()) {
  describe(route, () => {
    const method = route.split(" ")[0]!

    /** Each route meets no headers and a fifth of the others. A fifth of the routes meets each of these. */
    const met = worthless.filter((_, index) => index === 0 || (index + at) % 5 === 0)

    if (kind === "public") {
      test("answers every caller alike", async () => {
        const open: ReadonlyArray<readonly [string, Headers]> = [["a veteran", veteran.headers], [
          "a provider",
          provider.headers
        ], ["the administrator", asAdmin]]
        for (const [what, headers] of [...met.slice(0, 3), ...open]) {
          assert.strictEqual((await ask(route, headers))[1], status, what)
        }
      })
      return
    }

    test("refuses a caller without a valid credential before it looks at anything else", async () => {
      const answers = await Promise.all(met.map(async ([what, headers]) => [what, ...await ask(route, headers)]))
      assert.deepStrictEqual(answers, met.map(([what]) => [what, kind, ...refused[kind]]))
      const answer = await call(service, method, pathOf(route), method === "GET" ? {} : { body: "{" })
      assert.deepStrictEqual([answer.status, answer.json.error], [...refused[kind]])
      if (method === "GET") assert.strictEqual((await call(service, "HEAD", pathOf(route))).status, 401)
    })

    test("refuses the other kinds of caller", async () => {
      for (const [caller, headers] of Object.entries(rightful)) {
        if (caller === kind) continue
        const isKnown = ["veteran", "provider"].includes(kind) && ["veteran", "provider", "app"].includes(caller)
        const answer = isKnown ? [403, "forbidden"] : refused[kind]
        assert.deepStrictEqual((await ask(route, headers)).slice(1), [...answer], caller)
      }
      if (kind !== "veteran") return
      for (const addressed of [veteran.id, nobody, veteran.id.toUpperCase()]) {
        const answer = await ask(route, other.headers, pathOf(route).replace(veteran.id, addressed))
        assert.deepStrictEqual(answer, [kind, 403, "veteran_mismatch"], addressed)
      }
    })

    test("answers its rightful caller", async () => {
      // Logout must not end the session that the other tests use.
      const headers = route === "POST /api/provider/logout" ? (await signInProvider(service)).headers : rightful[kind]
      assert.strictEqual((await ask(route, headers))[1], status)
      if (kind !== "veteran") return
      for (const spelling of ["me", veteran.id.toUpperCase()]) {
        // Once all tokens are ended, the one that was used before counts no more.
        const again = route.endsWith("/end-all") ? (await signIn(service, veteran)).headers : veteran.headers
        assert.strictEqual((await ask(route, again, pathOf(route).replace(veteran.id, spelling)))[1], status)
      }
    })
  })
}
