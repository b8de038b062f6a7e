import { hkdfSync } from "node:crypto"
import { assert, describe, test } from "vitest"
import { developmentSecret } from "../../../src/services/platform/VariableRules.ts"
import { asAdmin, call, signInVeteran } from "../../support/Client.ts"
import { nobody, uuid } from "../../support/Formats.ts"
import { openJudgedApp } from "../../support/Prism.ts"
import { basic, giveCode, isActive, post, redeem, registerClient } from "./Grants.ts"

const { database, service } = await openJudgedApp()

const runtime = await database.connect("runtime")

const path = "/api/admin/oauth-clients"

const body = {
  name: "Blue Sky",
  redirectUris: ["https://app.example.org/callback"],
  scopes: ["launch/patient", "patient/*.rs"]
}

const register = (changes: Record<string, unknown> = {}) =>
  call(service, "POST", path, { headers: asAdmin, body: { ...body, ...changes } })

const act = (clientId: string, what: string) =>
  call(service, "POST", `${path}/${clientId}/${what}`, { headers: asAdmin })

/** Reads all pages. Other files of this worker may have registered many apps before. */
const listAll = async (cursor = ""): Promise<ReadonlyArray<{ readonly clientId: string }>> => {
  const { json } = await call(service, "GET", `${path}?limit=200${cursor}`, { headers: asAdmin })
  return json.nextCursor === null ? json.items : [...json.items, ...await listAll(`&cursor=${json.nextCursor}`)]
}

describe("The operator registers", () => {
  test("a public app, which has no secret", async () => {
    const { json, status } = await register()
    assert.strictEqual(status, 201)
    const { clientId, createdAt, ...rest } = json
    assert.match(clientId, uuid)
    assert.match(createdAt, /^\d{4}-.*Z$/)
    assert.deepStrictEqual(rest, {
      ...body,
      confidential: false,
      disabledAt: null,
      clientSecret: null,
      webhookSecret: null
    })
  })

  test("a confidential app with a webhook, whose secrets are shown once and stored nowhere in clear", async () => {
    const { json } = await register({
      confidential: true,
      privacyUrl: "https://app.example.org/privacy",
      webhookUrl: "https://app.example.org/hook"
    })
    const { clientId, clientSecret, webhookSecret } = json
    assert.match(clientSecret, /^[\w-]{43}$/)
    assert.isTrue(json.confidential)
    const key = hkdfSync("sha256", developmentSecret("WEBHOOK_SECRET"), "", `vrss/1/webhook/${clientId}`, 32)
    assert.strictEqual(webhookSecret, `whsec_${Buffer.from(key).toString("base64")}`)
    const owner = await database.connect("owner")
    const { rows } = await owner.query("select c::text as row from oauth_clients c where id = $1", [clientId])
    assert.notInclude(rows[0].row, clientSecret)
    const listed = await listAll()
    const { clientSecret: _secret, webhookSecret: _webhook, ...told } = json
    assert.deepStrictEqual(listed.at(-1), told)
    assert.notInclude(JSON.stringify(listed), clientSecret)
  })

  test.each([
    "https://app.example.org",
    "https://app.example.org:8443/a/b?c=d&e=%20f",
    "http://127.0.0.1/cb",
    "http://127.0.0.1:51004",
    "http://[::1]:51004/cb",
    "org.example.app:/cb",
    "org.example.app://callback"
  ])("an app with the redirect URI %s", async (uri) => {
    assert.strictEqual((await register({ redirectUris: [uri] })).status, 201)
  })

  test.each([
    "http://app.example.org/cb",
    "http://localhost:8080/cb",
    "http://127.0.0.1.example.org/cb",
    "http://127.0.0.2/cb",
    "http://127.0.0.1:x/cb",
    "http://127.0.0.1@example.org/cb",
    "https://app.example.org/cb#part",
    "https://app.example.org/cb#",
    "https://user@app.example.org/cb",
    "https://user:word@app.example.org/cb",
    "https://*.example.org/cb",
    "https://app.example.org/*",
    "https://",
    "https:///cb",
    "https:app.example.org",
    "https://app.example.org/a b",
    "https://app.example.org/\n",
    "https://app.example.org\\@evil.example",
    "https://äpp.example.org/",
    "myapp:/cb",
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "/cb",
    "",
    `https://app.example.org/${"x".repeat(2000)}`
  ])("no app with a redirect URI like %s", async (uri) => {
    const { json, status } = await register({ redirectUris: ["https://app.example.org/", uri] })
    assert.deepStrictEqual([status, json.error, json.issues[0].path], [400, "invalid_request", ["redirectUris", 1]])
  })

  test.each<[string, Record<string, unknown>]>([
    ["name", { name: "" }],
    ["name", { name: "x".repeat(201) }],
    ["name", { name: 5 }],
    ["redirectUris", { redirectUris: [] }],
    ["redirectUris", { redirectUris: Array.from({ length: 11 }, (_, index) => `https://app.example.org/${index}`) }],
    ["redirectUris", { redirectUris: "https://app.example.org" }],
    ["scopes", { scopes: [] }],
    ["scopes", { scopes: Array.from({ length: 101 }, () => "patient/*.rs") }],
    ["scopes", { scopes: ["nonsense"] }],
    ["scopes", { scopes: ["patient/Nothing.rs"] }],
    ["scopes", { scopes: ["patient/*.rs offline_access"] }],
    ["scopes", { scopes: [""] }],
    ["confidential", { confidential: "yes" }],
    ["privacyUrl", { privacyUrl: "http://app.example.org" }],
    ["webhookUrl", { webhookUrl: "http://app.example.org" }],
    ["webhookUrl", { webhookUrl: "https://user:word@app.example.org" }],
    ["clientId", { clientId: nobody }]
  ])("no app with an invalid %s: %o", async (member, changes) => {
    const { json, status } = await register(changes)
    assert.deepStrictEqual([status, json.error, json.issues[0].path[0]], [400, "invalid_request", member])
  })
})

describe("A webhook's address", () => {
  const refused = [400, "invalid_request", [{
    path: ["webhookUrl"],
    message: "Expected a host on the public Internet, not on this machine or a private network"
  }]]

  test.each([
    ["this machine", ["localhost", "LOCALHOST.:8443", "app.localhost", "127.0.0.1", "127.1", "0x7f.1", "2130706433",
      "017700000001", "0x7f000001:9", "127.0.0.1.", "%3127.0.0.1", "[::1]", "[0:0:0:0:0:0:0:1]", "0", "0.0.0.0",
      "[::]"]],
    ["a private network", ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "0xc0a80101", "[fc00::1]",
      "[fd12::1]"]],
    ["a provider's network", ["100.64.0.1", "100.127.255.255"]],
    ["the link-local network", ["169.254.169.254", "0xa9fea9fe", "[fe80::1]"]],
    ["many hosts", ["224.0.0.1", "255.255.255.255", "[ff02::1]"]],
    ["an IPv4 host in IPv6", ["[::ffff:127.0.0.1]", "[::ffff:a00:1]", "[::127.0.0.1]", "[64:ff9b::a00:1]",
      "[2002:7f00:1::]"]],
    ["an inner name", ["intranet", "printer.local", "hook.corp.internal", "metadata.google.internal.", "nas.home.arpa",
      "x.lan", "x.home", "x.corp", "x.private", "x.intranet", "x.localdomain", "localhost.localdomain"]],
    ["a name of no server of the DNS", ["x.test", "x.invalid", "x.onion", "x.alt", "ipv4only.arpa", "X.%4fnion"]],
    ["a name with an empty label", ["x.internal..", "x.local./", "localhost./", "localhost..", "127.0.0.1..",
      "x.onion...", "hooks.example.org..", "hooks..example.org", ".example.org"]]
  ])("of %s is refused", async (_, hosts) => {
    for (const host of hosts) {
      const { json, status } = await register({ webhookUrl: `https://${host}/hook` })
      assert.deepStrictEqual([status, json.error, json.issues], refused, host)
    }
  })

  test("on the public Internet is taken", async () => {
    for (
      const host of ["hooks.example.org", "hooks.example.org.", "93.184.215.14", "[2606:4700::1111]:8443",
        "local.example.org"]
    ) {
      assert.strictEqual((await register({ webhookUrl: `https://${host}/hook` })).status, 201, host)
    }
  })
})

describe("The operator", () => {
  test("disables an app, whose tokens read nothing from then on", async () => {
    const client = await registerClient(service, { confidential: true })
    const other = await registerClient(service, { confidential: true })
    const veteran = await signInVeteran(service)
    const { json: tokens } = await redeem(service, client, await giveCode(runtime, client, veteran))
    assert.isTrue(await isActive(service, client, tokens.access_token))
    const { json, status } = await act(client.clientId, "disable")
    assert.strictEqual(status, 200)
    assert.match(json.disabledAt, /Z$/)
    assert.notProperty(json, "clientSecret")
    const proof = basic(client.clientId, client.clientSecret!)
    assert.strictEqual(
      (await post(service, "/api/oauth/introspect", { token: tokens.access_token }, proof)).status,
      401
    )
    assert.deepStrictEqual((await act(client.clientId, "disable")).json, json)
    assert.strictEqual((await act(client.clientId, "rotate-secret")).status, 409)
    const shown = (await listAll()).find(({ clientId }) => clientId === client.clientId)
    assert.deepStrictEqual(shown, json)
    const proofOfOther = basic(other.clientId, other.clientSecret!)
    assert.strictEqual((await post(service, "/api/oauth/introspect", { token: "x" }, proofOfOther)).status, 200)
  })

  test("gives a confidential app a new secret, and the old one stops working", async () => {
    const { json: client } = await register({ confidential: true, webhookUrl: "https://app.example.org/hook" })
    const { json, status } = await act(client.clientId, "rotate-secret")
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(Object.keys(json).sort(), Object.keys(client).sort())
    assert.notStrictEqual(json.clientSecret, client.clientSecret)
    assert.match(json.clientSecret, /^[\w-]{43}$/)
    assert.isNull(json.webhookSecret)
    const ask = (secret: string) =>
      post(service, "/api/oauth/introspect", { token: "x" }, basic(client.clientId, secret))
    assert.strictEqual((await ask(client.clientSecret)).status, 401)
    assert.strictEqual((await ask(json.clientSecret)).status, 200)
  })

  test("cannot give a secret to a public app, nor change an unknown app", async () => {
    const { json } = await register()
    assert.deepStrictEqual([(await act(json.clientId, "rotate-secret")).json.error], ["conflict"])
    for (const what of ["disable", "rotate-secret"]) {
      assert.strictEqual((await act(nobody, what)).status, 404)
      assert.strictEqual((await act("x", what)).status, 400)
    }
    for (const headers of [{}, { "x-internal-admin-secret": "wrong" }]) {
      assert.strictEqual((await call(service, "POST", path, { headers, body })).status, 401)
    }
  })
})
