import { Context, Effect, Layer, Redacted } from "effect"
import { createHmac, createSecretKey, hkdfSync, type KeyObject, randomBytes, timingSafeEqual } from "node:crypto"
import { hashUnder, type Place } from "./Envelope.ts"
import { type Keyring, makeKeyring } from "./Keyring.ts"
import { Settings } from "./Settings.ts"

/** Seals values under TOKEN_ENCRYPTION_KEY (Keyring.ts), and hashes them under keys derived from APP_SECRET. */
export class Crypto extends Context.Service<
  Crypto,
  Keyring & {
    /** Opens a text. One that cannot be opened, as after a key was removed, is a defect. */
    readonly openText: (place: Place, sealed: Uint8Array) => Effect.Effect<string>
    /** Computes HMAC-SHA-256 under a key that is derived from APP_SECRET for `purpose` alone. */
    readonly keyedHash: (purpose: string) => (...parts: ReadonlyArray<string | Uint8Array>) => Buffer
    /** Derives a key from APP_SECRET for `purpose` alone. */
    readonly derivedKey: (purpose: string) => KeyObject
  }
>()("vrss/services/platform/Crypto") {
  static readonly layer = Layer.effect(
    Crypto,
    Effect.gen(function*() {
      const { appSecret, tokenEncryptionKeys } = yield* Settings

      const derivedKey = (purpose: string) =>
        createSecretKey(Buffer.from(hkdfSync("sha256", Redacted.value(appSecret), "", `vrss/1/${purpose}`, 32)))

      const keyring = makeKeyring(tokenEncryptionKeys)

      return Crypto.of({
        ...keyring,
        openText: (place, sealed) => Effect.orDie(Effect.map(keyring.open(place, sealed), String)),
        keyedHash: (purpose) => {
          const key = derivedKey(purpose)
          return (...parts) => hashUnder(key, ...parts)
        },
        derivedKey
      })
    })
  )
}

/** Makes a secret of 32 random bytes, which nobody can guess. */
export const newSecret = () => randomBytes(32).toString("base64url")

/** Compares two secrets by their hashes, which have the same length. So the time reveals nothing about the secrets. */
export const secretsEqual = (sent: string, expected: Redacted.Redacted): boolean => {
  const hash = (value: string) => createHmac("sha256", comparisonKey).update(value).digest()
  return timingSafeEqual(hash(sent), hash(Redacted.value(expected)))
}

const comparisonKey = createSecretKey(randomBytes(32))
