import { randomBytes } from "node:crypto"

/** Every refresh token of a grant begins with the same 32 random bytes, its family, and goes on with 32 of its own (migrations/023). */
export interface RefreshToken {
  readonly family: Buffer
  readonly own: Buffer
}

export const newRefreshToken = (family: Buffer = randomBytes(32)): RefreshToken => ({ family, own: randomBytes(32) })

export const writeRefreshToken = ({ family, own }: RefreshToken) => Buffer.concat([family, own]).toString("base64url")

/** Undefined for what is no refresh token, or another spelling of one. */
export const readRefreshToken = (text: string): RefreshToken | undefined => {
  const bytes = Buffer.from(text, "base64url")
  return bytes.length === 64 && bytes.toString("base64url") === text
    ? { family: bytes.subarray(0, 32), own: bytes.subarray(32) }
    : undefined
}
