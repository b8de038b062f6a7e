import { SignJWT } from "jose"
import { randomUUID } from "node:crypto"

export const assertionSecret = "identity secret of the tests, of more than 32 bytes"

/** Makes an identity assertion as the app's backend does. A claim that is undefined is left out. */
export const assertion = (
  claims: Readonly<Record<string, unknown>>,
  { header = {}, key = assertionSecret }: { readonly header?: object; readonly key?: string } = {}
) => {
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({ iss: "https://app-backend.example", jti: randomUUID(), iat: now, exp: now + 300, ...claims })
    .setProtectedHeader({ alg: "HS256", typ: "vrss-identity+jwt", ...header })
    .sign(Buffer.from(key))
}
