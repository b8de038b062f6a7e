/** Decodes the header (0) or the claims (1) of a JWT. */
export const decodePart = (token: string, part: 0 | 1) =>
  JSON.parse(Buffer.from(token.split(".")[part]!, "base64url").toString())
