import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { complete, databases, type Environment, load, problems } from "./Environments.ts"

const va = {
  VA_CLIENT_ID: "our-client",
  VA_ISSUER: "https://va.okta.example.org/oauth2/default",
  VA_KEYS: "/etc/vrss/va-keys.json",
  VA_AUTHORIZATION_URL: "https://api.va.example.org/oauth2/health/v1/authorization",
  VA_TOKEN_URL: "https://api.va.example.org/oauth2/health/v1/token",
  VA_FHIR_BASE: "https://api.va.example.org/services/fhir/v0/r4",
  VA_SCOPES: "openid launch/patient patient/Condition.read patient/Patient.read",
  VA_RESOURCE_TYPES: "Condition, Patient"
}

const staging = { APP_ENV: "staging", HOST: "127.0.0.1", ...databases }

const published = { ...va, VETERAN_APP_URL: "https://my.example.org" }

describe("The veteran's app", () => {
  it.effect.each<[Environment, number | undefined, string]>([
    [{}, 8082, "http://localhost:8082"],
    [{ VETERAN_APP_PORT: "8095" }, 8095, "http://localhost:8095"],
    [{ VETERAN_APP_PORT: "0" }, undefined, "http://localhost:8082"],
    [{ PORT: "8081" }, 8083, "http://localhost:8083"],
    [{ PORT: "8082" }, 8083, "http://localhost:8083"],
    [{ VETERAN_APP_URL: "https://tunnel.example/" }, 8082, "https://tunnel.example"],
    [{ APP_ENV: "test" }, undefined, "http://localhost:8082"],
    [{ APP_ENV: "test", VETERAN_APP_PORT: "8095" }, 8095, "http://localhost:8095"]
  ])("with %o is served on port %s, and found at %s", ([environment, port, url]) =>
    Effect.gen(function*() {
      const { veteranApp } = yield* load(environment)
      const stands = port !== undefined || "VETERAN_APP_URL" in environment
      assert.deepStrictEqual(veteranApp, { url, origins: [new URL(url).origin], port, stands })
    }))

  it.effect("has exactly the origins that are listed", () =>
    Effect.gen(function*() {
      const { veteranApp } = yield* load({ VETERAN_APP_ORIGINS: "https://a.example.org , http://localhost:3000" })
      assert.deepStrictEqual(veteranApp.origins, ["https://a.example.org", "http://localhost:3000"])
    }))

  it.effect("has its own port in development, and none in production", () =>
    Effect.gen(function*() {
      for (const port of ["8080", "8081"]) {
        assert.deepStrictEqual(yield* problems({ VETERAN_APP_PORT: port }), [
          "VETERAN_APP_PORT must differ from PORT and PORTAL_PORT"
        ])
      }
      assert.deepStrictEqual(yield* problems({ ...complete, VETERAN_APP_PORT: "8095" }), [
        "VETERAN_APP_PORT is for development: in production a web server serves the app's pages"
      ])
      assert.isUndefined((yield* load(complete)).veteranApp.port)
    }))
})

describe("The VA", () => {
  it.effect("is the sandbox in development, whose issuer is not its address", () =>
    Effect.gen(function*() {
      const { sandboxVaPort, va, veteranPairing } = yield* load({})
      assert.strictEqual(sandboxVaPort, 8083)
      assert.strictEqual(va?.issuer, "http://localhost:8083/okta")
      assert.strictEqual(va?.keys, "http://localhost:8083/oauth2/health/v1/keys")
      assert.strictEqual(veteranPairing, "mail")
    }))

  it.effect.each<Environment>([
    { SANDBOX_VA_PORT: "0" },
    { APP_ENV: "test" },
    { ...complete, ...databases, HOST: "0.0.0.0", APP_ENV: "development", NODE_ENV: "development" },
    complete
  ])("is nobody with %o", (environment) =>
    Effect.gen(function*() {
      const { sandboxVaPort, va } = yield* load(environment)
      assert.deepStrictEqual([va, sandboxVaPort], [undefined, undefined])
    }))

  it.effect("is as configured, and the sandbox does not run", () =>
    Effect.gen(function*() {
      const { sandboxVaPort, va: configured } = yield* load({ ...complete, ...published })
      assert.isUndefined(sandboxVaPort)
      assert.deepStrictEqual(configured, {
        clientId: "our-client",
        issuer: "https://va.okta.example.org/oauth2/default",
        keys: "/etc/vrss/va-keys.json",
        authorizationUrl: "https://api.va.example.org/oauth2/health/v1/authorization",
        tokenUrl: "https://api.va.example.org/oauth2/health/v1/token",
        fhirBase: "https://api.va.example.org/services/fhir/v0/r4",
        scopes: "openid launch/patient patient/Condition.read patient/Patient.read",
        resourceTypes: ["Condition", "Patient"]
      })
    }))

  it.effect("takes what is unset from the sandbox outside production", () =>
    Effect.gen(function*() {
      const { sandboxVaPort, va } = yield* load({ APP_ENV: "test", VA_ISSUER: "http://127.0.0.1:9/issuer" })
      assert.isUndefined(sandboxVaPort)
      assert.strictEqual(va?.issuer, "http://127.0.0.1:9/issuer")
      assert.strictEqual(va?.clientId, "sandbox-veteran-app")
    }))

  it.effect.each<[Environment, ReadonlyArray<string>]>([
    [{ ...complete, ...va }, ["VETERAN_APP_URL must be set if any of VA_* is set"]],
    [{ ...staging, ...published, VA_KEYS: "", VA_SCOPES: "" }, [
      "VA_KEYS, VA_SCOPES must be set if any of VA_* is set"
    ]],
    [{ ...complete, ...published, VA_TOKEN_URL: "http://localhost:8083/token" }, [
      "VA_TOKEN_URL must be an https URL without query or fragment"
    ]],
    [{ ...staging, ...published, VA_TOKEN_URL: "http://localhost:8083/token" }, [
      "VA_TOKEN_URL must be an https address"
    ]],
    [{ ...staging, ...published, VETERAN_APP_ORIGINS: "https://a.example.org, http://canary.example.org" }, [
      "VETERAN_APP_ORIGINS must be an https address"
    ]],
    [{ ...complete, SANDBOX_VA_PORT: "8083" }, ["SANDBOX_VA_PORT is for development on this machine alone: unset it"]],
    [{ ...staging, SANDBOX_VA_PORT: "8083" }, ["SANDBOX_VA_PORT is for development on this machine alone: unset it"]],
    [{ ...databases, APP_ENV: "test", SANDBOX_VA_PORT: "8083" }, [
      "SANDBOX_VA_PORT is for development on this machine alone: unset it"
    ]]
  ])("is refused with %o", ([environment, expected]) =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* problems(environment), expected)
    }))

  it.effect.each([
    ["VA_KEYS", "http://canary.example.org/keys"],
    ["VA_KEYS", "ftp://canary.example.org/keys"],
    ["VA_SCOPES", "openid launch/patient patient/*.read"],
    ["VA_SCOPES", "openid patient/Condition.read"],
    ["VA_SCOPES", "launch/patient"],
    ["VA_SCOPES", "openid launch/patient canary\n"],
    ["VA_RESOURCE_TYPES", "Condition,Condition"],
    ["VA_RESOURCE_TYPES", "canary"],
    ["VA_RESOURCE_TYPES", "Condition,"],
    ["VA_FHIR_BASE", "http://canary.example.org"],
    ["VA_AUTHORIZATION_URL", "https://canary.example.org/?next=a"]
  ])("is refused in words that never hold the value: %s=%s", ([name, value]) =>
    Effect.gen(function*() {
      const [problem, ...others] = yield* problems({ APP_ENV: "test", ...databases, [name!]: value })
      assert.deepStrictEqual(others, [])
      assert.isTrue(problem?.startsWith(`${name} must be `))
      assert.notInclude(problem, "canary")
    }))
})
