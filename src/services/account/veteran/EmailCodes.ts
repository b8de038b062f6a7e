import { Effect } from "effect"
import { Crypto } from "../../platform/Crypto.ts"
import { codeOfId } from "../session/PairingCodes.ts"

/** Codes that confirm a new address. Each is derived from its challenge's id, so that the outbox holds no code. */
export const emailCodes = Effect.map(Crypto, ({ derivedKey, keyedHash }) => {
  const key = derivedKey("email-code")
  const hash = keyedHash("email-code-hash")
  return {
    mailed: (challengeId: string) => codeOfId(key, challengeId),
    /** Ignores spaces and hyphens, which people type. */
    hashOf: (challengeId: string, code: string) => hash(challengeId, code.replace(/[\s-]/g, ""))
  }
})
