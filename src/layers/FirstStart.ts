import { Data, Effect, Layer, Redacted } from "effect"
import { randomBytes, randomUUID } from "node:crypto"
import * as Fs from "node:fs/promises"
import { join } from "node:path"
import { dataFolder, makeDataFolder } from "../services/platform/DataFolder.ts"
import { Settings } from "../services/platform/Settings.ts"

const secretFile = join(dataFolder, "veteran-session-exchange-secret")

export class ExchangeSecretNotKept extends Data.TaggedError("ExchangeSecretNotKept") {
  override readonly message =
    `the exchange secret cannot be kept in ${secretFile}: set VETERAN_SESSION_EXCHANGE_SECRET, or start in a folder where it can`
}

/** A first start makes an exchange secret and keeps it, so that a developer gives it to the phone app only once. */
export const SettingsAtFirstStart = Layer.effect(
  Settings,
  Effect.gen(function*() {
    const settings = yield* Settings
    if (!settings.firstStart) return settings
    const secret = yield* Effect.tryPromise({ try: keptSecret, catch: () => new ExchangeSecretNotKept() })
    return { ...settings, sessionExchangeSecret: secret, sessionExchangeSecretMade: true }
  })
).pipe(Layer.provide(Settings.layer))

/** The secret is written to a temporary file and then linked, so that simultaneous first starts use the same one. */
const keptSecret = async () => {
  await makeDataFolder()
  const fresh = `${secretFile}-${randomUUID()}`
  await Fs.writeFile(fresh, randomBytes(24).toString("base64url"), { mode: 0o600 })
  try {
    await Fs.link(fresh, secretFile)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  } finally {
    await Fs.rm(fresh)
  }
  const kept = await Fs.readFile(secretFile, "utf8")
  if (!/^[\w-]{32}$/.test(kept)) throw new ExchangeSecretNotKept()
  return Redacted.make(kept)
}
