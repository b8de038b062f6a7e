import { Effect } from "effect"
import { Crypto } from "../platform/Crypto.ts"

/**
 * What is stored of the secrets of apps: keyed hashes, by which a secret that was sent is found and which nobody who reads the
 * database can send.
 */
export const oauthSecrets = Effect.map(Crypto, ({ keyedHash }) => {
  const clientSecretHash = keyedHash("oauth-client-secret")
  return {
    clientSecretHash: (clientId: string, secret: string) => clientSecretHash(clientId, secret),
    authorizationCodeHash: keyedHash("oauth-authorization-code"),
    refreshFamilyHash: keyedHash("oauth-refresh-family"),
    refreshTokenHash: keyedHash("oauth-refresh-token")
  }
})
