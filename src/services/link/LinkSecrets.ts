import { Effect } from "effect"
import { Crypto } from "../platform/Crypto.ts"

/**
 * What is stored of a link's three secrets: keyed hashes, by which a secret that was sent is found and which nobody who
 * reads the database can send. A code has eight digits only, so its hash is bound to its link and its challenge.
 */
export const linkSecrets = Effect.map(Crypto, ({ keyedHash }) => {
  const codeHash = keyedHash("secure-link-code")
  return {
    tokenHash: keyedHash("secure-link-token"),
    codeHash: (tokenHash: Uint8Array, challengeId: string, code: string) => codeHash(tokenHash, challengeId, code),
    sessionHash: keyedHash("secure-link-view-session")
  }
})
