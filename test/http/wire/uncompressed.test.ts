import { assert, test } from "vitest"
import { openApp } from "../../support/App.ts"
import {
  call,
  giveGrant,
  portalOrigin,
  providerPassword,
  signInAtPortal,
  signInProvider,
  signInVeteran,
  withExchangeSecret
} from "../../support/Client.ts"
import { resource, sync } from "../../support/Sync.ts"
import { recipientCodes } from "../link/Links.ts"
import { sign, upload } from "../release/Releases.ts"

const { service } = await openApp()

const veteran = await signInVeteran(service)

const provider = await signInProvider(service)

await giveGrant(service, veteran, provider)

await sync(service, veteran, { Condition: "complete" }, {
  Condition: Array.from({ length: 50 }, (_, index) => resource("Condition", `c${index}`))
})

const coded = { "accept-encoding": "gzip, deflate, br, zstd" }

test("An answer up to 4 kB is not compressed", async () => {
  const short = await call(service, "POST", "/api/veteran/me/self-reported-entries", {
    headers: { ...veteran.headers, ...coded },
    body: { category: "note", text: "Slept well. ".repeat(300) }
  })
  assert.isAbove(short.text.length, 3600)
  assert.isAtMost(short.text.length, 4096)
  assert.isNull(short.headers.get("content-encoding"))
  assert.strictEqual(short.headers.get("content-length"), `${short.text.length}`)
  for (const path of ["/health", "/nothing", "/api/veteran/me", "/api/veteran/me/consent-grants?x=y"]) {
    const answer = await call(service, "GET", path, { headers: { ...veteran.headers, ...coded } })
    assert.isNull(answer.headers.get("content-encoding"), path)
  }
})

test("A file is not compressed, whether or not its format already is", async () => {
  const letter = (await upload(service, veteran, "Dear colleague. ".repeat(1000))).json
  const release = (await sign(service, veteran)).json.document
  for (
    const [path, type] of [
      [`${letter.id}/content`, "text/plain; charset=utf-8"],
      [`${release.id}/content`, "application/pdf"],
      [`${release.id}/record`, "application/fhir+json"]
    ] as const
  ) {
    const answer = await fetch(`${service.url}/api/veteran/me/documents/${path}`, {
      headers: { ...veteran.headers, ...coded }
    })
    assert.deepStrictEqual([answer.status, answer.headers.get("content-type")], [200, type])
    const { byteLength } = await answer.arrayBuffer()
    assert.isAbove(byteLength, 4096)
    assert.isNull(answer.headers.get("content-encoding"))
    assert.strictEqual(answer.headers.get("content-length"), `${byteLength}`)
  }
})

test("An answer with a token, a code or a link is not compressed, even if it is long", async () => {
  const post = (path: string, body?: object, headers: Record<string, string> = {}) =>
    call(service, "POST", path, { headers: { ...coded, ...headers }, body })
  const release = (await sign(service, veteran)).json.document
  const recipient = { recipientName: "Jane Gray", recipientEmail: "jane@clinic.example" }
  const made = await post("/api/veteran/me/secure-links", { documentId: release.id, ...recipient }, veteran.headers)
  assert.strictEqual(made.status, 201)
  assert.isAbove(made.text.length, 8192)
  const token = made.json.url.split("#")[1]
  const challenge = await post("/api/secure-links/otp", { token })
  const code = (await recipientCodes(service)).at(-1)
  const { challengeId } = challenge.json
  const portal = await signInAtPortal(service, provider.email)
  const login = { email: provider.email, password: providerPassword }
  const answers = [
    made,
    await post("/api/secure-links/open", { token }),
    challenge,
    await post("/api/secure-links/otp/verify", { token, challengeId, code }),
    await post("/api/provider/login", login, { origin: portalOrigin }),
    await post("/api/provider/session/refresh", undefined, portal.headers),
    await post("/api/provider/session/resume", undefined, portal.resume),
    await post("/api/auth/veteran/session", { vaPatientId: veteran.vaPatientId }, withExchangeSecret)
  ]
  for (const { headers, status } of answers) {
    assert.isBelow(status, 300)
    assert.isNull(headers.get("content-encoding"))
    assert.strictEqual(headers.get("vary"), "Origin")
  }
})

/** Names of members whose values give access. */
const secrets = ["accessToken", "token", "viewSession", "url", "qrSvg", "password", "secret", "cookie"]

test("No route with compressed answers has a response member with the name of a secret", async () => {
  const { json: { components, paths } } = await call(service, "GET", "/api/openapi.json")
  const membersOf = (schema: any, seen = new Set<string>()): ReadonlyArray<string> => {
    if (typeof schema !== "object" || schema === null) return []
    const name = schema.$ref?.split("/").at(-1)
    // The `url` in a Bundle is no secret: it names a page of the result, which cannot be read without the app's token.
    if (name === "Bundle") return []
    if (name !== undefined) return seen.has(name) ? [] : membersOf(components.schemas[name], seen.add(name))
    return [
      ...Object.keys(schema.properties ?? {}),
      ...Object.values(schema).flatMap((inner) => membersOf(inner, seen))
    ]
  }
  const answering: Array<string> = []
  for (const [path, methods] of Object.entries<any>(paths)) {
    for (const [method, { responses }] of Object.entries<any>(methods)) {
      const good = Object.entries(responses).filter(([status]) => status.startsWith("2"))
      const members = good.flatMap(([, response]) => membersOf(response))
      if (members.some((member) => secrets.includes(member))) answering.push(`${method} ${path}`)
    }
  }
  // Except for GET, a route compresses its answers only if the contract marks it. These routes are not marked.
  assert.deepStrictEqual(answering.sort(), [
    "post /api/auth/veteran/app/pairing",
    "post /api/auth/veteran/app/passkey",
    "post /api/auth/veteran/app/renew",
    "post /api/auth/veteran/app/session",
    "post /api/auth/veteran/session",
    "post /api/provider/google/exchange",
    "post /api/provider/invitations",
    "post /api/provider/login",
    "post /api/provider/session/refresh",
    "post /api/provider/session/resume",
    "post /api/secure-links/otp/verify",
    "post /api/veteran/{veteranId}/secure-links"
  ])
})
