import { randomInt } from "node:crypto"

/** Crockford's base32: no I, L, O and U, so that a code can be read aloud and typed (5 bits a character). */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

export const newSpokenCode = (length: number) => Array.from({ length }, () => alphabet[randomInt(32)]).join("")

/** Reads what a person typed: in any letter case, with spaces or hyphens, O for 0, and I or L for 1. */
export const readSpokenCode = (text: string) =>
  text.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1")
