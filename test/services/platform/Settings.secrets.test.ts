import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { production } from "../../support/Production.ts"
import {
  complete,
  databases,
  type Environment,
  key,
  load,
  problems,
  realKeyRule,
  realSecretRule,
  secretNames,
  sharedSecretRule
} from "./Environments.ts"

const withoutSecrets = {
  ...complete,
  NODE_ENV: undefined,
  MIGRATION_DATABASE_URL: databases.MIGRATION_DATABASE_URL,
  ...Object.fromEntries(
    [...secretNames, "TOKEN_ENCRYPTION_KEY", "VETERAN_SESSION_EXCHANGE_SECRET"].map((name) => [name, undefined])
  )
}

describe("Secrets and the address in HOST", () => {
  const open: ReadonlyArray<Environment> = [
    { APP_ENV: "staging" },
    ...["0.0.0.0", "::", "192.0.2.2", "::ffff:127.0.0.1", "127.example.org", "db.internal"].flatMap((HOST) =>
      ["development", "test", "staging"].map((APP_ENV) => ({ APP_ENV, HOST }))
    )
  ]

  it.effect.each(open)(
    "every secret is required beyond loopback in any APP_ENV: %o",
    (environment) =>
      Effect.gen(function*() {
        assert.sameMembers(
          [...yield* problems({ ...withoutSecrets, ...environment })],
          [...secretNames, "TOKEN_ENCRYPTION_KEY"].map((name) =>
            `${name} is missing: it has no default where HOST is no loopback address`
          )
        )
        const settings = yield* load({ ...complete, ...databases, VETERAN_SESSION_EXCHANGE_SECRET: "", ...environment })
        assert.isTrue(settings.exposed)
        assert.isFalse(settings.production)
        assert.isUndefined(settings.sessionExchangeSecret)
      })
  )

  it.effect("staging refuses the same value for two secrets", () =>
    Effect.gen(function*() {
      const staging = { ...complete, ...databases, APP_ENV: "staging", APP_SECRET: production.WEBHOOK_SECRET }
      assert.match((yield* problems(staging))[0]!, /must all differ$/)
    }))

  it.effect("a loopback address requires no secret outside production", () =>
    Effect.gen(function*() {
      for (const HOST of ["localhost", "::1", "127.0.0.1", "127.1.2.3"]) {
        for (const APP_ENV of ["development", "test", "staging"]) {
          assert.isFalse((yield* load({ ...withoutSecrets, APP_ENV, HOST })).exposed)
        }
      }
    }))
})

const developmentKey = Buffer.from("development only encryption key!").toString("base64")

describe("A weak secret, or one of development,", () => {
  const weak: ReadonlyArray<readonly [name: string, rule: string, values: ReadonlyArray<string>]> = [
    ...secretNames.map((name) =>
      [name, realSecretRule(name), ["a".repeat(32), "abcdefghi".repeat(8),
        `development only, never in production: ${name}`]] as const
    ),
    ["VETERAN_SESSION_EXCHANGE_SECRET", sharedSecretRule, ["x", "abcdefghijklmnopqrstuvwxyz01234", "a".repeat(32)]],
    ["TOKEN_ENCRYPTION_KEY", realKeyRule, [`a:${key(0)}`, `${production.TOKEN_ENCRYPTION_KEY},a:${key(7)}`,
      `development:${developmentKey}`, `${production.TOKEN_ENCRYPTION_KEY},b:${developmentKey}`]]
  ]

  it.effect.each(weak)(
    "is refused in production and if HOST is not a loopback address: %s",
    (row) =>
      Effect.gen(function*() {
        const [name, rule, values] = row
        for (const where of [{}, { APP_ENV: "staging" }, { APP_ENV: "test", HOST: "0.0.0.0" }]) {
          for (const value of values) {
            assert.deepStrictEqual(yield* problems({ ...complete, ...databases, ...where, [name]: value }), [
              `${name} ${rule}`
            ])
          }
        }
      })
  )

  it.effect("is accepted outside production on a loopback address, which no other machine can reach", () =>
    Effect.gen(function*() {
      for (const [name, , [value]] of weak) {
        assert.deepStrictEqual(
          yield* problems({ ...withoutSecrets, APP_ENV: "test", HOST: "127.0.0.1", [name]: value }),
          []
        )
      }
    }))
})
