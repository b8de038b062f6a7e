import { Effect } from "effect"
import type { VeteranId } from "../../domain/Id.ts"
import { Crypto } from "../platform/Crypto.ts"
import { slotOf } from "../platform/Slot.ts"

/**
 * A request's secrets are stored as keyed hashes only. Two requests may have the same one-time code. Their hashes
 * differ, because the hash of a code also covers the request. Behind the veteran's slot, the authorization code is
 * derived from the request's secret, so that a form that is sent twice gets the same code.
 */
export const requestSecrets = Effect.map(Crypto, ({ keyedHash }) => {
  const codeHash = keyedHash("oauth-one-time-code")
  const authorizationCode = keyedHash("oauth-code-of-request")
  return {
    requestHash: keyedHash("oauth-request"),
    networkHash: keyedHash("veteran-network"),
    cookieHash: keyedHash("oauth-request-cookie"),
    codeHash: (requestHash: Uint8Array, code: string) => codeHash(requestHash, code),
    authorizationCode: (request: string, veteranId: VeteranId) =>
      `${slotOf(veteranId)}${authorizationCode(request).toString("base64url")}`
  }
})
