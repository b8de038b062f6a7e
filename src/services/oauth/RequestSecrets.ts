import { Effect } from "effect"
import { Crypto } from "../platform/Crypto.ts"

/**
 * What is stored of a request's secrets: keyed hashes. A one-time code has eight digits only, so its hash is bound to its request.
 * The authorization code comes of the request itself, so that a form that is sent twice is answered with the same one.
 */
export const requestSecrets = Effect.map(Crypto, ({ keyedHash }) => {
  const codeHash = keyedHash("oauth-one-time-code")
  const authorizationCode = keyedHash("oauth-code-of-request")
  return {
    requestHash: keyedHash("oauth-request"),
    networkHash: keyedHash("veteran-network"),
    cookieHash: keyedHash("oauth-request-cookie"),
    codeHash: (requestHash: Uint8Array, code: string) => codeHash(requestHash, code),
    authorizationCode: (request: string) => authorizationCode(request).toString("base64url")
  }
})
