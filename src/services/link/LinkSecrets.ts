import { Effect } from "effect"
import { Crypto } from "../platform/Crypto.ts"

/**
 * Keyed hashes of a link's secrets. The service finds a sent secret by its hash, but somebody who reads the
 * database does not learn the secret. Two links may have the same code of eight digits. Their hashes differ, because
 * the hash of a code also covers the link and the challenge.
 */
export const linkSecrets = Effect.map(Crypto, ({ keyedHash }) => {
  const codeHash = keyedHash("secure-link-code")
  return {
    tokenHash: keyedHash("secure-link-token"),
    codeHash: (tokenHash: Uint8Array, challengeId: string, code: string) => codeHash(tokenHash, challengeId, code),
    /** Finds whether a veteran made a link to an address before. It differs from veteran to veteran. */
    recipientHash: keyedHash("secure-link-recipient"),
    sessionHash: keyedHash("secure-link-view-session"),
    manifestHash: keyedHash("smart-health-link-manifest")
  }
})
