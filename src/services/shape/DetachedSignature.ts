import { Effect } from "effect"
import { CompactSign } from "jose"
import type { SealingIdentity } from "../pdf/Signer.ts"

/**
 * Signs bytes with the key of the PDF's seal. Returns a JWS without its payload (RFC 7515, appendix F), whose header
 * has the certificate chain.
 */
export const detachedSignature = ({ certificates, key }: SealingIdentity, payload: Uint8Array) =>
  Effect.promise(async () => {
    const [header, , signature] = (await new CompactSign(payload)
      .setProtectedHeader({
        alg: key.asymmetricKeyType === "ec" ? "ES256" : "RS256",
        x5c: certificates.map((der) => Buffer.from(der).toString("base64"))
      })
      .sign(key)).split(".")
    return `${header}..${signature}`
  })
