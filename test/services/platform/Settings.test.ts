import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { production } from "../../support/Production.ts"
import { complete, databases, type Environment, key, load, problems, secretNames, severalRule } from "./Environments.ts"

const databaseRule = "must be a postgres:// URL, with % encoding where a password has special characters"

const secretRule = "must hold at least 32 bytes and not be the development value"

const keyRule = "must be keyId:base64(32 bytes), comma-separated, with different key ids and no development key"

describe("Without any variable", () => {
  it.effect("the service is for development on this machine, with the embedded database", () =>
    Effect.gen(function*() {
      const settings = yield* load({})
      assert.strictEqual(settings.environment, "development")
      assert.isFalse(settings.production)
      assert.strictEqual(settings.port, 8080)
      assert.strictEqual(settings.host, "127.0.0.1")
      assert.strictEqual(settings.uploadDirectory, ".data/uploads")
      assert.deepStrictEqual(settings.database, {
        runtimeUrl: undefined,
        sessionUrl: undefined,
        ownerUrl: undefined,
        caCertificateFile: undefined
      })
      // FirstStart.ts makes this secret later, and keeps it in a file.
      assert.isUndefined(settings.sessionExchangeSecret)
      assert.isTrue(settings.firstStart)
      assert.strictEqual(settings.portalUrl, "http://localhost:8081")
      assert.deepStrictEqual(settings.portalOrigins, ["http://localhost:8081"])
      assert.isUndefined(settings.smtpUrl)
      assert.strictEqual(settings.trustedProxyHops, 0)
      assert.isAtLeast(Buffer.byteLength(Redacted.value(settings.appSecret)), 32)
      assert.deepStrictEqual(settings.tokenEncryptionKeys.map(({ id }) => id), ["development"])
    }))
})

describe("VETERAN_SESSION_EXCHANGE_SECRET", () => {
  it.effect("stays unset until it is given, and an empty value counts as unset", () =>
    Effect.gen(function*() {
      for (
        const environment of [{ PORT: "8081" }, { APP_SECRET: "x".repeat(32) }, {
          PORT: "8081",
          VETERAN_SESSION_EXCHANGE_SECRET: ""
        }]
      ) {
        const settings = yield* load(environment)
        assert.isUndefined(settings.sessionExchangeSecret)
        assert.isFalse(settings.sessionExchangeSecretMade)
      }
    }))

  it.effect("is used as it is given", () =>
    Effect.gen(function*() {
      const settings = yield* load({ VETERAN_SESSION_EXCHANGE_SECRET: "given" })
      assert.strictEqual(Redacted.value(settings.sessionExchangeSecret!), "given")
      assert.isFalse(settings.sessionExchangeSecretMade)
    }))
})

describe("APP_ENV", () => {
  it.effect.each<[Environment, string, boolean]>([
    [{ APP_ENV: "test" }, "test", false],
    [{ APP_ENV: "staging", NODE_ENV: "production", HOST: "127.0.0.1" }, "staging", false],
    [{ NODE_ENV: "test" }, "test", false],
    [{ APP_ENV: "", NODE_ENV: "test" }, "test", false],
    [{ ...complete, APP_ENV: undefined }, "production", true],
    [{ ...complete, NODE_ENV: undefined }, "production", true],
    [{ ...complete, NODE_ENV: "development" }, "production", true]
  ])("turns %o into the environment %s", ([environment, expected, production]) =>
    Effect.gen(function*() {
      const settings = yield* load(environment)
      assert.strictEqual(settings.environment, expected)
      assert.strictEqual(settings.production, production)
    }))

  it.effect("is one of four values in lower case", () =>
    Effect.gen(function*() {
      for (const environment of [{ APP_ENV: "prod" }, { APP_ENV: "PRODUCTION" }, { NODE_ENV: "production " }]) {
        assert.deepStrictEqual(yield* problems(environment), [
          "APP_ENV (or NODE_ENV where it is unset) must be one of development, test, staging, production"
        ])
      }
    }))
})

const google = {
  GOOGLE_CLIENT_ID: "client",
  GOOGLE_CLIENT_SECRET: "secret",
  GOOGLE_ISSUER: "https://accounts.google.com"
}

/** Each row has wrong values of a variable and what the error says about them. */
const malformed: ReadonlyArray<readonly [name: string, rule: string, values: ReadonlyArray<string>]> = [
  ["PORT", "must be a port number from 0 to 65535", ["x", "-1", "65536", "8080.5", "0x50", " 8080", "1e3"]],
  ...["DATABASE_APP_URL", "DATABASE_URL", "MIGRATION_DATABASE_URL"].map((name) =>
    [name, databaseRule, ["canary", "mysql://canary/vrss", "postgres://user:ca%nary@db/vrss"]] as const
  ),
  ...secretNames.map((name) => [name, secretRule + severalRule(name), ["canary", "x".repeat(31)]] as const),
  ["TOKEN_ENCRYPTION_KEY", keyRule, ["canary", key(1), `:${key(1)}`, `a:${key(1, 31)}`, `a:${key(1, 33)}`,
    `a b:${key(1)}`, `a:${key(1)},`, `a:${key(1)},a:${key(2)}`]],
  [
    "OAUTH_ISSUER",
    "must be an http or https URL without query or fragment",
    ["canary", "ftp://canary.example.org", "https://canary.example.org/api/oauth?a=b", "https://canary.example.org#a"]
  ],
  ["REQUIRE_IDENTITY_ASSERTION", "must be 'true' or 'false'", ["canary", "1"]],
  ["PROVIDER_PORTAL_URL", "must be an http or https URL without query or fragment", ["canary.example.org",
    "https://canary.example.org/?x", "https://canary.example.org/#x"]],
  ["PROVIDER_PORTAL_ORIGINS", "must be http or https origins, comma-separated", ["*", "null",
    "https://canary.example.org/", "https://canary.example.org/app", "https://CANARY.example.org", "https://a.example,",
    "ftp://a.example"]],
  ["ALLOW_LEGACY_HEADER_AUTH", "must be 'false': legacy header authentication is gone", ["true", "1", "FALSE", "no",
    " false"]],
  ["VETERAN_APP_URL", "must be an http or https URL without query or fragment", ["canary.example.org",
    "https://canary.example.org/?x"]],
  ["VETERAN_APP_ORIGINS", "must be http or https origins, comma-separated", ["*", "https://canary.example.org/"]],
  ["VETERAN_PAIRING", "must be 'mail' or 'operator'", ["canary", "MAIL", "none"]],
  ["SMTP_URL", "must be an smtp:// or smtps:// URL", ["https://canary.example.org", "canary"]],
  [
    "MAIL_FROM",
    "must be an e-mail address, or a name and an address: Veteran Records <no-reply@example.org>",
    ["canary", "<canary@example.org>", "Canary <canary>", "a@b.example <canary@example.org>",
      "Canary\nBcc: canary <c@example.org>"]
  ],
  [
    "OAUTH_ISSUER",
    "must have at most 76 characters before /api/oauth",
    [`https://canary.example/${"a".repeat(54)}/api/oauth`]
  ],
  ["ADMIN_EMAIL", "must be an e-mail address", ["canary", "canary <canary@example.org>"]],
  ["RECORD_LIMIT_MB", "must be a whole number from 1 to 999999", ["0", "-1", "1.5", "1000000", "one"]],
  ["INACTIVE_ITEM_DAYS", "must be a whole number from 1 to 36500", ["0", "-1", "36501", "90d"]],
  ["SESSION_EXCHANGE_PER_MINUTE", "must be a whole number from 1 to 10000", ["0", "10001", "many"]],
  ["TRUSTED_PROXY_HOPS", "must be a whole number from 0 to 10", ["-1", "11", "one", "1.5"]]
]

describe("A malformed variable", () => {
  it.effect.each(malformed.flatMap(([name, rule, values]) => values.map((value) => [name, value, rule] as const)))(
    "is named in one line that never contains the value: %s (%s)",
    ([name, value, rule]) =>
      Effect.gen(function*() {
        const told = yield* problems({ APP_ENV: "staging", HOST: "127.0.0.1", ...databases, [name]: value })
        assert.deepStrictEqual(told, [`${name} ${rule}`])
        assert.notInclude(told[0]!, "canary")
      })
  )

  it.effect("is reported together with every other malformed one", () =>
    Effect.gen(function*() {
      const told = yield* problems({
        APP_ENV: "test",
        PORT: "x",
        TRUSTED_PROXY_HOPS: "x",
        APP_SECRET: "x",
        GOOGLE_CLIENT_ID: "x"
      })
      assert.sameMembers([...told], [
        "PORT must be a port number from 0 to 65535",
        "TRUSTED_PROXY_HOPS must be a whole number from 0 to 10",
        `APP_SECRET ${secretRule}`,
        "GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET and GOOGLE_ISSUER must be set together or not at all"
      ])
    }))
})

describe("GOOGLE_ISSUER", () => {
  it.effect.each(["https://accounts.google.com", "http://127.0.0.1:8090", "http://localhost:8090/google"])(
    "may be %s",
    (issuer) =>
      Effect.gen(function*() {
        const settings = yield* load({ APP_ENV: "test", ...databases, ...google, GOOGLE_ISSUER: issuer })
        assert.deepStrictEqual([settings.google?.clientId, settings.google?.issuer], ["client", issuer])
      })
  )

  it.effect.each(["http://canary.example.org", "http://127.0.0.1.canary.example", "canary", "ftp://127.0.0.1",
    "https://canary.example.org/?x", "https://canary.example.org/#x"])(
      "may not be %s",
      (issuer) =>
        Effect.gen(function*() {
          const told = yield* problems({ APP_ENV: "test", ...databases, ...google, GOOGLE_ISSUER: issuer })
          assert.deepStrictEqual(told, [
            "GOOGLE_ISSUER must be an https URL without query or fragment, or an http one on loopback"
          ])
        })
    )
})

describe("The database", () => {
  const DATABASE_URL = "postgres://shared:secret@db.example.org/vrss"
  it.effect.each<[string, Environment, string, string]>([
    ["its own URLs", { ...databases, DATABASE_URL }, databases.DATABASE_APP_URL, databases.MIGRATION_DATABASE_URL],
    ["DATABASE_URL for both", { DATABASE_URL }, DATABASE_URL, DATABASE_URL],
    [
      "DATABASE_URL for the runtime",
      { DATABASE_URL, MIGRATION_DATABASE_URL: databases.MIGRATION_DATABASE_URL },
      DATABASE_URL,
      databases.MIGRATION_DATABASE_URL
    ],
    [
      "DATABASE_URL for the owner",
      { DATABASE_URL, DATABASE_APP_URL: databases.DATABASE_APP_URL },
      databases.DATABASE_APP_URL,
      DATABASE_URL
    ]
  ])("is reached by %s", ([_name, environment, runtime, owner]) =>
    Effect.gen(function*() {
      const { database: { ownerUrl, runtimeUrl } } = yield* load(environment)
      assert.strictEqual(Redacted.value(runtimeUrl!), runtime)
      assert.strictEqual(Redacted.value(ownerUrl!), owner)
    }))

  it.effect("outside production needs URLs for both roles, or none at all", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* problems({ DATABASE_APP_URL: databases.DATABASE_APP_URL }), [
        "MIGRATION_DATABASE_URL (or DATABASE_URL) is missing: the owner role's connection"
      ])
      assert.deepStrictEqual(yield* problems({ MIGRATION_DATABASE_URL: databases.MIGRATION_DATABASE_URL }), [
        "DATABASE_APP_URL (or DATABASE_URL) is missing: the runtime role's connection"
      ])
    }))
})

describe("The provider portal", () => {
  it.effect.each<[Record<string, string>, number | undefined, string, string]>([
    [{}, 8081, "http://localhost:8081", "http://localhost:8080"],
    [{ PORT: "8099" }, 8081, "http://localhost:8081", "http://localhost:8099"],
    [{ PORT: "8081" }, 8082, "http://localhost:8082", "http://localhost:8081"],
    [{ PORTAL_PORT: "8090" }, 8090, "http://localhost:8090", "http://localhost:8080"],
    [{ PORTAL_PORT: "0" }, undefined, "http://localhost:8081", "http://localhost:8080"],
    [{ PORTAL_PORT: "8090", PROVIDER_PORTAL_URL: "https://tunnel.example" }, 8090, "https://tunnel.example",
      "http://localhost:8080"],
    [{ APP_ENV: "test" }, undefined, "http://localhost:8081", "http://localhost:8080"],
    [{ APP_ENV: "test", PORTAL_PORT: "8090" }, 8090, "http://localhost:8090", "http://localhost:8080"]
  ])("with %o is served on port %s, linked to at %s, beside the service at %s", (
    [environment, port, portal, service]
  ) =>
    Effect.gen(function*() {
      const settings = yield* load(environment)
      assert.deepStrictEqual([settings.portalPort, settings.portalUrl, settings.publicUrl], [port, portal, service])
      assert.deepStrictEqual(settings.portalOrigins, [portal])
      assert.strictEqual(settings.firstStart, environment["APP_ENV"] === undefined)
    }))

  it.effect("has a separate port in development, and none in production", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* problems({ PORT: "8090", PORTAL_PORT: "8090" }), [
        "PORTAL_PORT must differ from PORT"
      ])
      assert.deepStrictEqual(yield* problems({ ...complete, PORTAL_PORT: "8090" }), [
        "PORTAL_PORT is for development: in production a web server serves the portal's pages"
      ])
      assert.isUndefined((yield* load(complete)).portalPort)
    }))

  it.effect("has a URL without slashes at its end, and its origin is allowed if no origins are listed", () =>
    Effect.gen(function*() {
      const { portalOrigins, portalUrl } = yield* load({ PROVIDER_PORTAL_URL: "https://portal.example.org:8443/app//" })
      assert.strictEqual(portalUrl, "https://portal.example.org:8443/app")
      assert.deepStrictEqual(portalOrigins, ["https://portal.example.org:8443"])
    }))

  it.effect("has exactly the origins that are listed", () =>
    Effect.gen(function*() {
      const { portalOrigins } = yield* load({
        PROVIDER_PORTAL_ORIGINS: "https://a.example.org , http://localhost:3000"
      })
      assert.deepStrictEqual(portalOrigins, ["https://a.example.org", "http://localhost:3000"])
    }))
})

describe("In production", () => {
  it.effect("complete settings need no URL for the database's owner", () =>
    Effect.gen(function*() {
      const settings = yield* load(complete)
      assert.isTrue(settings.production)
      assert.strictEqual(settings.host, "0.0.0.0")
      assert.isUndefined(settings.database.ownerUrl)
      assert.deepStrictEqual(settings.tokenEncryptionKeys.map(({ id }) => id), ["first", "second"])
    }))

  const withDefault = [...secretNames, "OAUTH_ISSUER", "TOKEN_ENCRYPTION_KEY", "UPLOAD_DIR", "PROVIDER_PORTAL_URL",
    "SMTP_URL", "MAIL_FROM", "ADMIN_EMAIL"]
  it.effect.each<[string, string]>([
    ...withDefault.map((name): [string, string] => [name, `${name} is missing: production has no default for it`]),
    ["VETERAN_SESSION_EXCHANGE_SECRET", "VETERAN_SESSION_EXCHANGE_SECRET is missing"],
    ["DATABASE_APP_URL", "DATABASE_APP_URL (or DATABASE_URL) is missing: the runtime role's connection"]
  ])("the variable %s is required, and empty counts as unset", ([name, problem]) =>
    Effect.gen(function*() {
      for (const value of [undefined, ""]) {
        assert.deepStrictEqual(yield* problems({ ...complete, [name]: value }), [problem])
      }
    }))

  const wrongIssuer = "OAUTH_ISSUER must be an https URL that ends in /api/oauth"
  const other = "another secret of at least 32 bytes"
  const mustDiffer = `${[...secretNames, "VETERAN_SESSION_EXCHANGE_SECRET"].join(", ")} must all differ`
  it.effect.each<[string, Environment, string]>([
    ...secretNames.slice(1).map((name): [string, Environment, string] => [
      `one value for APP_SECRET and ${name}`,
      { [name]: production.APP_SECRET },
      mustDiffer
    ]),
    ["the exchange secret used twice", { VETERAN_SESSION_EXCHANGE_SECRET: production.WEBHOOK_SECRET }, mustDiffer],
    [
      "a portal without TLS",
      { PROVIDER_PORTAL_URL: "http://portal.example.org" },
      "PROVIDER_PORTAL_URL must be an https URL without query or fragment"
    ],
    [
      "an origin without TLS",
      { PROVIDER_PORTAL_ORIGINS: "https://portal.example.org,http://portal.example.org" },
      "PROVIDER_PORTAL_ORIGINS must be https origins, comma-separated"
    ],
    [
      "a Google issuer without TLS, even on loopback",
      { ...google, GOOGLE_ISSUER: "http://127.0.0.1:8090" },
      "GOOGLE_ISSUER must be an https URL without query or fragment"
    ],
    ["an issuer without TLS", { OAUTH_ISSUER: "http://api.example.org/api/oauth" }, wrongIssuer],
    ["an issuer at another path", { OAUTH_ISSUER: "https://api.example.org" }, wrongIssuer],
    [
      "another secret among the operators'",
      { APP_SECRET: other, INTERNAL_ADMIN_SECRET: `anna:the secret of Anna of at least 32 bytes,bob:${other}` },
      mustDiffer
    ],
    [
      "legacy header authentication",
      { ALLOW_LEGACY_HEADER_AUTH: "true" },
      "ALLOW_LEGACY_HEADER_AUTH must be 'false': legacy header authentication is gone"
    ]
  ])("%s is refused", ([_name, changes, problem]) =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* problems({ ...complete, ...changes }), [problem])
    }))

  it.effect("a start without any variable is refused with a line for each required one", () =>
    Effect.gen(function*() {
      const told = yield* problems({ NODE_ENV: "production" })
      assert.lengthOf(new Set(told), withDefault.length + 2)
    }))
})
