import { Effect } from "effect"
import { Crypto } from "../platform/Crypto.ts"

/** Apps' secrets are stored as keyed hashes only, so that nobody who reads the database can use them. */
export const oauthSecrets = Effect.map(Crypto, ({ keyedHash }) => {
  const clientSecretHash = keyedHash("oauth-client-secret")
  return {
    clientSecretHash: (clientId: string, secret: string) => clientSecretHash(clientId, secret),
    authorizationCodeHash: keyedHash("oauth-authorization-code"),
    refreshFamilyHash: keyedHash("oauth-refresh-family"),
    refreshTokenHash: keyedHash("oauth-refresh-token")
  }
})
