/** The SHA-256 of bytes, in hexadecimal digits. */
export const sha256Of = async (bytes: Uint8Array<ArrayBuffer>) =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).reduce(
    (hex, byte) => hex + byte.toString(16).padStart(2, "0"),
    ""
  )
