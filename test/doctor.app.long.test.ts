import { exportJWK, generateKeyPair } from "jose"
import { generateKeyPairSync } from "node:crypto"
import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, test } from "vitest"
import { freePort } from "../src/postgres/EmbeddedPostgres.ts"
import { used } from "./support/App.ts"
import { base, type Environment, file, found, run, sound } from "./support/Deployment.ts"

const publicKey = async (alg: string) => {
  const { publicKey } = await generateKeyPair(alg, { extractable: true })
  return { ...await exportJWK(publicKey), kid: "own", alg, use: "sig" }
}

const short = generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey.export({ format: "jwk" })

const keys = (...all: ReadonlyArray<unknown>) => JSON.stringify({ keys: all })

const rsa = await publicKey("RS256")

const withApp = {
  ...base,
  VETERAN_APP_URL: "https://app.example.org",
  VA_CLIENT_ID: "client",
  VA_ISSUER: "https://va.okta.com/oauth2/default",
  VA_KEYS: await file("va-keys.json", keys(rsa)),
  VA_AUTHORIZATION_URL: "https://api.va.gov/oauth2/health/v1/authorization",
  VA_TOKEN_URL: "https://api.va.gov/oauth2/health/v1/token",
  VA_FHIR_BASE: "https://api.va.gov/services/fhir/v0/r4",
  VA_SCOPES: "openid launch/patient patient/Condition.read",
  VA_RESOURCE_TYPES: "Condition",
  VETERAN_PAIRING: "operator",
  REQUIRE_IDENTITY_ASSERTION: "true"
}

/** In development an address on loopback needs no TLS. */
const development = (VA_KEYS: string) => ({
  ...withApp,
  APP_ENV: "development",
  HOST: "127.0.0.1",
  MIGRATION_DATABASE_URL: sound.url("owner"),
  VA_KEYS
})

const answering = async (listener: RequestListener) => {
  const server = createServer(listener).listen(0, "127.0.0.1")
  await once(server, "listening")
  const close = async () => {
    server.closeAllConnections()
    server.close()
  }
  await used(Promise.resolve({ close }))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`
}

describe("The doctor finds nothing wrong with a veteran's app", () => {
  test("if its addresses, its origins and the VA's keys are right", async () => {
    assert.deepStrictEqual(await found(withApp), [])
    const VA_KEYS = await file("ec.json", keys(await publicKey("ES256")))
    const VETERAN_APP_ORIGINS = "https://app.example.org,https://other.example.org"
    assert.deepStrictEqual(await found({ ...withApp, VA_KEYS, VETERAN_APP_ORIGINS }), [])
  })

  test("if the keys come from an address, beside keys that the service does not use", async () => {
    const all = keys({ kty: "oct", kid: "secret" }, null, { kty: "RSA", kid: "broken" }, rsa)
    const address = await answering((request, response) => response.end(request.url === "/keys" ? all : ""))
    assert.deepStrictEqual(await found(development(address)), [])
  })
})

describe("The doctor gives advice that leaves a deployment sound:", () => {
  test("the old exchange stays open, and what mailed codes do not hold", async () => {
    const environment = { ...withApp, VETERAN_PAIRING: undefined, REQUIRE_IDENTITY_ASSERTION: undefined }
    const { code, stdout } = await run(environment)
    assert.strictEqual(code, 0)
    assert.match(stdout, /^ADVICE {2}enrolment of veterans: REQUIRE_IDENTITY_ASSERTION is false\.\n {2}The session/)
    assert.match(stdout, /^ADVICE {2}enrolment of veterans: VETERAN_PAIRING is mail\.\n {2}A mailed code/m)
    assert.match(stdout, /sound: 28 checks found nothing; advice: 2\n$/)
  })
})

const closed = await freePort()

const noUsableKey =
  "error keys of the VA: VA_KEYS has no usable key: none for RS256 (from 2048 bits) or ES256 that has a kid."

/** Each element breaks the app's addresses and, beside them, the VA's keys, which the doctor looks at by themselves. */
const broken: ReadonlyArray<readonly [what: string, Environment, expected: ReadonlyArray<string | RegExp>]> = [
  [
    "a sandbox's addresses, an app under a path on this machine that may not call the service, no file of keys",
    {
      VA_ISSUER: "https://deptva-eval.okta.com/oauth2/x",
      VA_FHIR_BASE: "https://sandbox-api.va.gov/services/fhir/v0/r4",
      VETERAN_APP_URL: "https://127.0.0.1/records",
      VETERAN_APP_ORIGINS: "https://other.example.org",
      VA_KEYS: "/nowhere/keys.json"
    },
    [
      "error veteran's app: VA_ISSUER, VA_FHIR_BASE: a sandbox's address in production.",
      "error veteran's app: VETERAN_APP_ORIGINS does not have https://127.0.0.1, the origin of VETERAN_APP_URL.",
      "error veteran's app: VETERAN_APP_URL has a path.",
      "error veteran's app: VETERAN_APP_URL names this machine.",
      "error keys of the VA: VA_KEYS cannot be read (ENOENT)."
    ]
  ],
  ["an issuer on this machine, no keys at an address", {
    VA_ISSUER: "https://localhost:8083/okta",
    VA_KEYS: `https://127.0.0.1:${closed}/keys`
  }, [
    "error veteran's app: VA_ISSUER: a sandbox's address in production.",
    "error keys of the VA: VA_KEYS cannot be read (ECONNREFUSED)."
  ]],
  ["an app at the portal's origin, a folder in place of the file of keys", {
    VETERAN_APP_URL: withApp.PROVIDER_PORTAL_URL,
    VA_KEYS: "/"
  }, [
    `error veteran's app: ${withApp.PROVIDER_PORTAL_URL}: an origin of the veteran's app and of the portal.`,
    "error keys of the VA: VA_KEYS cannot be read (no file)."
  ]],
  ["the portal's origin beside the app's, a file of keys that is no JSON", {
    VETERAN_APP_ORIGINS: `https://app.example.org,${withApp.PROVIDER_PORTAL_URL}`,
    VA_KEYS: await file("text.json", "canary")
  }, [
    `error veteran's app: ${withApp.PROVIDER_PORTAL_URL}: an origin of the veteran's app and of the portal.`,
    "error keys of the VA: VA_KEYS cannot be read (no JSON)."
  ]],
  ["an app without a name, a file of keys that has no list of them", {
    VETERAN_APP_URL: "https://203.0.113.7",
    VA_KEYS: await file("null.json", "null")
  }, ["warning veteran's app: VETERAN_APP_URL has an IP address instead of a name.", noUsableKey]],
  ["an app without a name, by IPv6, keys without a key of use", {
    VETERAN_APP_URL: "https://[2001:db8::7]",
    VA_KEYS: await file(
      "useless.json",
      keys(
        { ...rsa, kid: undefined },
        { ...rsa, use: "enc" },
        { ...rsa, key_ops: ["sign"] },
        { ...rsa, alg: "RS512" },
        { ...short, kid: "short" },
        await publicKey("ES384")
      )
    )
  }, ["warning veteran's app: VETERAN_APP_URL has an IP address instead of a name.", noUsableKey]],
  ["an app's origin without TLS, keys at an address without TLS", {
    VETERAN_APP_ORIGINS: "https://app.example.org,http://app.example.org",
    VA_KEYS: "http://va.example/keys"
  }, [
    /^error configuration: VA_KEYS must be an https URL .*, or a file's path\.$/,
    "error configuration: VETERAN_APP_ORIGINS must be https origins, comma-separated."
  ]],
  ["an app in staging without TLS", {
    APP_ENV: "staging",
    MIGRATION_DATABASE_URL: sound.url("owner"),
    VETERAN_APP_URL: "http://app.example.org"
  }, ["error configuration: VETERAN_APP_URL must be an https address."]],
  ["half of the VA's variables", { VA_TOKEN_URL: undefined, VA_KEYS: undefined }, [
    "error configuration: VA_KEYS, VA_TOKEN_URL must be set if any of VA_* is set."
  ]]
]

describe("The doctor finds these faults of a veteran's app and nothing else:", () => {
  test.each(broken)("%s", async (_, changes, expected) => {
    const findings = await found({ ...withApp, ...changes })
    assert.lengthOf(findings, expected.length, findings.join("\n"))
    for (const one of expected) {
      assert.isTrue(
        findings.some((finding) => typeof one === "string" ? finding === one : one.test(finding)),
        `${one} in\n${findings.join("\n")}`
      )
    }
  })
})

describe("When the doctor fetches the VA's keys, it", () => {
  const finding = async (listener: RequestListener) => await found(development(await answering(listener)))

  test("follows no redirect, and sends no cookie, no token and no query", async () => {
    const asked: Array<unknown> = []
    const findings = await finding(({ headers, url }, response) => {
      asked.push([url, headers.authorization, headers.cookie, headers.referer])
      response.writeHead(302, { location: "/elsewhere" }).end(keys(rsa))
    })
    assert.deepStrictEqual(findings, ["error keys of the VA: VA_KEYS cannot be read (302)."])
    assert.deepStrictEqual(asked, [["/keys", undefined, undefined, undefined]])
  })

  test("waits five seconds for an answer that stands still, and reads no more than 256 KiB", async () => {
    const silent = await finding((_, response) => void response.write("{"))
    assert.deepStrictEqual(silent, ["error keys of the VA: VA_KEYS cannot be read (TimeoutError)."])
    const endless = await finding((_, response) => {
      const more = (): void => void (response.writable && response.write(" ".repeat(65_536), () => setImmediate(more)))
      more()
    })
    assert.deepStrictEqual(endless, ["error keys of the VA: VA_KEYS cannot be read (too large)."])
  })

  test("repeats nothing of a refusal", async () => {
    const findings = await finding((_, response) => response.writeHead(500).end("canary"))
    assert.deepStrictEqual(findings, ["error keys of the VA: VA_KEYS cannot be read (500)."])
  })
})
