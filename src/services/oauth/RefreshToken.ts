import { randomBytes } from "node:crypto"

/** The family is the same in all refresh tokens of a grant; `own` is new in each token (migrations/023). */
export interface RefreshToken {
  readonly family: Buffer
  readonly own: Buffer
}

export const newRefreshToken = (family: Buffer = randomBytes(32)): RefreshToken => ({ family, own: randomBytes(32) })

export const writeRefreshToken = ({ family, own }: RefreshToken) => Buffer.concat([family, own]).toString("base64url")

/** Returns undefined if the text is no refresh token, or is not in canonical base64url. */
export const readRefreshToken = (text: string): RefreshToken | undefined => {
  const bytes = Buffer.from(text, "base64url")
  return bytes.length === 64 && bytes.toString("base64url") === text
    ? { family: bytes.subarray(0, 32), own: bytes.subarray(32) }
    : undefined
}
