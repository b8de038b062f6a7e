import { Effect } from "effect"
import { createHmac } from "node:crypto"
import { Crypto } from "../../platform/Crypto.ts"

/**
 * Tokens of the links by which providers choose a password. A token has 256 bits. It is derived from the link's id
 * under a key of the service, so that the outbox needs to hold no token. Keyed hashes are stored.
 */
export const passwordLinks = Effect.map(Crypto, ({ derivedKey, keyedHash }) => {
  const key = derivedKey("provider-password-link")
  const tokenHash = keyedHash("provider-password-link-hash")
  return {
    token: (linkId: string) => createHmac("sha256", key).update(linkId).digest("base64url"),
    tokenHash: (token: string) => tokenHash(token)
  }
})
