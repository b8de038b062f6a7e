import { ConfigProvider, Effect, Layer } from "effect"
import { Settings, type SettingsInvalid } from "../../../src/services/platform/Settings.ts"
import { production } from "../../support/Production.ts"

/** Helpers for the tests of the settings. */

export type Environment = Record<string, string | undefined>

export const load = (environment: Environment) => {
  const provider = ConfigProvider.fromUnknown(environment, { preserveEmptyStrings: true })
  return Effect.provide(
    Effect.map(Settings, (settings) => settings),
    Layer.provide(Settings.layer, ConfigProvider.layer(provider))
  )
}

export const problems = (environment: Environment): Effect.Effect<ReadonlyArray<string>> =>
  Effect.match(load(environment), {
    onFailure: (error: SettingsInvalid) => error.problems,
    onSuccess: () => []
  })

export const databases = {
  DATABASE_APP_URL: "postgres://vrss_app:secret@db.example.org/vrss",
  MIGRATION_DATABASE_URL: "postgres://vrss_owner:secret@db.example.org/vrss"
}

export const complete = { ...production, DATABASE_APP_URL: databases.DATABASE_APP_URL }

export const key = (byte: number, bytes = 32) => Buffer.alloc(bytes, byte).toString("base64")

export const secretNames = ["APP_SECRET", "PROVIDER_JWT_SECRET", "OAUTH_JWT_SECRET", "IDENTITY_ASSERTION_SECRET",
  "WEBHOOK_SECRET", "PROOF_DRAINER_SECRET", "INTERNAL_ADMIN_SECRET"]

/** The rule for secrets if other machines can reach the service. */
export const realSecretRule = (name: string) =>
  `must hold at least 32 bytes, ten different ones, and not be the development value${severalRule(name)}`

/** What a problem says besides of the one variable that may hold several secrets. */
export const severalRule = (name: string) =>
  name === "INTERNAL_ADMIN_SECRET"
    ? "; several are name:secret,name:secret, with different names of a-z, 0-9 and -, and no other comma"
    : ""

export const sharedSecretRule = "must hold at least 32 bytes, ten different ones"

export const realKeyRule =
  "must be keyId:base64(32 bytes), comma-separated, with different key ids, ten different bytes in each, and no development key"
