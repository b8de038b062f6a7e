import { createHmac } from "node:crypto"

/**
 * What follows from a link's key, which is 32 random bytes in base64url and is stored nowhere. The id of the manifest
 * stands in paths, so it may reach logs. It tells nothing about the token and the key.
 */
export const derivedFrom = (key: string) => {
  const of = (purpose: string) =>
    createHmac("sha256", Buffer.from(key, "base64url")).update(purpose).digest("base64url")
  return { manifestId: of("vrss shl manifest"), token: of("vrss secure link token") }
}

export const manifestUrl = (publicUrl: string, manifestId: string) => `${publicUrl}/api/shl/${manifestId}`

export const shlinkOf = ({ expiresAt, key, publicUrl }: {
  readonly key: string
  readonly publicUrl: string
  readonly expiresAt: Date
}) => {
  const payload = {
    url: manifestUrl(publicUrl, derivedFrom(key).manifestId),
    key,
    exp: Math.floor(expiresAt.getTime() / 1000),
    flag: "P",
    label: "Shared health record"
  }
  return `shlink:/${Buffer.from(JSON.stringify(payload)).toString("base64url")}`
}
