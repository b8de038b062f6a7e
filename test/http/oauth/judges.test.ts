import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import * as oauth from "oauth4webapi"
import * as openid from "openid-client"
import { assert, describe, test } from "vitest"
import { atEnd, openApp } from "../../support/App.ts"
import { asAdmin, call, registerVeterans, signIn } from "../../support/Client.ts"
import { sync } from "../../support/Sync.ts"
import { approval, browserOf, codeFor, submit } from "./Asking.ts"

interface SmartClient {
  readonly patient: { readonly id: string | null; readonly read: () => Promise<{ readonly id: string }> }
  readonly user: { readonly id: string | null }
  readonly state: { readonly tokenResponse: { readonly access_token: string } }
  readonly request: (path: string, options?: object) => Promise<{ readonly id: string }>
  readonly refresh: () => Promise<unknown>
}

interface Smart {
  readonly authorize: (parameters: object) => Promise<unknown>
  readonly ready: () => Promise<SmartClient>
}

const require = createRequire(import.meta.url)

/** The library's own types would bring the types of browsers into all tests. */
const smart: (request: IncomingMessage, response: ServerResponse, storage: object) => Smart = require("fhirclient")

// Third-party OAuth clients, unmodified, connect to the service (contract, part 11, "Judges").

const { database, service } = await openApp()

const fhirBase = `${service.url}/api/fhir/R4`

const owner = await database.connect("owner")

/** A veteran with a fresh address, and a record of three items. */
const register = async () => {
  const [registered] = await registerVeterans(owner, 1)
  const email = `veteran-${registered!.id}@example.org`
  await owner.query("update veterans set email = $2 where id = $1", [registered!.id, email])
  const veteran = await signIn(service, registered!)
  await sync(service, veteran, { Patient: "complete", Condition: "complete", Observation: "complete" }, {
    Patient: [`{"resourceType":"Patient","id":"p1"}`],
    Condition: [`{"resourceType":"Condition","id":"c1"}`],
    Observation: [`{"resourceType":"Observation","id":"o1","status":"final"}`]
  })
  return { ...veteran, email }
}

/** Follows an app's request as the veteran's browser does. Returns the address to which the browser is redirected. */
const consent = async (authorize: string | URL, email: string, decision: "approve" | "deny" = "approve") => {
  const { pathname, search } = new URL(authorize)
  const browser = browserOf(await call(service, "GET", `${pathname}${search}`))
  await submit(service, "email", browser, { email })
  const page = await submit(service, "code", browser, { code: await codeFor(service, email) })
  const fields = decision === "approve" ? approval(page.text) : { decision }
  const { headers, status, text } = await submit(service, "decision", browser, fields)
  assert.strictEqual(status, 303, text)
  return new URL(headers.get("location")!)
}

const scopes = ["launch/patient", "offline_access", "patient/*.rs"]

const registerClient = async (redirectUri: string, confidential = false) => {
  const { json, status, text } = await call(service, "POST", "/api/admin/oauth-clients", {
    headers: asAdmin,
    body: { name: "Heart Diary", redirectUris: [redirectUri], scopes, confidential }
  })
  assert.strictEqual(status, 201, text)
  return json as { readonly clientId: string; readonly clientSecret: string | null }
}

const redirectUri = "http://127.0.0.1:8123/back"

const insecure = { [oauth.allowInsecureRequests]: true }

describe("oauth4webapi", () => {
  const issuer = new URL(`${service.url}/api/oauth`)

  const discover = async () =>
    oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure }))

  test("discovers the server by RFC 8414, and gets, refreshes, introspects and revokes tokens", async () => {
    const veteran = await register()
    const { clientId, clientSecret } = await registerClient(redirectUri, true)
    const server = await discover()
    const client = { client_id: clientId }
    const proof = oauth.ClientSecretBasic(clientSecret!)
    const verifier = oauth.generateRandomCodeVerifier()
    const authorize = new URL(server.authorization_endpoint!)
    authorize.search = new URLSearchParams({
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: "launch/patient offline_access patient/*.rs",
      state: "a state",
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      resource: fhirBase
    }).toString()
    const back = oauth.validateAuthResponse(server, client, await consent(authorize, veteran.email), "a state")
    const tokens = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(server, client, proof, back, redirectUri, verifier, insecure)
    )
    assert.deepStrictEqual([tokens.token_type, tokens.expires_in, tokens.scope, tokens["patient"]], [
      "bearer",
      600,
      "launch/patient offline_access patient/*.rs",
      "p1"
    ])
    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, proof, tokens.refresh_token!, insecure)
    )
    assert.notStrictEqual(refreshed.refresh_token, tokens.refresh_token)
    const introspect = async () =>
      oauth.processIntrospectionResponse(
        server,
        client,
        await oauth.introspectionRequest(server, client, proof, refreshed.access_token, insecure)
      )
    const { active, patient, sub } = await introspect()
    assert.deepStrictEqual({ active, patient, sub }, { active: true, patient: "p1", sub: veteran.id })
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, proof, refreshed.refresh_token!, insecure)
    )
    assert.deepStrictEqual(await introspect(), { active: false })
  })

  test("accepts the service's access_denied response as well formed", async () => {
    const veteran = await register()
    const { clientId } = await registerClient(redirectUri)
    const server = await discover()
    const authorize = new URL(server.authorization_endpoint!)
    authorize.search = new URLSearchParams({
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: "patient/*.rs",
      state: "a state",
      code_challenge: await oauth.calculatePKCECodeChallenge(oauth.generateRandomCodeVerifier()),
      code_challenge_method: "S256"
    }).toString()
    const back = await consent(authorize, veteran.email, "deny")
    assert.throws(() => oauth.validateAuthResponse(server, { client_id: clientId }, back, "a state"))
    assert.strictEqual(back.searchParams.get("error"), "access_denied")
  })
})

describe("openid-client", () => {
  test("connects a public client by discovery of an OAuth 2.0 server, and refreshes", async () => {
    const veteran = await register()
    const { clientId } = await registerClient(redirectUri)
    const configuration = await openid.discovery(
      new URL(`${service.url}/api/oauth`),
      clientId,
      undefined,
      openid.None(),
      { algorithm: "oauth2", execute: [openid.allowInsecureRequests] }
    )
    const pkceCodeVerifier = openid.randomPKCECodeVerifier()
    const state = openid.randomState()
    const authorize = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: "offline_access patient/Observation.rs",
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
      state
    })
    const back = await consent(authorize, veteran.email)
    const tokens = await openid.authorizationCodeGrant(configuration, back, { pkceCodeVerifier, expectedState: state })
    const { access_token: token, scope } = await openid.refreshTokenGrant(configuration, tokens.refresh_token!)
    assert.strictEqual(scope, "offline_access patient/Observation.rs")
    const read = await openid.fetchProtectedResource(
      configuration,
      token,
      new URL(`${fhirBase}/Observation/o1`),
      "GET"
    )
    assert.strictEqual(await read.text(), `{"resourceType":"Observation","id":"o1","status":"final"}`)
  })
})

describe("fhirclient", () => {
  test("launches standalone, reads its patient, follows pages, and refreshes", async () => {
    const veteran = await register()
    const storage = new Map<string, unknown>()
    const api = (request: IncomingMessage, response: ServerResponse) =>
      smart(request, response, {
        get: async (key: string) => storage.get(key),
        set: async (key: string, value: unknown) => storage.set(key, value),
        unset: async (key: string) => storage.delete(key)
      })
    const connected = Promise.withResolvers<SmartClient>()
    let clientId = ""
    const app = createServer((request, response) => {
      const { authorize, ready } = api(request, response)
      if (request.url === "/launch") {
        // The client requests more than is offered, and the rest is dropped.
        void authorize({
          iss: fhirBase,
          clientId,
          scope: "openid fhirUser launch/patient offline_access patient/*.read",
          redirectUri: "/back",
          pkceMode: "required"
        })
      } else {
        ready().then(connected.resolve, connected.reject).finally(() => response.end())
      }
    }).listen(0, "127.0.0.1")
    await once(app, "listening")
    atEnd(() => void app.close())
    const url = `http://127.0.0.1:${(app.address() as AddressInfo).port}`
    clientId = (await registerClient(`${url}/back`)).clientId
    const launch = await fetch(`${url}/launch`, { redirect: "manual" })
    const back = await consent(launch.headers.get("location")!, veteran.email)
    await fetch(back)
    const client = await connected.promise
    assert.strictEqual(client.patient.id, "p1")
    assert.isNull(client.user.id)
    assert.strictEqual((await client.patient.read()).id, "p1")
    const found: Array<string> = []
    await client.request("Observation?_count=1", {
      pageLimit: 0,
      onPage: ({ entry = [] }: { entry?: Array<{ resource: { id: string } }> }) =>
        void found.push(...entry.map(({ resource }) => resource.id))
    })
    assert.deepStrictEqual(found, ["o1"])
    const before = client.state.tokenResponse.access_token
    await client.refresh()
    assert.notStrictEqual(client.state.tokenResponse.access_token, before)
    assert.strictEqual((await client.request("Condition/c1")).id, "c1")
  })
})
