import { Effect } from "effect"
import { createHmac, type KeyObject } from "node:crypto"
import { Crypto } from "../../platform/Crypto.ts"
import { readSpokenCode } from "../../platform/SpokenCode.ts"

const digits = 8

/**
 * Codes that pair an account of the VA with a veteran. Keyed hashes are stored. The mailed code is derived from the
 * pairing's id under a key of the service, so that the outbox needs to hold no code.
 */
export const pairingCodes = Effect.map(Crypto, ({ derivedKey, keyedHash }) => {
  const key = derivedKey("pairing-code-by-mail")
  const mailedHash = keyedHash("pairing-code-by-mail-hash")
  const operatorHash = keyedHash("pairing-code-of-operator")
  return {
    mailed: (pairingId: string) => codeOfId(key, pairingId),
    /** The hashes ignore spaces and hyphens, which people type. */
    mailedHash: (pairingId: string, code: string) => mailedHash(pairingId, code.replace(/[\s-]/g, "")),
    operatorHash: (code: string) => operatorHash(readSpokenCode(code))
  }
})

/** Derives a code of eight digits from an id. */
export const codeOfId = (key: KeyObject, id: string) => {
  const bits = createHmac("sha256", key).update(id).digest().readBigUInt64BE()
  return `${bits % BigInt(10 ** digits)}`.padStart(digits, "0")
}
